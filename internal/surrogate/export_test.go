package surrogate

// Best returns the best prediction of Model at the reference.
func (s *Surrogate) Best(ref Reference) float64 { return s.best(0, ref) }
