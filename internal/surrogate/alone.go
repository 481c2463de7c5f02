package surrogate

import (
	"math"
	"slices"
)

// predictsBetter reports whether the observations with the values that are left, each from all
// others, are predicted better than by a surrogate of the same problem that learned from further
// ones. Each counts up to maxGain either way.
func (s *Surrogate) predictsBetter(than *Surrogate) bool {
	gain, own, theirs := 0.0, s.logDensities(), than.logDensities()
	for _, t := range s.Trials { // in this order, so that the sum is the same each time
		density, ok := own[t.Number]
		other, alsoTheirs := theirs[t.Number]
		if ok && alsoTheirs { // it is an outlier to neither
			gain += min(maxGain, max(-maxGain, density-other))
		}
	}
	return gain > 0
}

// logDensities returns the logarithm of the density of the value of each trial with the values
// that are left, by its number, given all others (Rasmussen and Williams, Eq. 5.10): that of the
// target times the slope of the transform, up to a constant. It is empty where the observations
// cannot be conditioned on.
func (s *Surrogate) logDensities() map[int]float64 {
	densities := map[int]float64{}
	withLeft := s.withLeft()
	model, err := s.fitting.observedModel(0, s.Model().Hyper(), s.conditions)
	if err != nil || len(withLeft) == 0 {
		return densities
	}
	first, sorted := withLeft[0], slices.Sorted(slices.Values(pick(s.Y, withLeft)))
	means, variances := model.LeaveOneOut(len(s.X) - first)
	for _, i := range withLeft {
		residual, variance := s.Targets[i]-means[i-first], variances[i-first]
		at, _ := slices.BinarySearch(sorted, s.Y[i])
		lo, hi := around(sorted, at, 1)
		dy := sorted[hi]/2 - sorted[lo]/2 // half of each, so that none overflows
		dt := s.Transform.Target(sorted[hi])/2 - s.Transform.Target(sorted[lo])/2
		densities[s.Trials[i].Number] = math.Log(max(dt, minDelta)) - math.Log(max(dy, minDelta)) - (residual*residual/variance+math.Log(variance))/2
	}
	return densities
}

// withLeft returns the indices of the observations with the values that are left.
func (s *Surrogate) withLeft() (indices []int) {
	for i, x := range s.X {
		if s.fitting.problem.HasValuesLeft(x) {
			indices = append(indices, i)
		}
	}
	return indices
}
