package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// Every transform that applies keeps the order of the values, gives targets with
// mean 0 and variance 1, and takes values that it was not fitted to in order.
func TestTransformsAreMonotoneAndStandardised(t *testing.T) {
	applied := map[string]int{}
	for seed := range uint64(targetDraws) {
		rng := rand.New(rand.NewPCG(seed, 5))
		y := drawValues(rng)
		if slices.Min(y) == slices.Max(y) {
			continue
		}
		shift := slices.Min(y) - rng.ExpFloat64() // all positive, all negative, or both
		for i := range y {
			switch seed % 3 {
			case 1:
				y[i] -= shift
			case 2:
				y[i] = shift - y[i]
			}
		}
		for _, name := range transformNames() {
			transform, ok := newTransform(name, y)
			if !ok {
				continue
			}
			applied[name]++
			targets := transform.Targets(y)
			mean, variance := stat.PopMeanVariance(targets, nil)
			if math.Abs(mean) > targetTol || math.Abs(variance-1) > targetTol {
				t.Errorf("seed %d: %q gives mean %v, variance %v", seed, name, mean, variance)
			}
			more := slices.Concat(y, []float64{slices.Min(y) - 1, slices.Max(y) + 1, stat.Mean(y, nil)})
			slices.Sort(more)
			last := math.Inf(-1)
			for _, v := range more {
				got := transform.Target(v)
				if math.IsNaN(got) || got < last {
					t.Fatalf("seed %d: %q takes %v to %v, a smaller value to %v", seed, name, v, got, last)
				}
				last = got
			}
		}
	}
	for _, name := range transformNames() {
		if applied[name] < targetDraws/3 {
			t.Errorf("%q applied to %d of %d draws", name, applied[name], targetDraws)
		}
	}
}

// Equal values have one transform, the default; an unknown name has none.
func TestTransformOfEqualValues(t *testing.T) {
	for _, name := range append(transformNames(), "nonsense") {
		transform, ok := newTransform(name, []float64{3, 3, 3})
		if ok != (name == "") || ok && transform.Target(3) != 0 {
			t.Errorf("%q applies: %t", name, ok)
		}
	}
	if _, ok := newTransform("nonsense", []float64{1, 2}); ok {
		t.Error("a transform without a name")
	}
}

// By their Jacobians alone, which is by the likelihood of independent values, the
// transform wins that makes them normal, among those that have a formula; the
// normal scores, which make everything normal, gain little over it.
func TestLogJacobianChooses(t *testing.T) {
	const n = 150
	for _, test := range []struct {
		name string
		draw func(rng *rand.Rand) float64
		wins string
		rank float64 // what the normal scores may have more
		why  string
	}{
		{"normal", func(rng *rand.Rand) float64 { return rng.NormFloat64() }, "linear", 30, "it is normal already"},
		{"log-normal", func(rng *rand.Rand) float64 { return math.Exp(4 * rng.NormFloat64()) }, "log", 30, "its logarithm is normal"},
		{"negative log-normal", func(rng *rand.Rand) float64 { return -math.Exp(4 * rng.NormFloat64()) }, "log", 30, "the logarithm of its negative is"},
		{"sinh", func(rng *rand.Rand) float64 { return math.Sinh(4 * rng.NormFloat64()) }, "asinh", 80, "its inverse is, on another scale"},
	} {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 6))
			y := make([]float64, n)
			for i := range y {
				y[i] = test.draw(rng)
			}
			evidence := map[string]float64{}
			for _, name := range transformNames() {
				if transform, ok := newTransform(name, y); ok {
					evidence[name] = transform.logJacobian(y)
				}
			}
			for name, e := range evidence {
				allowed := 5.0
				if name == "rank" {
					allowed = test.rank
				}
				if name != test.wins && e > evidence[test.wins]+allowed {
					t.Errorf("%s, seed %d: %q has %.1f, %q %.1f (%s)", test.name, seed, name, e, test.wins, evidence[test.wins], test.why)
				}
			}
		}
	}
}

// Value is the inverse of Target, and goes on falling below the least value.
func TestValueIsInverse(t *testing.T) {
	const inverseTol = 1e-6 // of the range, or of a logarithm
	for seed := range uint64(targetDraws) {
		rng := rand.New(rand.NewPCG(seed, 6))
		y := drawValues(rng)
		lo, hi := slices.Min(y), slices.Max(y)
		if lo == hi {
			continue
		}
		for _, name := range transformNames() {
			transform, ok := newTransform(name, y)
			if !ok {
				continue
			}
			for _, v := range y {
				got := transform.Value(transform.Target(v))
				if err := math.Abs(transform.Target(got) - transform.Target(v)); !(err <= inverseTol) {
					t.Errorf("seed %d: %q takes %v to %v and back to %v", seed, name, v, transform.Target(v), got)
				}
			}
			last := lo
			for _, below := range []float64{0.1, 1, 10} {
				got := transform.Value(transform.Target(lo) - below)
				if math.IsNaN(got) || math.IsInf(got, 0) || got > last || got == lo && math.Abs(lo) < hi-lo && name != "log" {
					t.Errorf("seed %d: %q continues below %v with %v after %v", seed, name, lo, got, last)
				}
				last = got
			}
		}
	}
	transform, _ := newTransform("", []float64{3, 3})
	if got := transform.Value(1); got != 3 {
		t.Errorf("equal values of 3 give %v", got)
	}
}
