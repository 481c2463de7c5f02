package repeats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
)

// The loss of a pair has no jump, not where pairs that differ stop to count either: the
// search for the rates would gain by pushing pairs across it. Its slope is its derivative.
func TestLossIsContinuous(t *testing.T) {
	for _, chance := range []float64{0.5 / 46, 0.3} {
		for _, same := range []bool{true, false} {
			p := pair{delta: []float64{1}, same: same}
			loss := func(s float64) float64 { v, _ := p.loss([]float64{s}, chance); return v }
			if below, above := loss(farPair-1e-9), loss(farPair+1e-9); math.Abs(below-above) > 1e-7 {
				t.Errorf("same %t: the loss is %g below farPair and %g above", same, below, above)
			}
			for _, s := range []float64{0.01, 0.5, 3, farPair - 1, farPair + 1} {
				_, slope := p.loss([]float64{s}, chance)
				if want := fd.Derivative(loss, s, nil); math.Abs(slope-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("same %t, at %g: slope %g, by differences %g", same, s, slope, want)
				}
			}
		}
	}
}
