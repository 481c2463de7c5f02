package observe_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
)

type values = map[string]float64

// flat is a study of n trials that all ask for k and x.
func flat(n int) *study {
	s := &study{distributions: map[string]any{"k": choices, "x": unit}}
	for i := range n {
		s.add(values{"k": float64(i % 3), "x": float64(i) / float64(n)}, float64(i))
	}
	return s
}

// switched is a study in which k decides: 0 leads to x, 1 to y, 2 to nothing more.
// Of y only 0 and 1 are tried.
func switched(n int) *study {
	s := &study{distributions: map[string]any{"k": choices, "x": unit, "y": goptuna.IntUniformDistribution{Low: 0, High: 3}}}
	for i := range n {
		switch i % 3 {
		case 0:
			s.add(values{"k": 0, "x": float64(i+1) / float64(n+1)}, float64(i))
		case 1:
			s.add(values{"k": 1, "y": float64(i / 3 % 2)}, float64(i))
		case 2:
			s.add(values{"k": 2}, float64(i))
		}
	}
	return s
}

// Observations are in the order in which their trials finished, so that those of
// the last fit remain the first; trials without dates come first.
func TestOrderOfObservations(t *testing.T) {
	s := flat(6)
	s.Finished[1].DatetimeComplete = noon.Add(time.Hour) // a late finisher
	s.Finished[4].DatetimeStart, s.Finished[4].DatetimeComplete = time.Time{}, time.Time{}
	before := fmt.Sprint(s.Finished)
	p := s.observe(t, s.next(nil), "k")
	if want := []float64{4, 0, 2, 3, 5, 1}; !slices.Equal(p.Y, want) {
		t.Errorf("observations of trials %v, want %v", p.Y, want)
	}
	for i, trial := range p.Trials {
		if trial.Y != p.Y[i] || p.Space.Decode(p.X[i])["x"] != trial.InternalParams["x"] {
			t.Errorf("observation %d is of trial %d, at %v", i, trial.Number, p.Space.Decode(p.X[i]))
		}
		if !p.Tried.Covers(p.X[i]) {
			t.Errorf("observation %d was not tried", i)
		}
	}
	if fmt.Sprint(s.Finished) != before {
		t.Error("Observe changed the history")
	}
	if p.StartedWithValue() != 6 || p.Number != 6 {
		t.Errorf("number %d, %d started with a value, want 6", p.Number, p.StartedWithValue())
	}
	if got := p.Names(); !slices.Equal(got, []string{"k", "x"}) {
		t.Errorf("names %q", got)
	}
}

// Where clocks differ, or one was set back, trials are in the order of their numbers.
func TestOrderWhereClocksDiffer(t *testing.T) {
	for name, back := range map[string]func(number int) time.Duration{
		"set back at trial 3":     func(number int) time.Duration { return time.Duration(number/3) * 24 * time.Hour },
		"two workers":             func(number int) time.Duration { return time.Duration(number%2) * 24 * time.Hour },
		"set back at every trial": func(number int) time.Duration { return time.Duration(number) * time.Hour },
	} {
		s := flat(6)
		for i := range s.Finished {
			trial := &s.Finished[i]
			trial.DatetimeStart, trial.DatetimeComplete = trial.DatetimeStart.Add(-back(i)), trial.DatetimeComplete.Add(-back(i))
		}
		if p := s.observe(t, s.next(nil), "k"); !slices.Equal(p.Y, []float64{0, 1, 2, 3, 4, 5}) {
			t.Errorf("%s: observations of trials %v", name, p.Y)
		}
	}
}

// Parameters have a number by their first appearance, which later ones leave.
func TestNames(t *testing.T) {
	s := &study{distributions: map[string]any{"a": unit, "b": unit, "c": unit, "d": unit}}
	s.add(values{"c": 0, "b": 0}, 1)
	s.add(values{"d": 0, "b": 0}, 1)
	s.add(values{"a": 0, "b": 0, "c": 0, "d": 0}, 1)
	if got := s.observe(t, s.next(nil)).Names(); !slices.Equal(got, []string{"b", "c", "d", "a"}) {
		t.Errorf("names %q", got)
	}
}

// Running trials count with what they plan, until they run much longer than any has
// before: then their workers are dead.
func TestRunningTrials(t *testing.T) {
	const n = 4 // trials of a minute
	end := noon.Add(n * time.Minute)
	complete := values{"k": 1, "x": 0.3125}
	for _, test := range []struct {
		name    string
		since   time.Time
		plan    values
		timeout time.Duration
		pending bool
		lost    bool // whether its worker is taken to be dead
	}{
		{"since a while", end.Add(-2 * time.Minute), complete, 0, true, false},
		{"five times the longest", end.Add(-5 * time.Minute), complete, 0, true, false},
		{"longer", end.Add(-5*time.Minute - time.Second), complete, 0, false, true},
		{"longer, but within the timeout", end.Add(-6 * time.Minute), complete, time.Hour, true, false},
		{"beyond the timeout", end.Add(-2 * time.Minute), complete, time.Minute, false, true},
		{"started after this one", end.Add(time.Minute), complete, 0, true, false},
		{"a plan of other parameters", end, values{"k": 1}, 0, false, false},
		{"no plan", end, nil, 0, false, false},
	} {
		s := flat(n)
		s.run(t, test.since, test.plan, nil)
		p, err := observe.Observe(&s.History, s.asking(s.next(nil), "k"), observe.Settings{NewParam: settings.NewParam, RunningTimeout: test.timeout})
		if err != nil {
			t.Fatal(err)
		}
		pending := len(p.Pending) == 1
		if pending != test.pending {
			t.Errorf("%s: pending is %t, want %t", test.name, pending, test.pending)
			continue
		}
		if got := p.Lost(s.Running[0].ID); got != test.lost {
			t.Errorf("%s: lost is %t, want %t", test.name, got, test.lost)
		}
		started := n
		if pending {
			started++
			if got := p.Space.Decode(p.Pending[0]); !maps.Equal(got, complete) || !p.Tried.Covers(p.Pending[0]) || p.Tried.Finished().Covers(p.Pending[0]) {
				t.Errorf("%s: %v is pending; tried %t, by finished ones %t", test.name, got, p.Tried.Covers(p.Pending[0]), p.Tried.Finished().Covers(p.Pending[0]))
			}
		}
		if p.StartedWithValue() != started {
			t.Errorf("%s: %d trials started with a value, want %d", test.name, p.StartedWithValue(), started)
		}
	}
	// Nothing finished: nobody knows how long a trial takes.
	s := flat(0)
	s.run(t, noon.Add(-1000*time.Hour), complete, nil)
	if p := s.observe(t, s.next(nil), "k", "x"); len(p.Pending) != 1 {
		t.Error("where no trial has finished, one that runs is dead")
	}
	// Trials of no time at all: a minute is always granted.
	s = flat(n)
	for i := range s.Finished {
		s.Finished[i].DatetimeComplete = s.Finished[i].DatetimeStart.Add(time.Millisecond)
	}
	s.run(t, end.Add(-50*time.Second), complete, nil)
	s.run(t, end.Add(-70*time.Second), values{"k": 2, "x": 0.75}, nil)
	if p := s.observe(t, s.next(nil), "k"); len(p.Pending) != 1 || p.Space.Decode(p.Pending[0])["k"] != 1 {
		t.Errorf("%d trials pending, want that of less than a minute", len(p.Pending))
	}
	// Where all trials have failed nothing is known about time, nor where all were added.
	failed := s.Finished
	s.Finished = slices.Clone(failed)
	for i := range s.Finished {
		s.Finished[i].State, s.Finished[i].NoValue = goptuna.TrialStateFail, true
	}
	if p := s.observe(t, s.next(nil), "k"); len(p.Pending) != 2 {
		t.Errorf("%d trials pending, want both where all trials have failed", len(p.Pending))
	}
	s.Finished = slices.Clone(failed)
	for i := range s.Finished {
		s.Finished[i].DatetimeStart = s.Finished[i].DatetimeComplete
	}
	if p := s.observe(t, s.next(nil), "k"); len(p.Pending) != 2 {
		t.Errorf("%d trials pending, want both where all trials were added", len(p.Pending))
	}
	// A trial that failed after long, such as one that hung, is one that took long.
	s.Finished = slices.Clone(failed)
	s.Finished[n-1].State, s.Finished[n-1].NoValue = goptuna.TrialStateFail, true
	s.Finished[n-1].DatetimeStart = s.Finished[n-1].DatetimeComplete.Add(-time.Hour)
	if p := s.observe(t, s.next(nil), "k"); len(p.Pending) != 2 {
		t.Errorf("%d trials pending, want both where a trial failed after an hour", len(p.Pending))
	}
	s.Finished = failed
	// Centuries: one date is wrong.
	s.Finished[0].DatetimeStart = noon.AddDate(-100, 0, 0)
	if p := s.observe(t, s.next(nil), "k"); len(p.Pending) != 2 {
		t.Errorf("%d trials pending, want both where a trial took a century", len(p.Pending))
	}
	// Of trials without dates nothing is learned about time.
	for i := range s.Finished {
		s.Finished[i].DatetimeStart, s.Finished[i].DatetimeComplete = time.Time{}, end
	}
	if p := s.observe(t, s.next(nil), "k"); len(p.Pending) != 2 {
		t.Errorf("%d trials pending, want both where no trial says how long it took", len(p.Pending))
	}
}

// What others plan meanwhile is pending, too. The plans of those that ran before are among it,
// and count once.
func TestWithPlanned(t *testing.T) {
	s := flat(4)
	s.run(t, noon.Add(4*time.Minute), values{"k": 1, "x": 0.3125}, nil)
	p := s.observe(t, s.next(nil), "k", "x")
	later, ok := p.Point(values{"k": 2, "x": 0.75})
	if !ok || len(p.Pending) != 1 {
		t.Fatalf("%t, %v", ok, p.Pending)
	}
	q := p.WithPlanned([]fmkernel.Point{p.Pending[0], later, later})
	if len(q.Pending) != 2 || !q.Pending[0].Equal(p.Pending[0]) || !q.Pending[1].Equal(later) {
		t.Errorf("%v are pending, want %v and %v", q.Pending, p.Pending[0], later)
	}
	if !q.Tried.Covers(later) || p.Tried.Covers(later) || len(p.Pending) != 1 {
		t.Error("what others plan meanwhile is not in the new problem alone")
	}
}

// A running trial that was enqueued with all values has no plan: Goptuna answers it by
// itself. It counts all the same, however long it waited, until the trials that came
// after it show that it runs too long.
func TestRunningEnqueued(t *testing.T) {
	const n = 4 // trials of a minute
	end := noon.Add(n * time.Minute)
	complete, enqueued := values{"k": 1, "x": 0.3125}, `{"k": 1, "x": 0.3125}`
	for _, test := range []struct {
		name, enqueued string
		waitingSince   time.Time
		pending        bool
	}{
		{"at once", enqueued, end, true},
		{"behind the first trial", enqueued, noon.Add(-time.Hour), true},
		{"partly", `{"k": 1}`, end, false},
		{"with a choice that the parameter does not have", `{"k": 7, "x": 0.3125}`, end, false},
		{"with what cannot be read", "{", end, false},
		{"so long ago that six trials came after it", enqueued, noon.Add(-time.Hour), false},
	} {
		s := flat(n)
		if !test.pending && test.waitingSince.Before(noon) {
			for range 2 {
				s.add(complete, 1)
			}
		}
		s.run(t, test.waitingSince, nil, nil)
		s.Running[0].SystemAttrs["fixed_params"] = test.enqueued
		p := s.observe(t, s.next(nil), "k")
		if len(p.Pending) == 1 != test.pending {
			t.Errorf("enqueued %s: %d pending", test.name, len(p.Pending))
		} else if test.pending && (!maps.Equal(p.Space.Decode(p.Pending[0]), complete) || !p.Tried.Covers(p.Pending[0])) {
			t.Errorf("enqueued %s: %v is pending", test.name, p.Space.Decode(p.Pending[0]))
		}
	}
	// A trial that was added while it waited does not say that it had begun.
	s := flat(n)
	added := s.add(complete, 1)
	added.DatetimeStart = noon.Add(-50 * time.Minute)
	added.DatetimeComplete = added.DatetimeStart
	s.run(t, noon.Add(-time.Hour), nil, nil)
	s.Running[0].SystemAttrs["fixed_params"] = enqueued
	if p := s.observe(t, s.next(nil), "k"); len(p.Pending) != 1 {
		t.Error("a trial that has waited counts as one that runs, since another one was added meanwhile")
	}
	// Time in the queue is no time of evaluation: two minutes at most are the longest.
	s = flat(n)
	s.Finished[1].SystemAttrs["fixed_params"], s.Finished[1].DatetimeStart = enqueued, noon.Add(-5*time.Minute)
	s.run(t, end.Add(-11*time.Minute), complete, nil)
	if p := s.observe(t, s.next(nil), "k"); len(p.Pending) != 0 {
		t.Error("a trial counts that has run for eleven minutes, where no other took more than two beside its time in the queue")
	}
}

// What the trial was given stands, and what it was enqueued with, where its
// distribution has it.
func TestFixed(t *testing.T) {
	for _, test := range []struct {
		name     string
		has      values
		enqueued string
		want     values
		bad      bool
	}{
		{"nothing", nil, "", values{}, false},
		{"an answer", values{"k": 2}, "", values{"k": 2}, false},
		{"enqueued", nil, `{"x": 0.3, "k": 1}`, values{"x": 0.3, "k": 1}, false},
		{"both", values{"k": 2}, `{"x": 0.3, "k": 1}`, values{"x": 0.3, "k": 2}, false},
		{"outside", nil, `{"x": 3, "k": 1}`, values{"k": 1}, false},
		{"no such choice", nil, `{"x": 0.5, "k": 3}`, values{"x": 0.5}, false},
		{"of nothing known", nil, `{"other": 1}`, values{}, false},
		{"not to be read", values{"k": 2}, `{"x": `, values{"k": 2}, true},
		{"texts", nil, `{"x": "0.5"}`, values{}, true},
	} {
		s := flat(6)
		trial := s.next(test.has)
		if test.enqueued != "" {
			trial.SystemAttrs["fixed_params"] = test.enqueued
		}
		p := s.observe(t, trial, "k")
		if (p.BadFixed != nil) != test.bad {
			t.Errorf("%s: error %v", test.name, p.BadFixed)
		}
		if !test.bad && !maps.Equal(p.Fixed, test.want) {
			t.Errorf("%s: fixed are %v, want %v", test.name, p.Fixed, test.want)
		}
		for name, value := range p.Fixed {
			for _, r := range p.Regions {
				if taken, ok := r.Take(values{name: -1}); !ok || taken[name] != value {
					t.Errorf("%s: an open region takes %v, not %s = %v", test.name, taken, name, value)
				}
			}
		}
	}
}

// The values of a configuration are those that were fixed, to the last bit.
func TestValuesAsFixed(t *testing.T) {
	s := flat(6)
	s.distributions["x"] = goptuna.LogUniformDistribution{Low: 1e-9, High: 3}
	for i := range s.Finished {
		s.Finished[i].InternalParams["x"] += 1e-3
		s.Finished[i].Distributions["x"] = s.distributions["x"]
	}
	for i := range 200 {
		trial, x := s.next(nil), 1e-3*float64(i)+1e-7
		trial.SystemAttrs["fixed_params"] = fmt.Sprintf(`{"x": %v}`, x)
		p := s.observe(t, trial, "k")
		point, ok := p.Point(values{"k": 1, "x": x})
		if got := p.Values(point); !ok || got["x"] != x || got["k"] != 1 {
			t.Fatalf("values %v, %t, want x = %v", got, ok, x)
		}
		if _, ok := p.RegionOf(point); !ok {
			t.Fatalf("x = %v is in no open region", x)
		}
	}
	p := s.observe(t, s.next(nil), "k")
	if _, ok := p.Point(values{"k": 1}); ok {
		t.Error("a point without x")
	}
}

// Trials with values of earlier distributions stay observations where the values
// have a place; others are left out, and the first of them is named.
func TestEarlierDistributions(t *testing.T) {
	s := flat(6)
	s.distributions["k"] = goptuna.CategoricalDistribution{Choices: []string{"c", "d", "a"}} // b is gone
	s.distributions["x"] = goptuna.UniformDistribution{Low: 0.5, High: 0.5001}               // 0 is far away
	s.add(values{"k": 1, "x": 0.5}, 6)
	p := s.observe(t, s.next(nil), "k")
	// 0, 1/6, … are up to 5000 ranges away: x = 0.5 alone is near.
	if want := []float64{3, 6}; !slices.Equal(p.Y, want) {
		t.Errorf("observations %v, want %v", p.Y, want)
	}
	if len(p.Unusable) != 1 || p.Unusable["x"].Number != 0 {
		t.Errorf("unusable %v, want trial 0 for x", p.Unusable)
	}
	for i, x := range p.X {
		if got := p.Space.Decode(x)["k"]; got != []float64{2, 1}[i] { // a, d
			t.Errorf("observation %d has choice %v", i, got)
		}
	}
	s = flat(6)
	s.distributions["k"] = goptuna.CategoricalDistribution{Choices: []string{"c", "d", "a"}}
	p = s.observe(t, s.next(nil), "k")
	if len(p.X) != 6 || len(p.Unusable) != 0 {
		t.Errorf("%d observations, unusable %v, want all six", len(p.X), p.Unusable)
	}
	open := 0
	for i, x := range p.X {
		if _, ok := p.RegionOf(x); ok {
			open++
		} else if i%3 != 1 {
			t.Errorf("observation %d is in no open region", i)
		}
	}
	if open != 4 {
		t.Errorf("%d observations can be repeated, want the four without b", open)
	}
}

// Trials that gave no value are configurations where others have the same
// parameters. One that broke off is none.
func TestValueless(t *testing.T) {
	s := flat(6)
	s.fail(values{"k": 1, "x": 0.9})
	s.fail(values{"k": 1})
	p := s.observe(t, s.next(nil), "k")
	if len(p.Valueless) != 1 || !p.Valueless[0].Trial.Failed() || p.Valueless[0].Trial.Number != 6 {
		t.Fatalf("valueless %v, want trial 6", p.Valueless)
	}
	if len(p.X) != 6 || !p.Tried.Covers(p.Valueless[0].X) {
		t.Errorf("%d observations; the failure was tried: %t", len(p.X), p.Tried.Covers(p.Valueless[0].X))
	}
	if len(p.Regions) != 1 || p.Regions[0].Failures != 0 || len(p.Space.Groups()) != 0 {
		t.Errorf("%d regions, groups %v: what broke off made x optional", len(p.Regions), p.Space.Groups())
	}
	// Where all have failed, all are whole.
	s = flat(0)
	for i := range 4 {
		s.fail(values{"k": float64(i % 3), "x": float64(i) / 4})
	}
	if p := s.observe(t, s.next(nil), "k"); len(p.Valueless) != 4 || len(p.X) != 0 || p.StartedWithValue() != 0 {
		t.Errorf("%d valueless, %d observations, want 4 and none", len(p.Valueless), len(p.X))
	}
}

// A trial that failed before it asked for everything is the configuration that it was planned
// with, which was not tried. One that asked for nothing is none: its plan was not begun.
func TestPlannedValues(t *testing.T) {
	planned := values{"k": 1, "x": 0.25}
	for _, test := range []struct {
		name  string
		asked values
		want  int
	}{{"k alone", values{"k": 1}, 1}, {"nothing", nil, 0}} {
		s := flat(10)
		s.fail(test.asked).SystemAttrs = s.planned(t, planned, nil)
		p := s.observe(t, s.next(nil), "k", "x")
		if len(p.Valueless) != test.want {
			t.Errorf("%s: %d configurations without a value, want %d", test.name, len(p.Valueless), test.want)
		}
		for _, v := range p.Valueless {
			if got := p.Values(v.X); !maps.Equal(got, planned) {
				t.Errorf("%s: the configuration is %v, want %v", test.name, got, planned)
			}
		}
		if x, ok := p.Point(planned); !ok || p.Tried.Covers(x) {
			t.Errorf("%s: the plan counts as tried", test.name)
		}
	}
}

// The parameter that cannot be made is an error if the trial asks for it, and has no answer
// yet: Goptuna answers by itself what a trial was enqueued with.
func TestErrorOfParameter(t *testing.T) {
	s := flat(6)
	broken := errors.New("no graph")
	o := observe.Settings{NewParam: func(name string, distribution any, earlier ...any) (p *spaceParam, err error) {
		if name == "x" {
			return nil, broken
		}
		return settings.NewParam(name, distribution, earlier...)
	}}
	if _, err := observe.Observe(&s.History, s.asking(s.next(nil), "x"), o); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of x", err)
	}
	p, err := observe.Observe(&s.History, s.asking(s.next(nil), "k"), o)
	if err != nil || len(p.Space.Params()) != 1 || len(p.X) != 6 {
		t.Errorf("asked for k, %v", err)
	}
	p, err = observe.Observe(&s.History, s.asking(s.next(values{"x": 0.5}), "k"), o)
	if err != nil || len(p.Space.Params()) != 1 {
		t.Errorf("asked for k after x, %v", err)
	}
}

// Two observations of a history are equal, and one of many trials uses the latest
// distributions.
func TestObserveIsAFunction(t *testing.T) {
	s := switched(30)
	s.fail(values{"k": 1, "y": 3})
	s.run(t, noon.Add(30*time.Minute), values{"k": 2}, nil)
	trial := s.next(nil)
	a, b := s.observe(t, trial, "k"), s.observe(t, trial, "k")
	if fmt.Sprint(a.X, a.Y, a.Pending, a.Fixed, active(a)) != fmt.Sprint(b.X, b.Y, b.Pending, b.Fixed, active(b)) {
		t.Error("two observations of one history differ")
	}
}

// LastFit is that of the latest trial with one, or of a running one that saw more.
func TestLastFit(t *testing.T) {
	s := flat(6)
	if fit := s.observe(t, s.next(nil), "k").LastFit(""); fit != nil {
		t.Errorf("last fit %+v of none", fit)
	}
	end := noon.Add(6 * time.Minute)
	set := func(of *history.Trial, kernel string, trials int) {
		s := flat(6)
		s.run(t, end, values{"k": 1, "x": 0.5}, fitOf(kernel, trials))
		of.SystemAttrs = s.Running[0].SystemAttrs
	}
	set(&s.Finished[2], "", 2)
	set(&s.Finished[3], "", 1) // of a trial that waited
	set(&s.Finished[4], "other", 9)
	for _, test := range []struct {
		kernel string
		want   int
	}{{"", 1}, {"other", 9}, {"third", 0}} {
		fit := s.observe(t, s.next(nil), "k").LastFit(test.kernel)
		if (fit == nil) != (test.want == 0) || fit != nil && fit.Trials != test.want {
			t.Errorf("kernel %q: last fit %+v, want that to %d trials", test.kernel, fit, test.want)
		}
	}
	s.run(t, end, values{"k": 1, "x": 0.5}, fitOf("", 5))
	s.run(t, end, values{"k": 2, "x": 0.5}, fitOf("", 4))
	s.run(t, end.Add(-time.Hour), values{"k": 2, "x": 0.5}, fitOf("", 77))
	if fit := s.observe(t, s.next(nil), "k").LastFit(""); fit == nil || fit.Trials != 5 {
		t.Errorf("last fit %+v, want that of the running trial that saw five, not of a dead worker", fit)
	}
}
