package problems_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// An optimum is feasible and has its value, and no random point is better. Constraints
// exclude points.
func TestConstrained(t *testing.T) {
	const points = 50_000
	for _, p := range problems.AllConstrained() {
		checkOptimum(t, p, p.Best, p.Optimum, 1e-6, 1e-15) // a limit of the reducer's is reached up to rounding
		r := rand.New(rand.NewPCG(1, 2))
		feasible, least := 0, math.Inf(1)
		for range points {
			shares := make([]float64, len(p.Params))
			for i := range shares {
				shares[i] = r.Float64()
			}
			if y, violations := p.Eval(p.Params.At(shares)); slices.Max(violations) <= 0 {
				feasible, least = feasible+1, min(least, y)
			}
		}
		if feasible == 0 || feasible == points || least < p.Optimum {
			t.Errorf("%s: %d of %d points are feasible, the least is %v", p.Name, feasible, points, least)
		}
	}
}

// The optima that are published, with the digits that are.
func TestConstrainedPublished(t *testing.T) {
	published := map[string]struct {
		x     []float64
		y     float64
		digit float64 // the size of the last one, relative to y
		slack float64 // what the rounding of x may violate, in the unit of the constraint
	}{
		"gramacy": {[]float64{0.1954, 0.4044}, 0.5998, 1e-4, 0},
		"vessel":  {[]float64{12, 6, 38.8601, 221.36547}, 5850.38306, 1e-6, 0.3},            // of 1,296,000
		"spring":  {[]float64{0.05168906, 0.35671773, 11.28896619}, 0.01266523, 1e-6, 1e-7}, // coils are not whole there
		"beam":    {[]float64{0.2057296, 3.4704889, 9.0366240, 0.2057296}, 1.724852, 1e-7, 0.01},
		"reducer": {[]float64{3.5, 0.7, 17, 7.3, 7.8, 3.350214, 5.286683}, 2996.348165, 1e-6, 1e-6},
	}
	for _, p := range problems.AllConstrained() {
		if known, ok := published[p.Name]; ok {
			checkOptimum(t, p, known.x, known.y, known.digit, known.slack)
			delete(published, p.Name)
		}
	}
	if len(published) > 0 {
		t.Errorf("there are no problems of %v", published)
	}
}

// checkOptimum checks the value of a point, up to a share of it, and that no constraint is
// violated by more than slack.
func checkOptimum(t *testing.T, p *problems.Constrained, x []float64, want, share, slack float64) {
	t.Helper()
	y, violations := p.Eval(x)
	if math.Abs(y-want) > share*math.Abs(want) || slices.Max(violations) > slack {
		t.Errorf("%s: the value at %v is %.9g, and %v the violations; want %v, and at most %v", p.Name, x, y, violations, want, slack)
	}
}
