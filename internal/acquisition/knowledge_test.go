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

// The order of the alternatives says nothing, and only the lower triangle is read.
func TestKnowledgeGradientOrder(t *testing.T) {
	means := []float64{0.4, 0, 0.3, 1}
	cov := [][]float64{{1, 0.5, -0.2, 0.1}, {0.5, 0.8, 0.3, 0}, {-0.2, 0.3, 0.9, 0.4}, {0.1, 0, 0.4, 1.2}}
	gain := func(order []int, measured int) float64 {
		m := len(order)
		ms, lower := make([]float64, m), make([]float64, m*m)
		k := -1
		for i, a := range order {
			ms[i] = means[a]
			if a == measured {
				k = i
			}
			for j, b := range order {
				if lower[i*m+j] = cov[a][b]; j > i {
					lower[i*m+j] = math.NaN()
				}
			}
		}
		return acquisition.KnowledgeGradient(ms, lower, k, 0.2)
	}
	for measured := range means {
		want := gain([]int{0, 1, 2, 3}, measured)
		if !(want > 0) {
			t.Errorf("measuring %d is worth %v", measured, want)
		}
		for _, order := range [][]int{{3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}} {
			if got := gain(order, measured); math.Abs(got-want) > 1e-12 {
				t.Errorf("measuring %d is worth %v in the order %v, and %v in another", measured, got, order, want)
			}
		}
	}
}
