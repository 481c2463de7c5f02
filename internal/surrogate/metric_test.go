package surrogate_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// threeFloats returns a study of them without trials.
func threeFloats(seed uint64) *study {
	s := &study{rng: rand.New(rand.NewPCG(seed, 43)), distributions: map[string]any{}}
	for _, name := range []string{"x", "y", "z"} {
		s.distributions[name] = goptuna.UniformDistribution{Low: 0, High: 1}
	}
	s.draw = func() values {
		return values{"x": s.rng.Float64(), "y": s.rng.Float64(), "z": s.rng.Float64()}
	}
	return s
}

// sum returns an objective that adds up a function of each float.
func sum(f func(x float64) float64) func(values) float64 {
	return func(x values) float64 {
		return f(x["x"]) + f(x["y"])/2 + f(x["z"])/4
	}
}

var (
	bowl  = sum(func(x float64) float64 { return sq(x - 0.4) })
	waves = sum(func(x float64) float64 { return math.Sin(6 * x) })
	steps = func(x values) float64 {
		return math.Round(x["x"]+0.1) + math.Round(x["y"]+0.1) + math.Round(x["z"]+0.1)
	}
)

// names are those of the kernels by metric.
var names = map[string]string{"": "saturated ModLap", "squared": "ModLap", "weighted": "weighted ModLap", "rough": "rough ModLap"}

// The metric is the one with which the values are more probable, from 15 observations on. It is the
// paper's below that, up to 20 where no other one is more probable, and where the fit is that of
// its implementation.
func TestMetric(t *testing.T) {
	const studies = 5
	reference := plain
	reference.ReferenceFit = true
	for _, test := range []struct {
		name      string
		objective func(values) float64
		settings  surrogate.Settings
		trials    int
		metric    string
		kernel    string
		least     int // studies with both
	}{
		{"bowl", bowl, plain, 40, "", names[""], studies},
		{"waves", waves, plain, 40, "weighted", names["weighted"], 4},
		{"steps", steps, plain, 60, "rough", names["rough"], 4},
		{"few observations", waves, plain, 14, "squared", names["squared"], studies},
		{"enough to decide", waves, plain, 15, "weighted", names["weighted"], 4},
		{"too few to extrapolate", bowl, plain, 19, "squared", names["squared"], 4},
		{"enough to extrapolate", bowl, plain, 20, "", names[""], studies},
		{"the reference fit", waves, reference, 40, "", "ModLap", studies},
	} {
		found := 0
		for seed := range uint64(studies) {
			s := threeFloats(seed)
			s.add(test.trials, test.objective)
			m := fit(t, s.observe(t), test.settings, &surrogate.Cache{})
			if m.Fit.Metric == test.metric {
				found++
				if got := m.Kernel().String(); got != test.kernel {
					t.Errorf("%s: the kernel is %q, want %q", test.name, got, test.kernel)
				}
			}
		}
		t.Logf("%s: %q in %d studies of %d", test.name, test.metric, found, studies)
		if found < test.least {
			t.Errorf("%s: %q in %d studies of %d", test.name, test.metric, found, studies)
		}
	}
}

// Beside a parameter that not all trials have, few observations have the metric of many.
func TestMetricOfFewConditional(t *testing.T) {
	s := threeFloats(1)
	for i := range 14 {
		x := s.draw()
		y := bowl(x)
		trial := s.finish(x, goptuna.TrialStateComplete, y)
		if i%2 == 0 {
			trial.Distributions = maps.Clone(trial.Distributions)
			delete(trial.Distributions, "z")
			delete(trial.InternalParams, "z")
		}
	}
	if got := fit(t, s.observe(t), plain, &surrogate.Cache{}).Fit.Metric; got != "" {
		t.Errorf("the metric is %q", got)
	}
}

// The kernel stands as long as the fit; the next one may have another. A metric that a later
// version has stored is the default here.
func TestMetricStands(t *testing.T) {
	s := threeFloats(1)
	s.add(60, steps)
	first := fit(t, s.observe(t), plain, &surrogate.Cache{})
	if first.Fit.Metric != "rough" {
		t.Fatal("steps are not rough")
	}
	s.keep(t, first.Fit)
	s.add(1, bowl)
	if next := fit(t, s.observe(t), plain, &surrogate.Cache{}); next.IsNew || next.Fit.Metric != "rough" || next.Kernel().String() != first.Kernel().String() {
		t.Errorf("between two fits the kernel is %v, new %t, want %v", next.Kernel(), next.IsNew, first.Kernel())
	}
	other := threeFloats(2)
	other.add(30, bowl)
	other.keep(t, first.Fit)
	other.add(20, bowl)
	if next := fit(t, other.observe(t), plain, &surrogate.Cache{}); !next.IsNew || next.Fit.Metric == "rough" {
		t.Errorf("of a smooth function the kernel is %v, new %t", next.Kernel(), next.IsNew)
	}
	unknown := *first.Fit
	unknown.Metric = "of tomorrow"
	later := threeFloats(1)
	later.add(60, steps)
	later.keep(t, &unknown)
	later.add(1, bowl)
	if next := fit(t, later.observe(t), plain, &surrogate.Cache{}); next.IsNew || next.Fit.Metric != "" || next.Kernel().String() != names[""] {
		t.Errorf("the kernel is %v, new %t", next.Kernel(), next.IsNew)
	}
}
