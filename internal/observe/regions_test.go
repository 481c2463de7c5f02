package observe_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

type (
	spaceParam = space.Param
	point      = fmkernel.Point
)

func fitOf(kernel string, trials int) *plan.Fit { return &plan.Fit{Kernel: kernel, Trials: trials} }

// A trial can take the regions that what is decided leads to, and that have what
// it asks for.
func TestOpenRegions(t *testing.T) {
	none, x, y := []string{"k"}, []string{"k", "x"}, []string{"k", "y"}
	for _, test := range []struct {
		name     string
		has      values
		enqueued string
		asked    []string
		want     [][]string
	}{
		{"all", nil, "", []string{"k"}, [][]string{x, y, none}},
		{"decided", values{"k": 1}, "", []string{"y"}, [][]string{y}},
		{"decided, and asked for what is new there", values{"k": 2}, "", []string{"y"}, [][]string{y}},
		{"asked before k", nil, "", []string{"x"}, [][]string{x, x, {"k", "x", "y"}}}, // it cannot follow from k
		{"enqueued", nil, `{"y": 2}`, []string{"k"}, [][]string{y}},
		{"enqueued with k", nil, `{"k": 0}`, []string{"k"}, [][]string{x}},
		{"enqueued against k", nil, `{"k": 0, "y": 2}`, []string{"k"}, [][]string{x}},
	} {
		s := switched(30)
		trial := s.next(test.has)
		if test.enqueued != "" {
			trial.SystemAttrs["fixed_params"] = test.enqueued
		}
		got := active(s.observe(t, trial, test.asked...))
		slices.SortFunc(got, func(a, b []string) int { return slices.Compare(order(a), order(b)) })
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: open regions have %v, want %v", test.name, got, test.want)
		}
	}
}

// order sorts x before y before none.
func order(names []string) []int {
	return []int{slices.Index([]string{"x", "y", "k"}, names[len(names)-1])}
}

// What was enqueued leads to one region; where everything there was tried, the
// others are open, too.
func TestExhaustedRegionsGiveWay(t *testing.T) {
	s := switched(30)
	for y, want := range []int{3, 3, 1, 1} { // 0 and 1 were tried
		trial := s.next(nil)
		trial.SystemAttrs["fixed_params"] = fmt.Sprintf(`{"y": %d}`, y)
		p := s.observe(t, trial, "k")
		if len(p.Regions) != want {
			t.Errorf("y = %d: %v are open, want %d", y, active(p), want)
		}
		x, ok, exhausted := p.Untried()
		if !ok || exhausted || p.Tried.Covers(x) || (p.Values(x)["k"] == 1) != (want == 1) {
			t.Errorf("y = %d: untried is %v, %t, exhausted %t", y, x, ok, exhausted)
		}
	}
	// Running trials fill a region, too.
	trial := s.next(nil)
	trial.SystemAttrs["fixed_params"] = `{"y": 2}`
	s.run(t, trial.DatetimeStart, values{"k": 1, "y": 2}, nil)
	if p := s.observe(t, trial, "k"); len(p.Regions) != 3 {
		t.Errorf("%v are open, want all while y = 2 is evaluated", active(p))
	}
}

// A trial that asks for more than others with its values did repeats none of them.
func TestAskedForMore(t *testing.T) {
	s := switched(30)
	for _, test := range []struct {
		asked string
		want  bool
	}{{"k", true}, {"y", false}} {
		p := s.observe(t, s.next(values{"k": 2}), test.asked)
		x, ok := p.Point(values{"k": 2, "y": 0})
		if got := p.Tried.Covers(x); !ok || got != test.want {
			t.Errorf("asked for %s with k = 2: tried is %t, want %t", test.asked, got, test.want)
		}
	}
}

// A finite study is exhausted when finished trials have every configuration, not
// while some are running.
func TestUntried(t *testing.T) {
	s := &study{distributions: map[string]any{"k": choices, "n": goptuna.IntUniformDistribution{Low: 0, High: 1}}}
	for i := range 5 {
		s.add(values{"k": float64(i % 3), "n": float64(i / 3)}, float64(i))
	}
	p := s.observe(t, s.next(nil), "k")
	x, ok, exhausted := p.Untried()
	if got := p.Values(x); !ok || exhausted || got["k"] != 2 || got["n"] != 1 {
		t.Errorf("untried is %v, %t, exhausted %t", got, ok, exhausted)
	}
	if _, ok, exhausted := p.WithPlanned([]point{x}).Untried(); ok || exhausted {
		t.Errorf("beside a planned one %t is left, exhausted %t", ok, exhausted)
	}
	if _, ok, _ := p.Untried(); !ok {
		t.Error("WithPlanned changed the problem")
	}
	s.run(t, noon.Add(5*time.Minute), values{"k": 2, "n": 1}, nil)
	if _, ok, exhausted := s.observe(t, s.next(nil), "k").Untried(); ok || exhausted {
		t.Errorf("while the last runs, %t is left, exhausted %t", ok, exhausted)
	}
	s.Running = nil
	s.add(values{"k": 2, "n": 1}, 5)
	if _, ok, exhausted := s.observe(t, s.next(nil), "k").Untried(); ok || !exhausted {
		t.Errorf("after the last, %t is left, exhausted %t", ok, exhausted)
	}
	// k = 0 leaves two, which are tried; the study is not.
	s.Finished, s.Observations = s.Finished[:5], 5
	if _, ok, exhausted := s.observe(t, s.next(values{"k": 0}), "n").Untried(); ok || !exhausted {
		t.Errorf("with k = 0, %t is left, exhausted %t", ok, exhausted)
	}
}

// A region where trials have but failed is left after three, while others remain. In a long
// study it gets a tenth of its even share more: of 123 trials, a third of which is 41, four.
func TestFailingRegions(t *testing.T) {
	for _, test := range []struct {
		trials       int // in the other regions
		failures     int
		has          values
		asked        string
		open, unseen int // regions
	}{
		{20, 0, nil, "k", 3, 1},
		{20, 2, nil, "k", 3, 1},
		{20, 3, nil, "k", 2, 0},
		{20, 5, nil, "k", 2, 0},
		{20, 3, values{"k": 2}, "x", 1, 1}, // what it has leads there
		{117, 6, nil, "k", 3, 1},
		{117, 7, nil, "k", 2, 0},
	} {
		s := &study{distributions: map[string]any{"k": choices, "x": unit, "y": unit}}
		for i := range test.trials {
			s.add(values{"k": float64(i % 2), []string{"x", "y"}[i%2]: float64(i%20) / 20}, 1)
		}
		for range test.failures {
			s.fail(values{"k": 2})
		}
		p := s.observe(t, s.next(test.has), test.asked)
		unseen := 0
		for _, r := range p.Regions {
			if r.Trials == 0 {
				unseen++
				if r.Failures != test.failures {
					t.Errorf("%d failures, want %d", r.Failures, test.failures)
				}
			}
		}
		if len(p.Regions) != test.open || unseen != test.unseen {
			t.Errorf("after %d failures %v are open, %d of them unseen, want %d and %d", test.failures, active(p), unseen, test.open, test.unseen)
		}
	}
}

// Regions are learned from the latest thousand trials: what earlier ones with a value asked for
// is forgotten.
func TestForgottenRegions(t *testing.T) {
	s := &study{distributions: map[string]any{"k": choices, "x": unit}}
	for i := range 20 {
		s.add(values{"k": 2, "x": float64(i) / 20}, 1)
	}
	for i := range 1000 {
		s.add(values{"k": float64(i % 2)}, 1)
	}
	trials := 0
	for _, r := range s.observe(t, s.next(nil), "k").Regions {
		trials += r.Trials
		if x := r.Draw(rand.New(rand.NewPCG(1, 1))); r.Trials > 0 && x.V[0] == 2 {
			t.Errorf("%d trials are known with k = 2", r.Trials)
		}
	}
	if trials != 1000 {
		t.Errorf("regions are learned from %d trials, want 1,000", trials)
	}
}

// A trial without a value that asked for a parameter shows that its values activate it; one
// that ended without it shows nothing. Neither is among the trials of the region.
func TestFailuresShowRegions(t *testing.T) {
	ten := goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}}
	for _, test := range []struct {
		name string
		last values // of the five trials that fail
		want []string
	}{
		{"with the parameter", values{"k": 6, "x": 0.9}, []string{"k", "x"}},
		{"before it", values{"k": 6}, []string{"k"}},
	} {
		s := &study{distributions: map[string]any{"k": ten, "x": unit}}
		for i := range 20 {
			if i == 16 {
				s.add(values{"k": 6, "x": 0.1}, 1)
			} else if i%10 != 6 {
				s.add(values{"k": float64(i % 10)}, 1)
			}
		}
		for range 5 {
			s.fail(test.last)
		}
		p := s.observe(t, s.next(values{"k": 6}), "k")
		if got := active(p); len(got) != 1 || !slices.Equal(got[0], test.want) {
			t.Errorf("%s: %v are active, want %v", test.name, got, test.want)
		}
		trials := 0
		for _, r := range s.observe(t, s.next(nil), "k").Regions {
			trials += r.Trials
		}
		if trials != s.Observations || len(p.Valueless) != 5 {
			t.Errorf("%s: %d trials in the regions, want %d; %d without a value, want 5", test.name, trials, s.Observations, len(p.Valueless))
		}
	}
}

// Trials that ended before they had what decides about a region tell nothing of it, and
// pruned ones ran: neither closes it.
func TestUndecidedAndPruned(t *testing.T) {
	s := &study{distributions: map[string]any{"k": choices, "x": unit, "y": unit, "z": unit}}
	for i := range 20 {
		s.add(values{"z": 0.5, "k": float64(i % 2), []string{"x", "y"}[i%2]: float64(i) / 20}, 1)
	}
	for range 5 {
		s.fail(nil)
		s.fail(values{"z": 0.1})
		s.prune(values{"z": 0.1, "k": 2})
	}
	unseen := slices.DeleteFunc(s.observe(t, s.next(nil), "z").Regions, func(r observe.Region) bool { return r.Trials > 0 })
	if len(unseen) != 1 || unseen[0].Failures != 0 || unseen[0].Valueless != 5 {
		t.Errorf("unseen regions %+v, want one without failures, and five pruned", unseen)
	}
}

// Where nothing fits, the trial gets what it asks for.
func TestNoRegionFits(t *testing.T) {
	s := switched(30)
	s.distributions["k"] = goptuna.CategoricalDistribution{Choices: []string{"d", "e"}}
	s.distributions["x"] = goptuna.UniformDistribution{Low: 0.1, High: 0.9}
	p := s.observe(t, s.next(values{"k": 1}), "x")
	for _, r := range p.Regions {
		if taken, ok := r.Take(values{"k": 0, "x": 0.5}); !ok || taken["k"] != 1 || taken["x"] != 0.5 {
			t.Errorf("took %v, %t", taken, ok)
		}
	}
}
