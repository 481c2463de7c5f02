package space_test

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

func TestAlike(t *testing.T) {
	x := fmkernel.Point{C: []float64{0.5, 0.1}, V: []int{2}}
	for _, test := range []struct {
		y    fmkernel.Point
		want bool
	}{
		{x, true},
		{fmkernel.Point{C: []float64{0.515, 0.085}, V: []int{2}}, true},
		{fmkernel.Point{C: []float64{0.5, 0.125}, V: []int{2}}, false},
		{fmkernel.Point{C: []float64{0.475, 0.1}, V: []int{2}}, false},
		{fmkernel.Point{C: []float64{0.5, 0.1}, V: []int{1}}, false},
	} {
		if got := space.Alike(x, test.y); got != test.want || space.Alike(test.y, x) != got {
			t.Errorf("%v and %v are alike: %t", x, test.y, got)
		}
	}
}
