package surrogate

import "github.com/goptuna-fm/goptuna-fm/internal/acquisition"

// maxRepeats is the number of observations, the latest, that tell how values repeat.
const maxRepeats = 200

// Distinct returns the surrogate whose improvements count with the probability that
// the value is none that was observed, as a logistic regression on the observations
// has it, each left out. Where the objective is piecewise constant, the neighbours of
// an observation have its very value, and a Gaussian process goes on to expect
// improvements there.
func (s *Surrogate) Distinct() *Surrogate {
	model, err := s.fitting.observedModel(s.slot, s.Model().Hyper(), s.conditions, s.cache)
	if err != nil {
		return s
	}
	count := map[float64]int{}
	for _, y := range s.Y {
		count[y]++
	}
	n := min(len(s.Y), maxRepeats)
	_, variances := model.LeaveOneOut(n)
	hyper, repeated := model.Hyper(), make([]bool, n)
	for i, y := range s.Y[len(s.Y)-n:] {
		variances[i] -= hyper.Noise // of the latent function, not of the target
		repeated[i] = count[y] > 1
	}
	other := *s
	other.repeats = acquisition.FitRepeats(variances, repeated, hyper.Scale)
	return &other
}
