// White box: what a border costs shows in the regions of large histories only.
package space

import (
	"math"
	"testing"
)

func TestPlace(t *testing.T) {
	for _, test := range []struct {
		m, n int
		want float64
		why  string
	}{
		{1, 2, 1, "log2 2, and 2·log2 1 + 1"},
		{1, 1000, 1, "next to an end: 2·log2 1 + 1"},
		{999, 1000, 1, "next to the other end"},
		{4, 1000, 5, "2·log2 4 + 1"},
		{996, 1000, 5, "from the nearer end"},
		{500, 1024, 10, "one of 1024 places: 2·log2 500 + 1 is more"},
		{3, 8, 3, "one of 8 places: 2·log2 3 + 1 is more"},
	} {
		if got := place(test.m, test.n); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("place %d of %d takes %v bits, want %v (%s)", test.m, test.n, got, test.want, test.why)
		}
	}
	for n := 2; n < 200; n++ {
		for m := 1; m < n; m++ {
			if place(m, n) != place(n-m, n) || place(m, n) > math.Log2(float64(n)) {
				t.Errorf("place %d of %d takes %v bits, from the other end %v, of at most %v", m, n, place(m, n), place(n-m, n), math.Log2(float64(n)))
			}
		}
	}
}
