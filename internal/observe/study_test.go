package observe_test

import (
	"maps"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// noon is when studies of tests start. A trial a minute follows.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var (
	unit    = goptuna.UniformDistribution{Low: 0, High: 1}
	choices = goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}}
)

// study is a history that tests write.
type study struct {
	distributions map[string]any
	history.History
}

// add adds a trial of a minute, which finishes with the value.
func (s *study) add(values map[string]float64, y float64) *history.Trial {
	n := len(s.Finished)
	distributions := map[string]any{}
	for name := range values {
		distributions[name] = s.distributions[name]
	}
	start := noon.Add(time.Duration(n) * time.Minute)
	s.Finished = append(s.Finished, history.Trial{
		FrozenTrial: goptuna.FrozenTrial{
			ID: n + 1, Number: n, State: goptuna.TrialStateComplete, Value: y,
			DatetimeStart: start, DatetimeComplete: start.Add(time.Minute),
			InternalParams: values, Distributions: distributions, SystemAttrs: map[string]string{},
		},
		Y: y,
	})
	s.Observations++
	return &s.Finished[n]
}

// fail adds a trial that fails.
func (s *study) fail(values map[string]float64) *history.Trial {
	t := s.add(values, 0)
	t.State, t.NoValue = goptuna.TrialStateFail, true
	s.Observations--
	return t
}

// prune adds a trial that is pruned.
func (s *study) prune(values map[string]float64) { s.fail(values).State = goptuna.TrialStatePruned }

// run adds a trial that another worker evaluates since a time, with a plan of the
// values.
func (s *study) run(t *testing.T, since time.Time, values map[string]float64, fit *plan.Fit) {
	t.Helper()
	n := len(s.Finished) + len(s.Running)
	s.Running = append(s.Running, history.Trial{FrozenTrial: goptuna.FrozenTrial{
		ID: n + 1, Number: n, DatetimeStart: since, SystemAttrs: s.planned(t, values, fit),
	}})
}

// planned returns the attributes of a trial with a plan of the values.
func (s *study) planned(t *testing.T, values map[string]float64, fit *plan.Fit) map[string]string {
	t.Helper()
	p := &plan.Plan{Values: map[string]plan.Value{}, Fit: fit}
	for name, value := range values {
		p.Values[name] = plan.Value{Value: value, Fingerprint: newParam(t, name, s.distributions[name]).Fingerprint}
	}
	return fmtest.Attributes(t, p.Store)
}

func newParam(t *testing.T, name string, distribution any) *space.Param {
	t.Helper()
	p, err := space.NewParam(name, distribution, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// next returns the trial that observes: it has the values already, and starts when
// the last one has finished.
func (s *study) next(values map[string]float64) goptuna.FrozenTrial {
	distributions := map[string]any{}
	for name := range values {
		distributions[name] = s.distributions[name]
	}
	return goptuna.FrozenTrial{
		ID: 1000, Number: len(s.Finished) + len(s.Running), State: goptuna.TrialStateRunning,
		DatetimeStart:  noon.Add(time.Duration(len(s.Finished)) * time.Minute),
		InternalParams: values, Distributions: distributions, SystemAttrs: map[string]string{},
	}
}

// asking returns the trial, which asks for the names, too.
func (s *study) asking(trial goptuna.FrozenTrial, names ...string) goptuna.FrozenTrial {
	trial.Distributions = maps.Clone(trial.Distributions)
	for _, name := range names {
		trial.Distributions[name] = s.distributions[name]
	}
	return trial
}

// observe returns the problem of a trial that asks for the names.
func (s *study) observe(t *testing.T, trial goptuna.FrozenTrial, names ...string) *observe.Problem {
	t.Helper()
	p, err := observe.Observe(&s.History, s.asking(trial, names...), settings)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Regions) == 0 {
		t.Fatal("no regions")
	}
	return p
}

var settings = observe.Settings{NewParam: func(name string, distribution any, earlier ...any) (*space.Param, error) {
	return space.NewParam(name, distribution, nil, earlier...)
}}

// active returns the parameters of the open regions, by region.
func active(p *observe.Problem) [][]string {
	var all [][]string
	for _, r := range p.Regions {
		var names []string
		for _, param := range p.Space.Params() {
			if r.Active(param) {
				names = append(names, param.Name)
			}
		}
		all = append(all, names)
	}
	return all
}
