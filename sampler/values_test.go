package sampler_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Every value of a grid comes up during start-up, both ends included where
// Goptuna's Contains includes them.
func TestAllValuesComeUp(t *testing.T) {
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
		study := newStudy(t, seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(1000)))
		seen := map[float64]bool{}
		optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			// The second parameter keeps the space from being exhausted.
			_, err := suggest(&trial, param{"x", test.distribution}, param{"free", goptuna.UniformDistribution{Low: 0, High: 1}})
			return 0, err
		}, 64)
		for _, trial := range trialsOf(t, study) {
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
	for _, p := range []param{
		{"int", goptuna.IntUniformDistribution{Low: -4, High: 4}},
		{"wide int", goptuna.IntUniformDistribution{Low: -400, High: 400}},
		{"step int", goptuna.StepIntUniformDistribution{Low: 0, High: 1000, Step: 7}},
		{"float", goptuna.UniformDistribution{Low: -1, High: 3}},
		{"log float", goptuna.LogUniformDistribution{Low: 1e-3, High: 1e3}},
		{"discrete float", goptuna.DiscreteUniformDistribution{Low: -1, High: 1, Q: 0.2}},
		{"fine discrete float", goptuna.DiscreteUniformDistribution{Low: -1, High: 1, Q: 0.001}},
		{"numbers", goptuna.CategoricalDistribution{Choices: []string{"1", "2", "4", "8", "16"}}},
	} {
		low, high := map[string]float64{
			"int": -4, "wide int": -400, "step int": 0, "float": -1, "log float": 1e-3,
			"discrete float": -1, "fine discrete float": -1, "numbers": 0,
		}[p.name], map[string]float64{
			"int": 4, "wide int": 400, "step int": 994, "float": 3, "log float": 1e3,
			"discrete float": 1, "fine discrete float": 1, "numbers": 4,
		}[p.name]
		for _, direction := range []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize} {
			want := low
			if direction == goptuna.StudyDirectionMaximize {
				want = high
			}
			study := newStudy(t, seeded(t, 2), goptuna.StudyOptionDirection(direction))
			optimize(t, study, ask([]param{p}, func(x map[string]float64) float64 { return x[p.name] }), 25)
			if got, err := study.GetBestValue(); err != nil || math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s: %s found %v, %v; want %v", p.name, direction, got, err, want)
			}
		}
	}
}

// Parameters with one value get it, alone or beside others, and cost nothing.
func TestSingleValues(t *testing.T) {
	singles := []struct {
		param
		want float64
	}{
		{param{"float", goptuna.UniformDistribution{Low: 0.3, High: 0.3}}, 0.3},
		{param{"log", goptuna.LogUniformDistribution{Low: 1e-7, High: 1e-7}}, 1e-7},
		{param{"int", goptuna.IntUniformDistribution{Low: -2, High: -2}}, -2},
		{param{"step int", goptuna.StepIntUniformDistribution{Low: 4, High: 4, Step: 2}}, 4},
		{param{"step beyond", goptuna.StepIntUniformDistribution{Low: 4, High: 6, Step: 5}}, 4},
		{param{"step to the end", goptuna.StepIntUniformDistribution{Low: 0, High: 5, Step: 5}}, 0},
		{param{"discrete", goptuna.DiscreteUniformDistribution{Low: 0.5, High: 0.5, Q: 0.1}}, 0.5},
		{param{"wide q", goptuna.DiscreteUniformDistribution{Low: 0.5, High: 0.55, Q: 0.1}}, 0.5},
		{param{"choice", goptuna.CategoricalDistribution{Choices: []string{"only"}}}, 0},
	}
	check := func(x map[string]float64) float64 {
		for _, single := range singles {
			if x[single.name] != single.want {
				t.Errorf("%s = %v, want %v", single.name, x[single.name], single.want)
			}
		}
		return x["dropout"]
	}
	var params []param
	for _, single := range singles {
		params = append(params, single.param)
	}
	storage := &counting{Storage: goptuna.NewInMemoryStorage()}
	study := newStudy(t, seeded(t, 3), goptuna.StudyOptionStorage(storage))
	optimize(t, study, ask(params, check), 12)
	if n := storage.writes.Load(); n > 0 {
		t.Errorf("%d plans were stored for constants", n)
	}
	optimize(t, study, ask(append(mixed(), params...), check), 20)
	optimize(t, newStudy(t, seeded(t, 3), onSQLite(t)), ask(append(params, mixed()...), check), 15)
}

// Whatever the size of its values and the number of its dimensions, a study of
// one kind of parameters works.
func TestSpacesOfOneKind(t *testing.T) {
	for _, one := range mixed() {
		for _, n := range []int{1, 4} {
			var params []param
			for i := range n {
				params = append(params, param{fmt.Sprint("x", i), one.distribution})
			}
			log := &recorder{}
			study := newStudy(t, seeded(t, 4), goptuna.StudyOptionLogger(log))
			optimize(t, study, ask(params, func(x map[string]float64) (sum float64) {
				for _, v := range x {
					sum += sq(v - 1)
				}
				return sum
			}), 30)
			finite := 0
			if _, graph := one.distribution.(goptuna.UniformDistribution); !graph && n == 1 && one.name != "rate" && one.name != "units" {
				finite = 1 // fewer values than trials: the log says so
			}
			log.check(t, finite, "every configuration")
		}
	}
}
