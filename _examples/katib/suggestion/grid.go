package suggestion

import (
	"errors"
	"fmt"
	"math"
	"math/big"
)

const (
	// maxSteps is how many values a grid may have: Goptuna counts in float64.
	maxSteps = 1 << 53
	// onGrid is how far, in steps, a value may lie from the grid that it is on:
	// programs write 0.1 + 2·0.1 as 0.30000000000000004.
	onGrid = 1e-6
)

// grid is the values min, min + step, ..., as far as max. They are computed as
// decimal numbers, without rounding.
type grid struct {
	min, step *big.Rat
	count     int
}

func newGrid(low, high, step *big.Rat) (grid, error) {
	if step.Sign() <= 0 {
		return grid{}, fmt.Errorf("has the step %s: use a positive one", formatExact(step))
	}
	steps := new(big.Rat).Sub(high, low)
	steps.Quo(steps, step)
	n := new(big.Int).Quo(steps.Num(), steps.Denom())
	if n.Cmp(big.NewInt(maxSteps)) >= 0 {
		return grid{}, errors.New("has more than 2^53 values: use a larger step, or none")
	}
	return grid{low, step, int(n.Int64()) + 1}, nil
}

// value returns value k.
func (g grid) value(k int) *big.Rat {
	v := new(big.Rat).SetInt64(int64(k))
	return v.Add(g.min, v.Mul(v, g.step))
}

// isWritable reports whether each value in full is a text that parseNumber takes.
func (g grid) isWritable() bool {
	ofMin, _ := g.min.FloatPrec()
	ofStep, _ := g.step.FloatPrec()
	digits := max(ofMin, ofStep)
	return max(len(g.min.FloatString(digits)), len(g.value(g.count-1).FloatString(digits))) <= maxText
}

// nearest returns the number of the value that is nearest to x.
func (g grid) nearest(x float64) int {
	low, _ := g.min.Float64()
	step, _ := g.step.Float64()
	return int(min(max(math.Round((x-low)/step), 0), float64(g.count-1)))
}

// index returns the number of a value.
func (g grid) index(x *big.Rat) (int, error) {
	at := new(big.Rat).Sub(x, g.min)
	k, _ := at.Quo(at, g.step).Float64()
	if nearest := math.Round(k); math.Abs(k-nearest) <= onGrid && nearest >= 0 && nearest < float64(g.count) {
		return int(nearest), nil
	}
	return 0, errors.New("is not a value of the parameter")
}
