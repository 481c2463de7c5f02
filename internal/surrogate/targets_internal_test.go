package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

const (
	targetDraws = 200
	targetTol   = 1e-9 // of standardised targets, which are of order one
)

// drawValues returns objective values with a tail on both sides, and ties.
func drawValues(rng *rand.Rand) []float64 {
	y := make([]float64, 2+rng.IntN(40))
	for i := range y {
		y[i] = math.Sinh(2*rng.NormFloat64()) * math.Pow(10, float64(rng.IntN(3)))
		if rng.IntN(5) == 0 {
			y[i] = y[rng.IntN(i+1)]
		}
	}
	return y
}

// Targets are in the order of the values, with mean 0 and variance 1.
func TestTargetsAreMonotoneAndStandardised(t *testing.T) {
	for seed := range uint64(targetDraws) {
		rng := rand.New(rand.NewPCG(seed, 1))
		y := drawValues(rng)
		if slices.Max(y) == slices.Min(y) {
			continue
		}
		targets := targetsOf(defaultTransform, y)
		for i := range y {
			for j := range y {
				if y[i] < y[j] && targets[i] >= targets[j] || y[i] == y[j] && targets[i] != targets[j] {
					t.Fatalf("seed %d: %v < %v has targets %v, %v", seed, y[i], y[j], targets[i], targets[j])
				}
			}
		}
		mean, variance := stat.PopMeanVariance(targets, nil)
		if math.Abs(mean) > targetTol || math.Abs(variance-1) > targetTol {
			t.Errorf("seed %d: mean %v, variance %v", seed, mean, variance)
		}
	}
}

// The order of trials means nothing.
func TestTargetsPermute(t *testing.T) {
	for seed := range uint64(targetDraws) {
		rng := rand.New(rand.NewPCG(seed, 2))
		y := drawValues(rng)
		permuted, order := make([]float64, len(y)), rng.Perm(len(y))
		for i, k := range order {
			permuted[i] = y[k]
		}
		want, got := targetsOf(defaultTransform, y), targetsOf(defaultTransform, permuted)
		for i, k := range order {
			if math.Abs(got[i]-want[k]) > targetTol {
				t.Fatalf("seed %d: %v has target %v, permuted %v", seed, y[k], want[k], got[i])
			}
		}
	}
}

// Units and origin of the objective mean nothing.
func TestTargetsAreAffineInvariant(t *testing.T) {
	for seed := range uint64(targetDraws) {
		rng := rand.New(rand.NewPCG(seed, 3))
		y := drawValues(rng)
		scaled := make([]float64, len(y))
		for i, v := range y {
			scaled[i] = 3 + 1e-3*v
		}
		want, got := targetsOf(defaultTransform, y), targetsOf(defaultTransform, scaled)
		for i := range y {
			if math.Abs(got[i]-want[i]) > 1e-6 { // 3 + 1e-3 v rounds v
				t.Fatalf("seed %d: %v has target %v, scaled and shifted %v", seed, y[i], want[i], got[i])
			}
		}
	}
}

// Below the median, distances keep their ratios; above it they shrink, the more
// the larger they are.
func TestTargetsCompressAboveTheMedian(t *testing.T) {
	for seed := range uint64(targetDraws) {
		rng := rand.New(rand.NewPCG(seed, 4))
		y := make([]float64, 5+rng.IntN(30))
		for i := range y {
			y[i] = rng.ExpFloat64()
		}
		slices.Sort(y)
		targets := targetsOf(defaultTransform, y)
		below := (len(y) - 1) / 2 // all up to this one are at most the median
		slope := (targets[1] - targets[0]) / (y[1] - y[0])
		for i := 2; i < len(y); i++ {
			got := (targets[i] - targets[i-1]) / (y[i] - y[i-1])
			switch {
			case i < below && math.Abs(got-slope) > 1e-6*slope:
				t.Fatalf("seed %d: slope %v between values %d and %d of %d, want %v", seed, got, i-1, i, len(y), slope)
			case got > slope*(1+1e-6):
				t.Fatalf("seed %d: slope %v between values %d and %d of %d, more than %v below the median", seed, got, i-1, i, len(y), slope)
			}
		}
	}
}

// The formula, by hand.
func TestTargetsByHand(t *testing.T) {
	standardised := func(t ...float64) []float64 {
		mean, sd := stat.PopMeanStdDev(t, nil)
		for i := range t {
			t[i] = (t[i] - mean) / sd
		}
		return t
	}
	for _, test := range []struct {
		name string
		y    []float64
		want []float64
		why  string
	}{
		{"one", []float64{5}, []float64{0}, "no spread"},
		{"constant", []float64{-2, -2, -2, -2}, []float64{0, 0, 0, 0}, "no spread"},
		{"constant zero", []float64{0, 0}, []float64{0, 0}, "no spread"},
		{"four", []float64{3, 1, 2, 6}, standardised(math.Log1p(1), -1, 0, math.Log1p(4)), "median 2, in units of 2-1"},
		{"an outlier", []float64{0, 1, 2, 1e6}, standardised(-1, 0, math.Log1p(1), math.Log1p(1e6-1)), "median 1, in units of 1-0"},
		{"half at the minimum", []float64{0, 0, 0, 3, 6}, standardised(0, 0, 0, math.Log1p(1), math.Log1p(2)), "median 0, in units of the next value, 3"},
	} {
		got := targetsOf(defaultTransform, test.y)
		if !slices.EqualFunc(got, test.want, func(a, b float64) bool { return math.Abs(a-b) < targetTol }) {
			t.Errorf("%s: got %v, want %v (%s)", test.name, got, test.want, test.why)
		}
	}
}

// Finite values, however large, small or mixed, have finite targets in their
// order; those that a float64 cannot tell apart after scaling may coincide.
func TestTargetsOfExtremes(t *testing.T) {
	const tiny = math.SmallestNonzeroFloat64
	for _, y := range [][]float64{
		{1e300, -1e300, 0},
		{math.MaxFloat64, -math.MaxFloat64},
		{math.MaxFloat64, -math.MaxFloat64, 0, 1, -1, 1e-300},
		{math.MaxFloat64, math.MaxFloat64 * (1 - 1e-10), math.MaxFloat64 * (1 - 2e-10)},
		{1e-300, 2e-300, 5e-300},
		{1e-300, 1e300},
		{0, tiny},
		{tiny, 2 * tiny, 3 * tiny, 0},
		{-tiny, 0, tiny, 1},
		{0, 1e-300, 1e-200, 1e-100, 1, 1e100, 1e200, 1e300},
		{0, 0, 0, tiny, 1e300},
		{1e16, 1e16 + 2, 1e16 + 4},
		{1, math.Nextafter(1, 2)},
		{0, math.Copysign(0, -1), 1},
		{-1e300, 1, 2, 3, 4, 5},
		{1, 2, 3, 4, 5, 1e300},
	} {
		targets := targetsOf(defaultTransform, y)
		for i := range y {
			if math.IsNaN(targets[i]) || math.IsInf(targets[i], 0) {
				t.Errorf("%v: target %d is %v", y, i, targets[i])
			}
			for j := range y {
				if y[i] < y[j] && targets[i] > targets[j] {
					t.Errorf("%v: targets %v are not in their order", y, targets)
				}
			}
		}
		mean, sd := stat.PopMeanStdDev(targets, nil)
		if math.Abs(mean) > 1e-6 || math.Abs(sd-1) > 1e-6 && sd != 0 {
			t.Errorf("%v: mean %v, standard deviation %v", y, mean, sd)
		}
	}
}

// Neither the values nor their order are changed.
func TestTargetsLeaveTheirArgument(t *testing.T) {
	y := []float64{3, 1, 2}
	targetsOf(defaultTransform, y)
	if !slices.Equal(y, []float64{3, 1, 2}) {
		t.Errorf("the argument is now %v", y)
	}
}
