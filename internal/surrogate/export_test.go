package surrogate

import "github.com/goptuna-fm/goptuna-fm/internal/acquisition"

// Best returns the best prediction of Model at the reference.
func (s *Surrogate) Best(ref Reference) float64 { return s.best(0, ref) }

// Repeats returns what Distinct has learned.
func (s *Surrogate) Repeats() acquisition.Repeats { return s.repeats }
