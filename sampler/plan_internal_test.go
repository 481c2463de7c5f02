package sampler

import (
	"maps"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// The start-up ends when enough trials have a value, or run: a few have to have one, but no
// more than the user wants, and not all the same. With a limit those beyond it count, too.
func TestStartsUp(t *testing.T) {
	for _, test := range []struct {
		name                            string
		wanted, running, values, beyond int
		equal                           bool
		want                            bool
	}{
		{"too few", 10, 0, 9, 0, false, true},
		{"enough", 10, 0, 10, 0, false, false},
		{"enough by default", 0, 0, 10, 0, false, false},
		{"enough with what runs", 10, 6, 4, 0, false, false},
		{"most of it runs", 10, 8, 3, 0, false, true},
		{"two are wanted", 2, 0, 2, 0, false, false},
		{"all are equal", 10, 0, 12, 0, true, true},
		{"nine with those beyond the limit", 10, 0, 1, 8, false, true},
		{"ten with those beyond the limit", 10, 0, 1, 9, false, false},
		{"six with those beyond the limit, by default", 0, 0, 1, 5, false, false},
		{"all that are within the limit are equal", 10, 0, 6, 6, true, false},
		{"most of it runs, with a limit", 10, 8, 1, 2, false, true},
	} {
		var trials []finishedTrial
		for i := range test.values + test.beyond {
			y := float64(i)
			if test.equal {
				y = 1
			}
			if i >= test.values {
				y = math.NaN()
			}
			trials = append(trials, finishedTrial{map[string]float64{"x": float64(i) / 12}, y})
		}
		var violation func(values map[string]float64) float64
		if test.beyond > 0 {
			violation = func(values map[string]float64) float64 { return values["x"] - (float64(test.values)-0.5)/12 }
		}
		p := limitedAfter(t, map[string]any{"x": unit}, trials, len(trials)+test.running, violation)
		p.Pending = make([]fmkernel.Point, test.running)
		s := NewSampler()
		s.startupTrials = test.wanted
		if got := s.startsUp(p); got != test.want {
			t.Errorf("%s: starts up %t, want %t", test.name, got, test.want)
		}
	}
}

// While the model predicts no better than the mean, trials fill the space as in the start-up.
func TestUnskilled(t *testing.T) {
	for name, test := range map[string]struct {
		y    func(i int, x float64) float64
		want bool
	}{
		"a bowl":         {func(_ int, x float64) float64 { return math.Pow(x-0.3, 2) }, false},
		"random numbers": {func(i int, _ float64) float64 { return math.Mod(7919*math.Sin(float64(i)), 1) }, true},
	} {
		var trials []finishedTrial
		for i := range 14 {
			x := math.Mod(0.618*float64(i), 1)
			trials = append(trials, finishedTrial{map[string]float64{"x": x}, test.y(i, x)})
		}
		p := problemAfter(t, map[string]any{"x": unit}, trials, len(trials))
		study, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		pl := NewSampler(SamplerOptionSeed(1)).planner(p, &surrogate.Cache{}, logger{study, map[string]bool{}})
		fill := startup(p, pl.random, newFailures(p).probability)
		if got := maps.Equal(pl.suggest(p).values, fill.values); got != test.want {
			t.Errorf("%s: fills the space %t, want %t", name, got, test.want)
		}
	}
}

// Where the model knows nothing of values, but where trials are within a limit, or have a value,
// they fill that part of the space: two opposite quarters, which no parameter tells by itself.
func TestUnskilledFillsFeasible(t *testing.T) {
	const trials, next = 40, 20
	beyond := func(values map[string]float64) float64 { return (values["x"] - 0.5) * (values["y"] - 0.5) }
	for name, violation := range map[string]func(values map[string]float64) float64{"a limit": beyond, "failures": nil} {
		var finished []finishedTrial
		for i := range trials {
			values, y := map[string]float64{"x": math.Mod(0.755*float64(i), 1), "y": math.Mod(0.57*float64(i), 1)}, float64(i)
			if violation == nil && beyond(values) > 0 {
				y = math.NaN()
			}
			finished = append(finished, finishedTrial{values, y})
		}
		study, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		feasible := 0
		for k := range next {
			p := limitedAfter(t, map[string]any{"x": unit, "y": unit}, finished, trials+k, violation)
			pl := NewSampler(SamplerOptionSeed(1)).planner(p, &surrogate.Cache{}, logger{study, map[string]bool{}})
			pl.unskilled = true
			if beyond(pl.suggest(p).values) <= 0 {
				feasible++
			}
		}
		if feasible < 17 {
			t.Errorf("%s: %d of %d trials are feasible, want 17 at least", name, feasible, next)
		}
	}
}

// While no trial is feasible, values are violations: a model that predicts them no better than
// the mean does not know the limits either.
func TestUnskilledInfeasible(t *testing.T) {
	var trials []finishedTrial
	for i := range 14 {
		trials = append(trials, finishedTrial{map[string]float64{"x": math.Mod(0.618*float64(i), 1)}, float64(i)})
	}
	study, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	p := limitedAfter(t, map[string]any{"x": unit}, trials, len(trials), func(values map[string]float64) float64 { return 0.2 + math.Abs(math.Sin(1000*values["x"])) })
	pl := NewSampler(SamplerOptionSeed(1)).planner(p, &surrogate.Cache{}, logger{study, map[string]bool{}})
	pl.unskilled = true
	fill := startup(p, pl.random, newFailures(p).probability)
	if got := pl.suggest(p).values; pl.model == nil || !maps.Equal(got, fill.values) {
		t.Errorf("suggests %v, want %v, which fills the space", got, fill.values)
	}
}
