package sampler

import (
	"math"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
)

// lowKind is how much of kind there is beyond 0: trials with kind 1 and 2 are infeasible.
func lowKind(values map[string]float64) float64 { return values["kind"] - 0.5 }

// bestFeasible returns the observation with the least value of the feasible ones.
func bestFeasible(p *observe.Problem) fmkernel.Point {
	return p.X[slices.Index(p.Y, slices.Min(p.FeasibleY))]
}

// What is best is the best feasible trial, though infeasible ones are better: a running
// trial that is better than it, and worse than those, is expected to be the best, and
// elsewhere is where it is not.
func TestBestIsFeasible(t *testing.T) {
	distributions, trials := hill(40, 0)
	p := limitedAfter(t, distributions, trials, len(trials), lowKind)
	best := bestFeasible(p)
	better, ok := p.Point(map[string]float64{"x": 0.31, "steps": 5, "kind": 0})
	if !ok || slices.Min(p.Y) == slices.Min(p.FeasibleY) {
		t.Fatalf("no better point, or the best value %v is feasible", slices.Min(p.Y))
	}
	p.Pending = []fmkernel.Point{better}
	s := searchOf(t, p)
	if !s.awaitsBest() {
		t.Error("a running trial that is better than the best feasible one is not expected to be the best")
	}
	for seed := range uint64(6) {
		s.random.Seed = seed
		s.rng = s.random.Rand("elsewhere")
		for _, side := range s.otherSides(2) {
			if !side.of.Equal(best) {
				t.Errorf("elsewhere is away from %v, want %v", side.of, best)
			}
		}
	}
}

// A running trial that is expected to be far better than all feasible ones, since it is beyond
// the limit, takes nothing from what the search expects within, in the whole space as in a part.
func TestRunningTrialBeyondLimit(t *testing.T) {
	distributions, trials := hill(40, 0)
	for name, fixed := range map[string]map[string]float64{"space": nil, "part": {"steps": 4}} {
		expected := func(limit func(values map[string]float64) float64, running ...map[string]float64) float64 {
			p := limitedAfter(t, distributions, trials, len(trials), limit)
			for _, values := range running {
				x, ok := p.Point(values)
				if !ok {
					t.Fatal("no configuration")
				}
				p.Pending = append(p.Pending, x)
			}
			p.Fixed = fixed
			s := searchOf(t, p)
			c, ok := s.best(s.model.Improvement(s.reference, 0), s.domains)
			if !ok {
				t.Fatal("nothing was found")
			}
			return c.Value
		}
		beyond := map[string]float64{"x": 0.31, "steps": 5, "kind": 1}
		if fixed != nil {
			beyond["steps"] = fixed["steps"]
		}
		if alone, beside := expected(lowKind), expected(lowKind, beyond); math.Abs(beside-alone) > 1 {
			t.Errorf("%s: the logarithm of the largest improvement is %.3g, and %.3g beside a trial beyond the limit", name, alone, beside)
		}
		if alone, beside := expected(nil), expected(nil, beyond); beside > alone {
			t.Errorf("%s: without a limit it is %.3g, and %.3g beside a trial that may be the best", name, alone, beside)
		}
	}
}

// Infeasible trials do not count where the search has to know enough to go elsewhere.
func TestWanderNeedsFeasibleTrials(t *testing.T) {
	distributions, trials := hill(60, 0)
	for limit, want := range map[int]bool{20: false, 40: true} {
		n := 0
		p := limitedAfter(t, distributions, trials, 59, func(map[string]float64) float64 { n++; return float64(n-limit) - 0.5 })
		if _, ok := searchOf(t, p).wander(); ok != want || len(p.FeasibleY) != limit {
			t.Errorf("%d of %d trials are feasible, want %d: wanders %t", len(p.FeasibleY), len(p.Y), limit, ok)
		}
	}
}

// In a part of the space the search starts from the feasible trials there, and the trial has to
// improve on them, or where there are none on those elsewhere. When every configuration was
// tried the best feasible one is repeated, or else the best.
func TestFeasibleFirst(t *testing.T) {
	distributions := map[string]any{"mode": choice(2), "x": unit, "y": choice(3)}
	infeasible := func(values map[string]float64) bool { return values["mode"] == 0 || values["y"] == 0 } // though these are the best
	p := limitedAfter(t, distributions, trialsOf(branch{8, false}, branch{8, false}), 16, func(values map[string]float64) float64 {
		if infeasible(values) {
			return 1
		}
		return -1
	})
	infeasibleAt := func(x fmkernel.Point) bool { return infeasible(p.Values(x)) }
	for _, r := range p.Regions {
		part := *p
		part.Regions, part.Fixed = []observe.Region{r}, map[string]float64{"mode": 0} // of either region
		s := searchOf(t, &part)
		want, feasible := 0, 0
		for _, x := range p.X {
			if !infeasibleAt(x) {
				feasible++
				if r.Contains(x) {
					want++
				}
			}
		}
		incumbents := s.domains[0].Incumbents
		if len(incumbents) != want || len(s.reference.Points) != want || slices.ContainsFunc(incumbents, infeasibleAt) {
			t.Errorf("%d incumbents, of which %d are to be improved on, want the %d feasible ones", len(incumbents), len(s.reference.Points), want)
		}
		repeated := p.Values(s.replicate())
		switch {
		case want == 0 && len(s.reference.Observed) != feasible:
			t.Errorf("%d trials are to be improved on, want the %d feasible ones elsewhere", len(s.reference.Observed), feasible)
		case want == 0 && repeated["x"] != 0:
			t.Errorf("%v is repeated, want the best of those that are infeasible", repeated)
		case want > 0 && infeasible(repeated):
			t.Errorf("%v is repeated, though others are feasible", repeated)
		}
	}
}
