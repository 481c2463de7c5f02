package problems_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// named returns the problem of that name.
func named(t *testing.T, name string) *problems.Problem {
	t.Helper()
	all := problems.All()
	i := slices.IndexFunc(all, func(p *problems.Problem) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("there is no problem %s", name)
	}
	return all[i]
}

// levels returns the levels 0, 1, ..., 10, 0, 1, ... of n variables.
func levels(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i % 11
	}
	return v
}

// ackley53At returns the bits of Ackley53Shifted that differ from the optimum
// in the first n places, and the continuous part at a distance d from it.
func ackley53At(n int, d [3]float64) (c []float64, v []int) {
	p := problems.Ackley53Shifted()
	for i := range n {
		p.BestV[i] = 1 - p.BestV[i]
	}
	for i := range d {
		p.BestC[i] += d[i]
	}
	return p.BestC, p.BestV
}

func TestEval(t *testing.T) {
	half := []float64{0.3, -0.45}
	partC, partV := ackley53At(25, [3]float64{0.5, -0.25, 0})
	farC, farV := ackley53At(50, [3]float64{1, 1, 1})
	const printed = "reference value to all printed digits, computed by an independent script"
	for _, test := range []struct {
		problem string
		c       []float64
		v       []int
		want    float64
		tol     float64 // half a unit in the last digit that the reference gives, or 1e-8
		err     error
		why     string
	}{
		{"Func2C", half, []int{0, 0}, 1.059466667, 5e-10, nil, "Rosenbrock twice; " + printed},
		{"Func2C", half, []int{1, 1}, 0.0055584, 5e-8, nil, "six-hump camel twice; " + printed},
		{"Func2C", half, []int{2, 4}, 0.28850279, 5e-9, nil, "Beale twice, last alias; " + printed},
		{"Func2C", half, []int{2, 2}, 0.28850279, 5e-9, nil, "levels 2, 3, 4 of h2 are aliases"},
		{"Func2C", half, []int{0, 3}, 0.673984729, 5e-10, nil, "a mixed pair; " + printed},
		{"Func3C", half, []int{1, 1, 0}, 0.0194544, 5e-8, nil, "the cell of the optimum; " + printed},
		{"Func3C", half, []int{0, 2, 1}, 1.733451395, 5e-10, nil, "h3 = 1 adds Rosenbrock; " + printed},
		{"Func3C", half, []int{2, 4, 2}, 0.577005581, 5e-10, nil, "h3 = 2 is also the factor; " + printed},
		{"Func3C", half, []int{1, 0, 3}, 0.965266719, 5e-10, nil, "h3 = 3 is also the factor; " + printed},
		{"Ackley5C", []float64{0.5}, []int{0, 0, 0, 0, 0}, 4.183047712, 5e-10, nil, "a corner; " + printed},
		{"Ackley5C", []float64{-0.25}, []int{8, 9, 7, 8, 8}, 1.12513653, 5e-9, nil, "near the optimum; " + printed},
		{"Ackley5C", []float64{0.1}, []int{16, 0, 4, 12, 8}, 3.793195112, 5e-10, nil, "wide spread; " + printed},
		{"Ackley5C-permuted", []float64{0.5}, []int{9, 2, 6, 9, 0}, 4.183047712, 5e-10, nil,
			"the indices of level 0 in the five permutations, read off by hand"},
		{"Ackley5C-permuted", []float64{0.1}, []int{16, 2, 15, 15, 6}, 3.793195112, 5e-10, nil,
			"the indices of levels 16, 0, 4, 12, 8, read off by hand"},
		{"Ackley20C", nil, levels(20), 21.31043578841815, 1e-8, nil, printed},
		{"Levy20C", nil, levels(20), 336.3187574883597, 1e-8, nil, printed},
		{"Levy6-mixed", []float64{-10, -8, -6}, []int{3, 4, 5}, levyAt(-10, -8, -6, -4, -2, 0), 1e-12, nil,
			"the formula written out naively in this file"},
		{"Ackley53-shifted", partC, partV, 2.7313872477741374, 1e-8, nil, "25 ones, 25 zeros, (0.5, -0.25, 0); " + printed},
		{"Ackley53-shifted", farC, farV, 3.6253849384403627, 1e-8, nil, "all ones; " + printed},
		{"Rosenbrock10-scaled", []float64{0.5, -0.5, 1, 0}, []int{0, 1, 2, 3, 1, 2}, 6582.724938271604, 1e-8, nil, printed},
		{"Hartmann6-mixed", []float64{0.2, 0.8}, []int{0, 1, 3, 7}, -0.12744503484340725, 1e-8, nil, printed},
		{"Rosenbrock4", []float64{0, 0.5, 0, -1}, nil, 1 + 100*0.25 + 0.25 + 100*0.0625 + 1 + 100, 1e-12, nil, "term by term"},
		{"Quadratic-mixed", []float64{0.21, 0.92, 0.45}, []int{3, 3, 0}, 1 + 0.04 + 5 + 7 + 1, 1e-12, nil, "term by term"},
		{"Knobs", nil, []int{4, 2, 11, 1, 13, 0, 2, 13}, 0.9*0.5 + 0.5*0.5 + 0.3*4/13, 1e-12, nil, "term by term"},
		{"G-mixed", []float64{0.2, 0.9, 0.55}, []int{1, 0, 2}, 1.0608, 1e-8, nil, "exact in decimals"},
		{"PressureVessel", []float64{42.0984, 176.6366}, []int{12, 6}, 6059.706775750789, 1e-8, problems.ErrInfeasible,
			"the literature's rounded optimum, which misses the volume by a hair"},
		{"PressureVessel", []float64{42.0984455, 176.6365972}, []int{12, 6}, 6059.71434, 5e-5, nil,
			"the optimum under the older bound l <= 200, on the feasible side"},
		{"SpeedReducer", []float64{3.5, 0.7, 7.3, 7.7153199115, 3.350214666096447, 5.2866544650}, []int{0}, 2994.4711, 1e-4, nil,
			"the optimum of the original x5 range, just outside of ours"},
		{"SpeedReducer", []float64{3.6, 0.7, 8.3, 8.3, 3.9, 5.5}, []int{0}, speedReducerFeasible, 1e-8, nil,
			"an inner point pays no penalty: the weight alone"},
		{"SpeedReducer", []float64{3.15, 0.7, 8.3, 8.3, 3.9, 5.5}, []int{1}, speedReducerTooNarrow + 5000*0.1, 1e-8, nil,
			"x1 is 10 % below 5 x2 and everything else holds"},
	} {
		name := test.problem + "/" + test.why
		p := named(t, test.problem)
		got, err := p.Eval(test.c, test.v)
		if !errors.Is(err, test.err) {
			t.Errorf("%s: error %v, want %v", name, err, test.err)
		}
		if math.Abs(got-test.want) > test.tol {
			t.Errorf("%s: got %.16g, want %.16g", name, got, test.want)
		}
	}
}

// levyAt is the Levy function in the notation of its definition.
func levyAt(x ...float64) float64 {
	w := make([]float64, len(x))
	for i := range x {
		w[i] = 1 + (x[i]-1)/4
	}
	d := len(w) - 1
	sum := math.Pow(math.Sin(math.Pi*w[0]), 2)
	for i := 0; i < d; i++ {
		sum += math.Pow(w[i]-1, 2) * (1 + 10*math.Pow(math.Sin(math.Pi*w[i]+1), 2))
	}
	return sum + math.Pow(w[d]-1, 2)*(1+math.Pow(math.Sin(2*math.Pi*w[d]), 2))
}

// The weight term by term at x = (3.6, 0.7, 17, 8.3, 8.3, 3.9, 5.5) and at
// (3.15, 0.7, 18, 8.3, 8.3, 3.9, 5.5).
const (
	speedReducerRest = 7.4777*(3.9*3.9*3.9+5.5*5.5*5.5) + 0.7854*(8.3*3.9*3.9+8.3*5.5*5.5)

	speedReducerFeasible = 0.7854*3.6*0.49*(3.3333*289+14.9334*17-43.0934) -
		1.508*3.6*(3.9*3.9+5.5*5.5) + speedReducerRest
	speedReducerTooNarrow = 0.7854*3.15*0.49*(3.3333*324+14.9334*18-43.0934) -
		1.508*3.15*(3.9*3.9+5.5*5.5) + speedReducerRest
)

func TestOptimum(t *testing.T) {
	for _, test := range []struct {
		problem string
		want    float64
		tol     float64 // half a unit in the last digit of want, or what rounding of BestC costs
		why     string
	}{
		{"Func2C", -0.2063257, 5e-8, "multi-start quasi-Newton"},
		{"Func3C", -0.7221399, 5e-8, "multi-start quasi-Newton"},
		{"Ackley5C", 0, 1e-14, "closed form"},
		{"Ackley5C-permuted", 0, 1e-14, "the same function, relabelled"},
		{"Ackley20C", 0, 1e-14, "closed form"},
		{"Ackley53-shifted", 0, 1e-14, "closed form"},
		{"Levy20C", 2.351046529, 1e-8, "enumeration of a separable function"},
		{"Levy6-mixed", 2*0.0908445541 + 0.125, 5e-10, "0 for the continuous part, the rest by enumeration"},
		{"Rosenbrock10-scaled", 10.699106880, 5e-10, "enumeration of the levels, quasi-Newton on the rest"},
		{"Hartmann6-mixed", -2.554764, 5e-7, "enumeration of the levels, quasi-Newton on the rest"},
		{"G-mixed", 0.00694444, 5e-9, "the product of a/(1+a)"},
		{"PressureVessel", 5850.38306, 1e-5, "n = (12, 6), r as thin as the shell allows, l by the volume"},
		{"Hartmann6-mixed-huge", 1.18261e-8, 5e-14, "10^(12 - 7.8·2.554764)"},
		{"Func3C-reward", -76.160237, 5e-7, "-exp(6·0.7221399)"},
		{"Hartmann6-mixed-plateau", -2.554764, 5e-7, "as Hartmann6-mixed"},
		{"Func3C-outliers", -0.7221399, 5e-8, "as Func3C"},
		{"Func2C-halfspace", -0.2063257, 5e-8, "the other one of the two equal optima of Func2C"},
		{"Func3C-category", -0.4609781, 5e-8, "multi-start quasi-Newton at each of the other levels"},
		{"Ackley5C-levels", 0, 1e-14, "closed form"},
		{"Hartmann6-mixed-edge", -2.5380188, 5e-8, "enumeration of the levels, quasi-Newton in the box that is left"},
		{"Noisy-plateau", 0.5, 1e-14, "1.6 - 1.1, at the middle of mode c; the plateau is above 0.95"},
		{"Hartmann6", -3.32236801, 5e-9, "the literature"},
		{"Rosenbrock4", 0, 0, "closed form"},
		{"Quadratic-mixed", 0, 0, "closed form"},
		{"Knobs", 0, 0, "closed form"},
		{"SpeedReducer", 2996.3482, 5e-5, "both shafts as thin as their stress limits allow"},
	} {
		p := named(t, test.problem)
		if math.Abs(p.Optimum-test.want) > test.tol {
			t.Errorf("%s: Optimum is %.12g, want %.12g (%s)", p.Name, p.Optimum, test.want, test.why)
		}
		got, err := p.Eval(p.BestC, p.BestV)
		if err != nil {
			t.Errorf("%s: at the optimal point: %v", p.Name, err)
		}
		if math.Abs(got-p.Optimum) > test.tol {
			t.Errorf("%s: the value at the optimal point is %.12g, want %.12g", p.Name, got, p.Optimum)
		}
	}
}

// No point beats the stated optimum: neither points drawn from the whole space
// nor those that change a few coordinates of the optimal one.
func TestNothingIsBetterThanTheOptimum(t *testing.T) {
	const draws = 20000
	const tolerance = 1e-5 // BestC and Optimum are rounded
	for _, p := range problems.All() {
		rng := rand.New(rand.NewPCG(1, 0))
		for i := range draws {
			c, v := append([]float64(nil), p.BestC...), append([]int(nil), p.BestV...)
			change := 1.0
			if i%2 == 1 {
				change = 2 / float64(len(p.Params))
			}
			scale := math.Pow(10, -5*rng.Float64()) // of a continuous step from the optimum
			nc, nv := 0, 0
			for _, q := range p.Params {
				changed := rng.Float64() < change
				switch {
				case q.Kind != problems.Continuous:
					if changed {
						v[nv] = rng.IntN(q.Levels)
					}
					nv++
				case changed && i%2 == 0:
					c[nc] = q.Low + (q.High-q.Low)*rng.Float64()
					nc++
				case changed:
					c[nc] = min(max(c[nc]+scale*(q.High-q.Low)*rng.NormFloat64(), q.Low), q.High)
					nc++
				default:
					nc++
				}
			}
			value, err := p.Eval(c, v)
			if err == nil && value < p.Optimum-tolerance {
				t.Errorf("%s: %.10g at (%v, %v) is below the optimum %.10g", p.Name, value, c, v, p.Optimum)
				break
			}
		}
	}
}

func TestProblemsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range problems.All() {
		if seen[strings.ToLower(p.Name)] {
			t.Errorf("%s: listed twice", p.Name)
		}
		seen[strings.ToLower(p.Name)] = true
		nc, nv := 0, 0
		names := map[string]bool{}
		for _, q := range p.Params {
			if names[q.Name] {
				t.Errorf("%s: two parameters are called %s", p.Name, q.Name)
			}
			names[q.Name] = true
			switch q.Kind {
			case problems.Continuous:
				if x := p.BestC[nc]; x < q.Low || x > q.High {
					t.Errorf("%s: optimal %s = %v is out of range", p.Name, q.Name, x)
				}
				nc++
			case problems.Ordinal, problems.Nominal:
				if x := p.BestV[nv]; x < 0 || x >= q.Levels {
					t.Errorf("%s: optimal %s = %v is out of range", p.Name, q.Name, x)
				}
				nv++
			}
			if q.Kind == problems.Nominal && len(q.Choices) != q.Levels {
				t.Errorf("%s: %s has %d choices for %d levels", p.Name, q.Name, len(q.Choices), q.Levels)
			}
			for _, choice := range q.Choices {
				if _, err := strconv.ParseFloat(choice, 64); err == nil {
					t.Errorf("%s: choice %q of %s reads as a number", p.Name, choice, q.Name)
				}
			}
		}
		if nc != len(p.BestC) || nv != len(p.BestV) {
			t.Errorf("%s: the parameters are %d continuous and %d discrete ones, the optimal point has %d and %d",
				p.Name, nc, nv, len(p.BestC), len(p.BestV))
		}
	}
}

func TestEvalPanicsOnWrongLength(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for a point without its discrete part")
		}
	}()
	_, _ = problems.Func2C().Eval([]float64{0, 0}, nil)
}
