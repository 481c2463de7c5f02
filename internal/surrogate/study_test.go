package surrogate_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

type values = map[string]float64

var distributions = map[string]any{
	"u": goptuna.UniformDistribution{Low: 0, High: 1}, "v": goptuna.LogUniformDistribution{Low: 1e-3, High: 1},
	"k": goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}},
}

// smooth is an objective without noise.
func smooth(x values) float64 {
	v := math.Log10(x["v"])
	return (x["u"]-0.3)*(x["u"]-0.3) + (v+2)*(v+2)/9 + 0.2*x["k"]
}

// study is a history whose trials have random values.
type study struct {
	history.History
	rng           *rand.Rand
	distributions map[string]any
	draw          func() values
}

func newStudy(n int, objective func(values) float64) *study {
	s := &study{rng: rand.New(rand.NewPCG(1, 40)), distributions: distributions}
	s.draw = s.drawSmooth
	s.add(n, objective)
	return s
}

// drawSmooth returns random values for smooth.
func (s *study) drawSmooth() values {
	return values{"u": s.rng.Float64(), "v": math.Pow(10, -3*s.rng.Float64()), "k": float64(s.rng.IntN(3))}
}

// add adds n trials with a value.
func (s *study) add(n int, objective func(values) float64) {
	for range n {
		x := s.draw()
		s.finish(x, goptuna.TrialStateComplete, objective(x))
	}
}

// finish adds a trial that has ended.
func (s *study) finish(x values, state goptuna.TrialState, y float64) *history.Trial {
	start := time.Date(2026, 3, 1, 12, len(s.Finished), 0, 0, time.UTC)
	s.Finished = append(s.Finished, history.Trial{
		FrozenTrial: goptuna.FrozenTrial{
			ID: len(s.Finished) + 1, Number: len(s.Finished), State: state, Value: y,
			DatetimeStart: start, DatetimeComplete: start.Add(time.Minute),
			InternalParams: x, Distributions: s.distributions, SystemAttrs: map[string]string{},
		},
		Y: y, NoValue: state != goptuna.TrialStateComplete,
	})
	if state == goptuna.TrialStateComplete {
		s.Observations++
	}
	return &s.Finished[len(s.Finished)-1]
}

// keep stores a fit with the last trial.
func (s *study) keep(t *testing.T, fit *plan.Fit) {
	t.Helper()
	s.Finished[len(s.Finished)-1].SystemAttrs = fmtest.Attributes(t, (&plan.Plan{Fit: fit}).Store)
}

// run adds a running trial with the values.
func (s *study) run(t *testing.T, x values) {
	t.Helper()
	p := &plan.Plan{Values: map[string]plan.Value{}}
	for name, value := range x {
		param, err := space.NewParam(name, s.distributions[name], nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Values[name] = plan.Value{Value: value, Fingerprint: param.Fingerprint}
	}
	s.Running = append(s.Running, history.Trial{FrozenTrial: goptuna.FrozenTrial{
		ID: 500 + len(s.Running), Number: 500 + len(s.Running), SystemAttrs: fmtest.Attributes(t, p.Store),
		DatetimeStart: s.Finished[len(s.Finished)-1].DatetimeComplete,
	}})
}

// observe returns the problem of the next trial, which has always the same number:
// random numbers follow it.
func (s *study) observe(t *testing.T) *observe.Problem {
	t.Helper()
	trial := goptuna.FrozenTrial{ID: 1000, Number: 1000, DatetimeStart: s.Finished[len(s.Finished)-1].DatetimeComplete, Distributions: s.distributions}
	p, err := observe.Observe(&s.History, trial, observe.Settings{NewParam: func(name string, d any, earlier ...any) (*space.Param, error) {
		return space.NewParam(name, d, nil, earlier...)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var plain = surrogate.Settings{Kernel: fmkernel.NewModLap, Seed: 1, ModelTrials: 1000}

// fit fits; a warning fails the test.
func fit(t *testing.T, p *observe.Problem, s surrogate.Settings, cache *surrogate.Cache) *surrogate.Surrogate {
	t.Helper()
	m, err := surrogate.Fit(p, s, cache, func(kind string, fields ...any) { t.Errorf("warned: %s %v", kind, fields) })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// points returns random points of the problem.
func points(t *testing.T, s *study, p *observe.Problem, n int) []fmkernel.Point {
	t.Helper()
	var xs []fmkernel.Point
	for range n {
		x, ok := p.Point(s.draw())
		if !ok {
			t.Fatal("no point")
		}
		xs = append(xs, x)
	}
	return xs
}
