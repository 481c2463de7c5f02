package space

import (
	"fmt"
	"math"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// grid is low, low+step, …, count values, as vertices of a path or as levels of
// a dimension.
type grid struct {
	interval    // its upper end may lie off the grid; rounding must not pass it
	step, count float64
	order       float64            // number of vertices: values of earlier grids have some too; 0 for a dimension
	shift       float64            // the vertex of low
	accepts     func(float64) bool // Contains of the distribution
}

// onGrid is how far off a value may lie, in steps, but for the spacing of floats.
const onGrid = 1e-6

// slack is by how much rounding may take a value off the grid: far from zero, as among
// times in seconds, the spacing of floats is more than onGrid.
func (c grid) slack() float64 {
	return onGrid*c.step + 1e-15*(math.Abs(c.low)+math.Abs(c.high))
}

// tolerance returns slack in steps. A value in the middle of two is off any grid.
func (c grid) tolerance() float64 { return math.Min(c.slack()/c.step, 0.49) }

func (c grid) Single() (value float64, ok bool) { return c.low, c.count == 1 }

func (c grid) contains(value float64) bool { return c.accepts(value) }

func (c grid) Decode(u float64) float64 {
	k := u - c.shift
	if c.order == 0 {
		k = math.Round(u * (c.count - 1))
	}
	// At magnitudes where the spacing of float64 passes the step, the nearest value may lie
	// outside or off the grid. Then lower ones are tried, ever further down, to low, which
	// always is a value.
	for shrink := 1e-9; ; shrink *= 4 {
		if v := math.Min(c.low+float64(k*c.step), c.high); k <= 0 || c.accepts(v) {
			return v
		}
		if shrink < 0.5 {
			k = math.Floor(k * (1 - shrink))
		} else {
			k = math.Floor(math.Sqrt(k) / 2)
		}
	}
}

func (c grid) EncodeFrom(value float64, from any) (float64, bool) {
	x, ok := numeric(value, from)
	if !ok {
		return 0, false
	}
	k := (x - c.low) / c.step
	if c.order == 0 {
		return k / (c.count - 1), true
	}
	v := math.Round(k)
	if math.Abs(k-v) > c.tolerance() || v+c.shift < 0 || v+c.shift >= c.order {
		return 0, false
	}
	return v + c.shift, true
}

// gridOf returns the grid of a valid distribution, and false for one that has
// none.
func gridOf(distribution any) (g grid, ok bool) {
	switch d := distribution.(type) {
	case goptuna.IntUniformDistribution:
		low, high := floatInts(d.Low, d.High)
		return grid{interval: interval{low, high}, step: 1, count: high - low + 1, accepts: d.Contains}, true
	case goptuna.StepIntUniformDistribution:
		// Contains leaves out High, although Goptuna's comment says otherwise.
		low, high := floatInts(d.Low, d.High)
		step := float64(d.Step)
		return grid{interval: interval{low, high}, step: step, count: math.Max(1, math.Ceil((high-low)/step)), accepts: d.Contains}, true
	case goptuna.DiscreteUniformDistribution:
		g := grid{interval: interval{d.Low, d.High}, step: d.Q, accepts: d.Contains}
		g.count = math.Floor(d.High/d.Q-d.Low/d.Q+g.tolerance()) + 1
		if !(g.count < maxSteps) {
			g.count = maxSteps
		}
		return g, true
	}
	return g, false
}

// floatInts returns the smallest and the largest int of a range that Goptuna can
// hand over: its internal representation is float64, which has few ints beyond
// 2⁵³.
func floatInts(from, to int) (low, high float64) {
	low, high = float64(from), float64(to)
	if int(low) < from {
		low = math.Nextafter(low, math.Inf(1))
	}
	if int(high) > to {
		high = math.Nextafter(high, math.Inf(-1))
	}
	return low, high
}

// maxSteps bounds the number of values of a grid. Goptuna counts steps as float64, too:
// of a value that lies more of them above the lower end, the objective would get +Inf.
const maxSteps = math.MaxFloat64 / 4

// setGrid maps a grid: to the graph of the user, to a path, or to a dimension.
func (p *Param) setGrid(g grid, user *graphs.Graph, earlier []any) error {
	switch {
	case user != nil:
		if float64(user.Order()) != g.count {
			return fmt.Errorf("fm: the graph of parameter %q has %d vertices for %v values: give SamplerOptionGraph one vertex per value, in order", p.Name, user.Order(), g.count)
		}
		g.order = g.count
		p.Graph = user
	case g.count <= MaxPathOrder:
		g.widen(earlier)
		if g.order > g.count {
			for k := range int(g.count) {
				p.Open = append(p.Open, k+int(g.shift))
			}
		}
		p.Graph = graphs.Path(int(g.order))
	default:
		p.dim.Levels = g.count
	}
	p.codec = g
	return nil
}

// widen sets the vertices: of the values, and of those of earlier short grids with the same step.
func (c *grid) widen(earlier []any) {
	from, to := 0.0, c.count-1
	for _, d := range earlier {
		e, ok := gridOf(d)
		if !ok || e.count > MaxPathOrder {
			continue
		}
		for v := range int(e.count) {
			k := (e.low + float64(float64(v)*e.step) - c.low) / c.step
			at := math.Round(k)
			if first, last := math.Min(from, at), math.Max(to, at); math.Abs(k-at) <= c.tolerance() && last-first < MaxPathOrder {
				from, to = first, last
			}
		}
	}
	c.shift, c.order = -from, to-from+1
}
