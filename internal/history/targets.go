package history

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
	t, _ := NewTransform("", y)
	return t.Targets(y)
}
