package main

import (
	"math"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup/lookuptest"
)

// All orders of the cells are enumerated.
func TestExpected(t *testing.T) {
	table := lookuptest.Table(t, "failing")
	nan := math.NaN()
	cells := []float64{1, 5, 2, 3, nan, nan}
	sums, orders := make([]float64, len(cells)), 0.0
	var permute func(n int)
	permute = func(n int) {
		if n < len(cells) {
			for i := n; i < len(cells); i++ {
				cells[n], cells[i] = cells[i], cells[n]
				permute(n + 1)
				cells[n], cells[i] = cells[i], cells[n]
			}
			return
		}
		orders++
		best := 1.0 // the worst row
		for i, y := range cells {
			if y > best {
				best = y
			}
			sums[i] += (5 - best) / 2.5
		}
	}
	permute(0)
	got := expectedCurve(table, 8)
	for i, sum := range sums {
		if math.Abs(got[i]-sum/orders) > 1e-12 {
			t.Errorf("after %d trials: got %v, want %v", i+1, got[i], sum/orders)
		}
	}
	if got[6] != 0 || got[7] != 0 {
		t.Errorf("after more trials than cells: %v", got[6:])
	}
}
