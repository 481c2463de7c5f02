package acquisition_test

import (
	"math"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// Two alternatives of which one is measured: E[min(m, m + sZ)] has a closed form.
func TestKnowledgeGradient(t *testing.T) {
	const variance, noise = 0.5, 0.3
	s := variance / math.Sqrt(variance+noise)
	got := acquisition.KnowledgeGradient([]float64{0, 0}, []float64{variance, 0, 0, 0.1}, 0, noise)
	if want := s / math.Sqrt(2*math.Pi); math.Abs(got-want) > 0.02*want {
		t.Errorf("%v, want %v", got, want)
	}
	if got := acquisition.KnowledgeGradient([]float64{0, 9}, []float64{variance, 0, 0, 0.1}, 1, noise); got > 1e-12 {
		t.Errorf("an alternative that cannot win is worth %v", got)
	}
}
