package history

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Targets returns the standardised targets of objective values that are to be
// minimised. Values above the median are compressed first,
//
//	y ↦ med + s·log(1 + (y - med)/s),  s = med - min,
//
// monotonically and with slope 1 at the median: how bad a bad trial was says
// little about where the optimum is, and heavy upper tails would dictate the
// hyperparameters. Values below the median keep their distances.
func Targets(y []float64) []float64 {
	if len(y) == 0 {
		return nil
	}
	// Into a range in which differences and squares neither overflow nor vanish.
	lo, hi := slices.Min(y), slices.Max(y)
	span := hi/2 - lo/2
	t := make([]float64, len(y))
	if span == 0 {
		return t
	}
	for i, v := range y {
		t[i] = (v/2 - lo/2) / span
	}
	sorted := slices.Clone(t)
	slices.Sort(sorted)
	median := stat.Quantile(0.5, stat.LinInterp, sorted, nil)
	// Where half of the values equal the minimum, the next larger one sets the
	// scale.
	s := median
	for i := 0; s == 0; i++ {
		s = sorted[i]
	}
	s = math.Max(s, 1e-300)
	for i, v := range t { // in units of s
		t[i] = (v - median) / s
		if v > median {
			t[i] = math.Log1p(t[i])
		}
	}
	mean, sd := stat.PopMeanStdDev(t, nil)
	for i := range t {
		t[i] = (t[i] - mean) / sd
	}
	return t
}
