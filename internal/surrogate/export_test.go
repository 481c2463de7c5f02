package surrogate

// Best returns the best prediction of Model at the reference.
func (s *Surrogate) Best(ref Reference) float64 { return s.best(0, ref) }

// Weights returns how much the trials without a value count, in the order of the problem.
func (s *Surrogate) Weights() (weights []float64) {
	for _, v := range s.valueless {
		weights = append(weights, v.weight)
	}
	return weights
}
