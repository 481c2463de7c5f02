package fmkernel

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ConditionError says which property of a frequency modulating function
// (Def. 3.1) a Modulator does not have, with a counterexample.
type ConditionError struct {
	Property string  // "FM-P1", "FM-P2" or "FM-P3"
	Beta     float64 // β of the counterexample
	Text     string  // the counterexample
}

// Error implements error.
func (e *ConditionError) Error() string {
	return fmt.Sprintf("fmkernel: not a frequency modulating function: %s fails at β = %g: %s", e.Property, e.Beta, e.Text)
}

// CheckConditions looks for counterexamples to the properties that make m a
// frequency modulating function (Def. 3.1), at the given β, or at 0.1, 1 and 10
// where none is given:
//
//	FM-P1  f(·, t) is positive and decreasing
//	FM-P2  f(λ, ‖c-c'‖²) is a positive definite kernel; of a Kernelized modulator,
//	       f(λ, u - k_H(c, c'))
//	FM-P3  for t1 < t2, f(·, t1) - f(·, t2) is positive, strictly decreasing and
//	       convex
//
// It returns nil when it finds none, otherwise a [ConditionError] for each
// property that fails, joined. It tries λ from 0 to 1,000, t from 0 to 100 and
// points in up to four dimensions: it can refute the properties, but not prove
// them. Below a β of 10⁻⁹ and above 10⁹ rounding may refute what holds.
//
// Without FM-P2 the kernel need not be positive definite (Thm 3.1). Without
// FM-P3 it need not decrease with distance, and without convexity in λ it has
// negative values on some graphs (Thm 3.2).
func CheckConditions(m Modulator, betas ...float64) error {
	if len(betas) == 0 {
		betas = []float64{0.1, 1, 10}
	}
	m = pointedTo(m)
	if v, ok := m.(interface{ validate() error }); ok {
		if err := v.validate(); err != nil {
			return fmt.Errorf("fmkernel: %w", err)
		}
	}
	var failures []error
	for _, property := range []struct {
		name  string
		check func(m Modulator, beta float64) string
	}{{"FM-P1", checkP1}, {"FM-P2", checkP2}, {"FM-P3", checkP3}} {
		for _, beta := range betas {
			if text := property.check(m, beta); text != "" {
				failures = append(failures, &ConditionError{property.name, beta, text})
				break
			}
		}
	}
	return errors.Join(failures...)
}

const (
	// valueTol is the relative rounding error that a modulator's values may have.
	valueTol = 1e-14
	// underflow is where values are too small to tell anything.
	underflow = 1e-150
	// fading is below how many times its rounding error a positive difference may decrease to one that
	// is lost in it: that counts as positive, too.
	fading = 1e3
	// eigenTol is how negative, relative to the largest, an eigenvalue may be
	// for its rounding error.
	eigenTol = 1e-11
)

var (
	checkedT      = []float64{0, 0.01, 0.1, 0.3, 1, 3, 10, 100}
	checkedLambda = append([]float64{0}, floats.LogSpan(make([]float64, 70), 1e-2, 1e3)...)
)

func values(m Modulator, beta, t float64) []float64 {
	f := make([]float64, len(checkedLambda))
	m.Eval(f, checkedLambda, beta, t)
	return f
}

func checkP1(m Modulator, beta float64) string {
	for _, t := range checkedT {
		f := values(m, beta, t)
		for i, l := range checkedLambda {
			switch {
			case i > 0 && math.Abs(f[i-1]) < underflow:
			case !(f[i] > 0):
				return fmt.Sprintf("f(%g, %g) = %g is not positive", l, t, f[i])
			case i > 0 && f[i] > f[i-1]*(1+valueTol):
				return fmt.Sprintf("f is not decreasing: f(%g, %g) = %g, f(%g, %g) = %g", checkedLambda[i-1], t, f[i-1], l, t, f[i])
			}
		}
	}
	return ""
}

func checkP3(m Modulator, beta float64) string {
	for i, t1 := range checkedT {
		for _, t2 := range checkedT[i+1:] {
			if text := checkDifference(values(m, beta, t1), values(m, beta, t2)); text != "" {
				return fmt.Sprintf("h(λ) = f(λ, %g) - f(λ, %g) %s", t1, t2, text)
			}
		}
	}
	return ""
}

// checkDifference checks h = f1 - f2.
func checkDifference(f1, f2 []float64) string {
	l, h := checkedLambda, make([]float64, len(f1))
	floats.SubTo(h, f1, f2)
	for i := range l {
		if i > 0 && math.Abs(f1[i]) < underflow {
			return ""
		}
		tol := valueTol * math.Abs(f1[i])
		switch {
		case !(h[i] > tol) && !(i > 0 && h[i-1] > h[i] && h[i-1] < fading*tol):
			return fmt.Sprintf("is not positive: h(%g) = %g", l[i], h[i])
		case i > 0 && h[i] >= h[i-1]:
			return fmt.Sprintf("is not strictly decreasing: h(%g) = %g, h(%g) = %g", l[i-1], h[i-1], l[i], h[i])
		case i > 1:
			left, right := l[i-1]-l[i-2], l[i]-l[i-1]
			bend := (h[i]-h[i-1])/right - (h[i-1]-h[i-2])/left
			if bend < -valueTol*math.Abs(f1[i-2])*(1/left+1/right) {
				return fmt.Sprintf("is not convex: h(%g) = %g, h(%g) = %g, h(%g) = %g", l[i-2], h[i-2], l[i-1], h[i-1], l[i], h[i])
			}
		}
	}
	return ""
}

func checkP2(m Modulator, beta float64) string {
	const n = 24
	rng := rand.New(rand.NewPCG(1, 1)) // of the points tried
	for _, dims := range []int{1, 2, 4} {
		for _, spread := range []float64{0.2, 1, 5} {
			cs := make([][]float64, n)
			for i := range cs {
				cs[i] = make([]float64, dims)
				for d := range cs[i] {
					cs[i][d] = spread * rng.NormFloat64()
				}
				if dims == 1 { // equally spaced
					cs[i][0] = spread * float64(i) / 4
				}
			}
			for _, lambda := range []float64{0, 0.5, 3, 20} {
				if least := leastEigenvalue(m, beta, lambda, cs); !(least >= -eigenTol) {
					cs = shrink(cs, func(cs [][]float64) bool { return !(leastEigenvalue(m, beta, lambda, cs) >= -eigenTol) })
					return fmt.Sprintf("the matrix f(%g, t_ij) of the points %s has the eigenvalues' ratio %.3g",
						lambda, pointsText(cs), leastEigenvalue(m, beta, lambda, cs))
				}
			}
		}
	}
	return ""
}

// leastEigenvalue returns the smallest eigenvalue of f(lambda, t_ij) over the
// largest in magnitude, NaN where f is.
func leastEigenvalue(m Modulator, beta, lambda float64, cs [][]float64) float64 {
	n := len(cs)
	gram := mat.NewSymDense(n, nil)
	var f [1]float64
	theta := make([]float64, len(cs[0]))
	floats.AddConst(1, theta)
	for i, a := range cs {
		for j, b := range cs[:i+1] {
			t := 0.0
			if k, ok := m.(Kernelized); ok {
				t = math.Max(0, k.Kernel.Bound()-k.Kernel.Eval(theta, a, b))
			} else {
				distance := floats.Distance(a, b, 2)
				t = distance * distance
			}
			m.Eval(f[:], []float64{lambda}, beta, t)
			if math.IsNaN(f[0]) || math.IsInf(f[0], 0) {
				return math.NaN()
			}
			gram.SetSym(i, j, f[0])
		}
	}
	largest := mat.Norm(gram, math.Inf(1))
	if largest < underflow {
		return 0
	}
	gram.ScaleSym(1/largest, gram)
	var eig mat.EigenSym
	if !eig.Factorize(gram, false) {
		return math.NaN()
	}
	return slices.Min(eig.Values(nil))
}

// shrink drops points while what is left still fails.
func shrink(cs [][]float64, fails func([][]float64) bool) [][]float64 {
	for i := 0; i < len(cs) && len(cs) > 1; {
		if fewer := slices.Delete(slices.Clone(cs), i, i+1); fails(fewer) {
			cs = fewer
		} else {
			i++
		}
	}
	return cs
}

func pointsText(cs [][]float64) string {
	texts := make([]string, len(cs))
	for i, c := range cs {
		coordinates := make([]string, len(c))
		for d, x := range c {
			coordinates[d] = fmt.Sprintf("%.4g", x)
		}
		texts[i] = "(" + strings.Join(coordinates, ", ") + ")"
	}
	return strings.Join(texts, " ")
}
