// Package boxmin minimises smooth functions of a few dozen variables over a box,
// by limited-memory BFGS on the free variables with a projected line search.
//
// The direction is the two-loop recursion of Nocedal and Wright, Numerical
// Optimization (2nd ed.), Algorithm 7.4, restricted to the variables that are
// not held at a bound, after Bertsekas' two-metric projection: variables at a
// bound whose gradient points outwards do not move. Its locals are named as
// there (s, y, rho) and have nothing to do with the kernel's symbols.
package boxmin

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

const (
	memory        = 10   // pairs (s, y) kept
	armijo        = 1e-4 // sufficient decrease, as a share of the linear prediction
	maxBacktracks = 12   // of a line search, before it gives up

	// A step is shortened to the minimum of a parabola, but not below minShrink or above
	// maxShrink of its length, and to blindShrink of it where the value is infinite.
	minShrink, maxShrink, blindShrink = 0.1, 0.5, 0.25

	// minCurvature is the least cosine that is not rounding: between s and y, for the pair
	// to be kept, and between a direction and -∇f, for the direction to descend.
	minCurvature = 1e-10
)

// Settings bounds the work. A zero field means its default.
type Settings struct {
	MaxIterations int     // 0 means 100
	GradTol       float64 // largest projected gradient entry accepted as zero; 0 means 1e-6
	FuncTol       float64 // stop when an iteration gains less, relative to 1+|f|; 0 means 1e-9
	FirstStep     float64 // length of the first trial step; 0 means 1
}

// Func returns f(x) and stores its gradient in grad. A value that is NaN or
// +Inf makes the line search step back.
type Func func(grad, x []float64) float64

// Result is the best point seen.
type Result struct {
	X []float64
	F float64
}

// Minimize minimises f over lower ≤ x ≤ upper, from x0 moved into the box. It
// keeps the best point whatever happens, and panics when lengths differ.
func Minimize(f Func, x0, lower, upper []float64, s Settings) Result {
	n := len(x0)
	if len(lower) != n || len(upper) != n {
		panic("boxmin: slice lengths differ")
	}
	if s.MaxIterations == 0 {
		s.MaxIterations = 100
	}
	if s.GradTol == 0 {
		s.GradTol = 1e-6
	}
	if s.FuncTol == 0 {
		s.FuncTol = 1e-9
	}
	if s.FirstStep == 0 {
		s.FirstStep = 1
	}
	m := &minimizer{f: f, lower: lower, upper: upper, n: n}
	x := m.project(make([]float64, n), x0)
	grad := make([]float64, n)
	fx := m.eval(grad, x)
	if math.IsInf(fx, 1) || n == 0 {
		return Result{X: x, F: fx}
	}

	dir, next, nextGrad := make([]float64, n), make([]float64, n), make([]float64, n)
	free := make([]bool, n)
	for range s.MaxIterations {
		if m.freeVariables(free, x, grad) < s.GradTol {
			break
		}
		newton := m.direction(dir, grad, free)
		step := 1.0
		if !newton {
			step = math.Min(1, s.FirstStep/floats.Norm(dir, 2))
		}
		fNext, ok := m.search(next, nextGrad, x, grad, dir, fx, step)
		if !ok {
			if !newton {
				break
			}
			m.pairs = nil // once more along the gradient
			continue
		}
		m.remember(next, x, nextGrad, grad)
		gain := fx - fNext
		copy(x, next)
		copy(grad, nextGrad)
		fx = fNext
		if gain < s.FuncTol*(1+math.Abs(fx)) {
			break
		}
	}
	return Result{X: x, F: fx}
}

type minimizer struct {
	f            Func
	lower, upper []float64
	n            int
	pairs        []pair // the last ones, at most memory
}

// pair is the curvature along one step: ρ = 1/yᵀs.
type pair struct {
	s, y []float64
	rho  float64
}

// eval calls f and turns NaN, in the value or the gradient, into +Inf.
func (m *minimizer) eval(grad, x []float64) float64 {
	fx := m.f(grad, x)
	if math.IsNaN(fx) || floats.HasNaN(grad) {
		return math.Inf(1)
	}
	return fx
}

func (m *minimizer) project(dst, x []float64) []float64 {
	for i, v := range x {
		dst[i] = math.Min(math.Max(v, m.lower[i]), m.upper[i])
	}
	return dst
}

// freeVariables marks the variables that may move and returns the largest
// entry of the projected gradient.
func (m *minimizer) freeVariables(free []bool, x, grad []float64) float64 {
	worst := 0.0
	for i, g := range grad {
		move := math.Min(math.Max(x[i]-g, m.lower[i]), m.upper[i]) - x[i]
		free[i] = move != 0
		worst = math.Max(worst, math.Abs(move))
	}
	return worst
}

// direction stores the quasi-Newton direction in dir, or minus the gradient
// when there is no curvature yet or no descent, and reports which.
func (m *minimizer) direction(dir, grad []float64, free []bool) (newton bool) {
	mask := func(v []float64) {
		for i := range v {
			if !free[i] {
				v[i] = 0
			}
		}
	}
	copy(dir, grad)
	mask(dir)
	if k := len(m.pairs); k > 0 {
		a := make([]float64, k)
		for i, p := range slices.Backward(m.pairs) {
			a[i] = p.rho * floats.Dot(p.s, dir)
			floats.AddScaled(dir, -a[i], p.y)
		}
		last := m.pairs[k-1]
		floats.Scale(1/(last.rho*floats.Dot(last.y, last.y)), dir)
		for i, p := range m.pairs {
			b := p.rho * floats.Dot(p.y, dir)
			floats.AddScaled(dir, a[i]-b, p.s)
		}
		mask(dir)
		floats.Scale(-1, dir)
		if floats.Dot(dir, grad) < -minCurvature*floats.Norm(dir, 2)*floats.Norm(grad, 2) {
			return true
		}
		m.pairs = nil
	}
	floats.ScaleTo(dir, -1, grad)
	mask(dir)
	return false
}

// search backtracks along the projected path until the decrease is sufficient.
func (m *minimizer) search(next, nextGrad, x, grad, dir []float64, fx, step float64) (fNext float64, ok bool) {
	trial := make([]float64, m.n)
	for range maxBacktracks {
		floats.AddScaledTo(trial, x, step, dir)
		m.project(next, trial)
		predicted := 0.0
		for i := range next {
			predicted += grad[i] * (next[i] - x[i])
		}
		if predicted >= 0 {
			return fx, false
		}
		fNext = m.eval(nextGrad, next)
		if fNext <= fx+armijo*predicted {
			return fNext, true
		}
		shrink := blindShrink
		if !math.IsInf(fNext, 1) {
			// Minimum of the parabola through f(x), its slope and f(next).
			shrink = math.Min(math.Max(-predicted/(2*(fNext-fx-predicted)), minShrink), maxShrink)
		}
		step *= shrink
	}
	return fx, false
}

func (m *minimizer) remember(next, x, nextGrad, grad []float64) {
	s, y := make([]float64, m.n), make([]float64, m.n)
	floats.SubTo(s, next, x)
	floats.SubTo(y, nextGrad, grad)
	sy := floats.Dot(s, y)
	if sy <= minCurvature*floats.Norm(s, 2)*floats.Norm(y, 2) {
		return
	}
	if len(m.pairs) == memory {
		m.pairs = m.pairs[1:]
	}
	m.pairs = append(m.pairs, pair{s, y, 1 / sy})
}
