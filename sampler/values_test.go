package sampler_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Every value of a grid comes up during start-up, both ends included where
// Goptuna's Contains includes them.
func TestAllValuesComeUp(t *testing.T) {
	fmtest.Sequential(t)
	steps := func(low, step float64, n int) (values []float64) {
		for i := range n {
			values = append(values, low+float64(i)*step)
		}
		return values
	}
	for _, test := range []struct {
		name         string
		distribution any
		want         []float64
		why          string
	}{
		{"two ints", goptuna.IntUniformDistribution{Low: 5, High: 6}, []float64{5, 6}, "both ends"},
		{"ints on a path", goptuna.IntUniformDistribution{Low: -3, High: 3}, steps(-3, 1, 7), "both ends"},
		{"ints on a dimension", goptuna.IntUniformDistribution{Low: -15, High: 16}, steps(-15, 1, 32), "both ends"},
		{"step int, high on the grid", goptuna.StepIntUniformDistribution{Low: 0, High: 10, Step: 5}, []float64{0, 5}, "Contains excludes High"},
		{"step int, high off the grid", goptuna.StepIntUniformDistribution{Low: 0, High: 11, Step: 5}, []float64{0, 5, 10}, "10 < 11"},
		{"step int, unit step", goptuna.StepIntUniformDistribution{Low: 1, High: 33, Step: 1}, steps(1, 1, 32), "33 is High"},
		{"step int, just two", goptuna.StepIntUniformDistribution{Low: 0, High: 6, Step: 5}, []float64{0, 5}, "5 < 6"},
		{"floats on a path", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.25}, steps(0, 0.25, 5), "both ends"},
		{"floats that round", goptuna.DiscreteUniformDistribution{Low: 0, High: 0.7, Q: 0.1}, steps(0, 0.1, 8), "0.7/0.1 < 7, and 0.7 is meant"},
		{"floats, high off the grid", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.4}, []float64{0, 0.4, 0.8}, "1 is no multiple"},
		{"floats on a dimension", goptuna.DiscreteUniformDistribution{Low: -1, High: 0.9375, Q: 0.0625}, steps(-1, 0.0625, 32), "both ends"},
		{"choices", goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}}, steps(0, 1, 3), "all"},
		{"numbers on a path", goptuna.CategoricalDistribution{Choices: []string{"16", "4", "8"}}, steps(0, 1, 3), "all"},
	} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(1000)))
		seen := map[float64]bool{}
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			// The second parameter keeps the space from being exhausted.
			_, err := fmtest.Suggest(&trial, fmtest.Param{Name: "x", Distribution: test.distribution}, fmtest.Param{Name: "free", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}})
			return 0, err
		}, 64)
		for _, trial := range fmtest.TrialsOf(t, study) {
			seen[trial.InternalParams["x"]] = true
		}
		got := slices.Sorted(maps.Keys(seen))
		if !slices.EqualFunc(got, test.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s: got %v, want %v (%s)", test.name, got, test.want, test.why)
		}
	}
}

// The model finds an optimum at either end.
func TestEndsAreReached(t *testing.T) {
	fmtest.Sequential(t)
	for _, p := range []fmtest.Param{
		{Name: "int", Distribution: goptuna.IntUniformDistribution{Low: -4, High: 4}},
		{Name: "wide int", Distribution: goptuna.IntUniformDistribution{Low: -400, High: 400}},
		{Name: "step int", Distribution: goptuna.StepIntUniformDistribution{Low: 0, High: 1000, Step: 7}},
		{Name: "float", Distribution: goptuna.UniformDistribution{Low: -1, High: 3}},
		{Name: "log float", Distribution: goptuna.LogUniformDistribution{Low: 1e-3, High: 1e3}},
		{Name: "discrete float", Distribution: goptuna.DiscreteUniformDistribution{Low: -1, High: 1, Q: 0.2}},
		{Name: "fine discrete float", Distribution: goptuna.DiscreteUniformDistribution{Low: -1, High: 1, Q: 0.001}},
		{Name: "numbers", Distribution: goptuna.CategoricalDistribution{Choices: []string{"1", "2", "4", "8", "16"}}},
	} {
		low, high := map[string]float64{
			"int": -4, "wide int": -400, "step int": 0, "float": -1, "log float": 1e-3,
			"discrete float": -1, "fine discrete float": -1, "numbers": 0,
		}[p.Name], map[string]float64{
			"int": 4, "wide int": 400, "step int": 994, "float": 3, "log float": 1e3,
			"discrete float": 1, "fine discrete float": 1, "numbers": 4,
		}[p.Name]
		for _, direction := range []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize} {
			want := low
			if direction == goptuna.StudyDirectionMaximize {
				want = high
			}
			study := fmtest.NewStudy(t, fmtest.Seeded(t, 2), goptuna.StudyOptionDirection(direction))
			fmtest.Optimize(t, study, fmtest.Ask([]fmtest.Param{p}, func(x map[string]float64) float64 { return x[p.Name] }), 25)
			if got, err := study.GetBestValue(); err != nil || math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s: %s found %v, %v; want %v", p.Name, direction, got, err, want)
			}
		}
	}
}

// Parameters with one value get it, alone or beside others, and cost nothing.
func TestSingleValues(t *testing.T) {
	fmtest.Sequential(t)
	params, check := fmtest.Singles(t)
	storage := &fmtest.Counting{Storage: goptuna.NewInMemoryStorage()}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 3), goptuna.StudyOptionStorage(storage))
	fmtest.Optimize(t, study, fmtest.Ask(params, check), 12)
	if n := storage.Writes.Load(); n > 0 {
		t.Errorf("%d plans were stored for constants", n)
	}
	fmtest.Optimize(t, study, fmtest.Ask(append(fmtest.Mixed(), params...), check), 20)
	fmtest.Optimize(t, fmtest.NewStudy(t, fmtest.Seeded(t, 3)), fmtest.Ask(append(params, fmtest.Mixed()...), check), 15)
}

// Whatever the size of its values and the number of its dimensions, a study of
// one kind of parameters works.
func TestSpacesOfOneKind(t *testing.T) {
	fmtest.Sequential(t)
	for _, one := range fmtest.Mixed() {
		for _, n := range []int{1, 4} {
			var params []fmtest.Param
			for i := range n {
				params = append(params, fmtest.Param{Name: fmt.Sprint("x", i), Distribution: one.Distribution})
			}
			log := &fmtest.Recorder{}
			study := fmtest.NewStudy(t, fmtest.Seeded(t, 4), goptuna.StudyOptionLogger(log))
			fmtest.Optimize(t, study, fmtest.Ask(params, func(x map[string]float64) (sum float64) {
				for _, v := range x {
					sum += sq(v - 1)
				}
				return sum
			}), 30)
			finite := 0
			if _, graph := one.Distribution.(goptuna.UniformDistribution); !graph && n == 1 && one.Name != "rate" && one.Name != "units" {
				finite = 1 // fewer values than trials: the log says so
			}
			log.Check(t, finite, "every configuration")
		}
	}
}
