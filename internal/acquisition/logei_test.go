package acquisition_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

const (
	// logTol is relative to 1 + z², the size of the terms that log h adds up
	// to for negative z, and to 1 for positive z.
	logTol = 2e-13
	// branchTol is the same for the derivatives, relative to 1 + z².
	branchTol = 1e-12
	// logGradTol is relative, against fourth-order central differences.
	logGradTol = 1e-6
)

// logH returns log h(z) with h(z) = φ(z) + zΦ(z): log EI at mean 0 and variance
// 1.
func logH(z float64) float64 { return acquisition.LogEI(z, 0, 1) }

// exactLogH returns log h(z) for z = 0 or |z| ≥ 1/2, from arithmetic with 400
// bits. For z = -x < 0 the Mills ratio M = Φ(z)/φ(z) is the continued fraction
// 1/(x + 1/(x + 2/(x + 3/(x + …)))), Abramowitz and Stegun 26.2.14, and
// h = φ·(1 - xM). For positive z, h(z) = z + h(-z).
func exactLogH(z float64) float64 {
	const (
		bits  = 400
		depth = 5000 // leaves an error of about exp(-2x√(2·depth)), 1e-43 at x = 1/2
	)
	logPhi := -0.5*z*z - 0.5*math.Log(2*math.Pi)
	switch {
	case z == 0:
		return logPhi
	case z > 0:
		return math.Log(z + math.Exp(exactLogH(-z)))
	}
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }
	x := num(-z)
	tail := num(-z)
	for k := depth; k >= 1; k-- { // tail = x + k/tail
		tail.Quo(num(float64(k)), tail)
		tail.Add(tail, x)
	}
	ratio := num(1)
	ratio.Sub(ratio, x.Quo(x, tail))
	mantissa := new(big.Float)
	exp := ratio.MantExp(mantissa)
	m, _ := mantissa.Float64()
	return math.Log(m) + float64(exp)*math.Ln2 + logPhi
}

func TestLogEIValues(t *testing.T) {
	zs := []float64{1e3, 100, 40, 25, 10, 5, 2, 1, 0.5, 0, -0.5, -0.999, -1, -1.001, -2, -24.999, -25, -25.001, -100, -1e3, -1e4, -1e5, -1e8}
	for z := -1.3; z > -40; z -= 0.7 {
		zs = append(zs, z)
	}
	for _, z := range zs {
		got, want := logH(z), exactLogH(z)
		scale := 1 + math.Pow(math.Min(z, 0), 2)
		if !(math.Abs(got-want) <= logTol*scale) {
			t.Errorf("log h(%g) = %.17g, want %.17g, off by %.2g of 1+z²", z, got, want, (got-want)/scale)
		}
	}
}

// LogEI orders points wherever they are: it is finite and strictly increasing
// in z, through both changes of formula.
func TestLogEIIncreases(t *testing.T) {
	const step = 1.0005
	var zs []float64
	for z := -1e6; z < -1e-4; z /= step {
		zs = append(zs, z)
	}
	for z := 1e-4; z < 1e6; z *= step {
		zs = append(zs, z)
	}
	last := math.Inf(-1)
	for i, z := range zs {
		for sd, best := range map[float64]float64{1: 0, 1e-7: 3, 1e4: -20} {
			if got := acquisition.LogEI(best, best-z*sd, sd*sd); math.IsNaN(got) || math.IsInf(got, 0) {
				t.Fatalf("LogEI is %v at z = %g, sd = %g", got, z, sd)
			}
		}
		if got := logH(z); got <= last {
			t.Fatalf("log h(%g) = %v, but log h(%g) = %v", z, got, zs[i-1], last)
		} else {
			last = got
		}
	}
}

// The expected improvement scales with the targets, and what is far below or
// above stays finite.
func TestLogEIScales(t *testing.T) {
	for _, z := range []float64{-1e5, -30, -25, -3, -0.5, 0, 4, 1e3} {
		for _, sd := range []float64{1e-150, 1e-7, 1, 1e100} {
			got, want := acquisition.LogEI(0, -z*sd, sd*sd), math.Log(sd)+logH(z)
			if !(math.Abs(got-want) <= 1e-12*(1+z*z+math.Abs(want))) {
				t.Errorf("z = %g, sd = %g: got %v, want %v", z, sd, got, want)
			}
		}
	}
	for _, z := range []float64{-1e150, -1e10, 1e10, 1e150} {
		if got := logH(z); math.IsNaN(got) || math.IsInf(got, 0) {
			t.Errorf("log h(%g) = %v", z, got)
		}
	}
}

// Value and derivatives are continuous where the formula changes.
func TestLogEIBranches(t *testing.T) {
	for _, z := range []float64{-1, -25} {
		below, above := math.Nextafter(z, math.Inf(-1)), math.Nextafter(z, math.Inf(1))
		v0, m0, s0 := acquisition.LogEIGrad(below, 0, 1)
		v1, m1, s1 := acquisition.LogEIGrad(above, 0, 1)
		for name, pair := range map[string][2]float64{"value": {v0, v1}, "∂mean": {m0, m1}, "∂variance": {s0, s1}} {
			if math.Abs(pair[0]-pair[1]) > branchTol*(1+z*z)*math.Abs(pair[0]) {
				t.Errorf("z = %g: %s jumps from %v to %v", z, name, pair[0], pair[1])
			}
		}
	}
}

func TestLogEIGradient(t *testing.T) {
	fivePoint := fd.Formula{
		Stencil:    []fd.Point{{Loc: -2, Coeff: 1. / 12}, {Loc: -1, Coeff: -8. / 12}, {Loc: 1, Coeff: 8. / 12}, {Loc: 2, Coeff: -1. / 12}},
		Derivative: 1,
		Step:       1e-3,
	}
	zs := []float64{-1e3, -25, -1, 0, 50}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		zs = append(zs, -math.Pow(1e3, rng.Float64()), 50*rng.Float64(), -2*rng.Float64())
	}
	for _, z := range zs {
		sd, best := math.Exp(3*rng.NormFloat64()), rng.NormFloat64()
		mean, variance := best-z*sd, sd*sd
		value, dMean, dVariance := acquisition.LogEIGrad(best, mean, variance)
		if want := acquisition.LogEI(best, mean, variance); value != want {
			t.Errorf("z = %g: LogEIGrad gives %v, LogEI %v", z, value, want)
		}
		// log h is nearly quadratic in z below zero and log z above: it changes
		// on the scale of 1+|z| standard deviations.
		settings := &fd.Settings{Formula: fivePoint, Step: 5e-3 * (1 + math.Abs(z)) * sd}
		want := fd.Derivative(func(mean float64) float64 { return acquisition.LogEI(best, mean, variance) }, mean, settings)
		if !(math.Abs(dMean-want) <= logGradTol*math.Abs(want)) {
			t.Errorf("z = %g, sd = %g: ∂/∂mean = %g, finite differences %g", z, sd, dMean, want)
		}
		settings.Step = 1e-3 * variance
		want = fd.Derivative(func(variance float64) float64 { return acquisition.LogEI(best, mean, variance) }, variance, settings)
		// Above zero the variance soon matters no more.
		if !(math.Abs(dVariance-want) <= logGradTol*math.Max(math.Abs(want), 1e-3/variance)) {
			t.Errorf("z = %g, sd = %g: ∂/∂variance = %g, finite differences %g", z, sd, dVariance, want)
		}
	}
}
