package insight

import (
	"math"
	"slices"
	"testing"
)

// Of values that are four orders of magnitude apart and more, each step of a factor counts
// the same, whatever their sign; of others, and of those that change their sign, each
// difference.
func TestGrading(t *testing.T) {
	for _, test := range []struct {
		name        string
		best, worst float64 // deciles
		factors     bool
	}{
		{"far apart", 1, 1.5e4, true},
		{"not so far", 1, 0.7e4, false},
		{"negative and far apart", -1.5e4, -1, true},
		{"negative and not so far", -0.7e4, -1, false},
		{"of both signs", -1, 1.5e4, false},
		{"zero among them", 0, 1.5e4, false},
	} {
		g := newGrading(append(slices.Repeat([]float64{test.best}, 10), slices.Repeat([]float64{test.worst}, 10)...))
		sign := math.Copysign(1, test.best+test.worst)
		small, large := sign*(g.of(sign*10)-g.of(sign)), sign*(g.of(sign*1000)-g.of(sign*100))
		want := 1.0
		if !test.factors {
			want = 100
		}
		if got := large / small; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: from 100 to 1000 is %v times as far as from 1 to 10, want %v", test.name, got, want)
		}
		if g.of(-1) > g.of(1) || math.IsInf(g.of(0), 0) || math.IsNaN(g.of(0)) {
			t.Errorf("%s: -1, 0 and 1 are %v, %v and %v", test.name, g.of(-1), g.of(0), g.of(1))
		}
	}
}
