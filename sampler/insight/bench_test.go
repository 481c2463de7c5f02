package insight_test

import (
	"fmt"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// A fit to trials of another sampler, which searches for all hyperparameters, and
// the importances: what a report computes first.
func BenchmarkFitAndImportance(b *testing.B) {
	p := problems.Rosenbrock10Scaled()
	for _, n := range []int{200, 1000} {
		study := atRandom(b, problems.Objective(p), n)
		b.Run(fmt.Sprintf("trials=%d", n), func(b *testing.B) {
			for b.Loop() {
				if got := fit(b, study).Importance(); len(got) != 10 {
					b.Fatal(got)
				}
			}
		})
		b.Run(fmt.Sprintf("summary/trials=%d", n), func(b *testing.B) {
			for b.Loop() {
				fit(b, study).Summary()
			}
		})
	}
}
