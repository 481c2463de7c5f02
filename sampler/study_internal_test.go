package sampler

import (
	"errors"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// finishedTrial is one with a value, or failed if that is NaN.
type finishedTrial struct {
	values map[string]float64 // in Goptuna's representation
	y      float64
}

// problemAfter returns the problem of trial number n after others, whose parameters have
// these distributions.
func problemAfter(t *testing.T, distributions map[string]any, trials []finishedTrial, n int) *observe.Problem {
	t.Helper()
	return limitedAfter(t, distributions, trials, n, nil)
}

// limitedAfter is problemAfter where each trial has measured by how much it violates a
// constraint.
func limitedAfter(t *testing.T, distributions map[string]any, trials []finishedTrial, n int, violation func(values map[string]float64) float64) *observe.Problem {
	t.Helper()
	study, err := goptuna.CreateStudy("")
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range trials {
		id, err := study.Storage.CreateNewTrial(study.ID)
		for name, value := range trial.values {
			err = errors.Join(err, study.Storage.SetTrialParam(id, name, value, distributions[name]))
		}
		if violation != nil {
			m := history.Measurement{Quantities: map[string]history.Quantity{"limit": {Measured: violation(trial.values)}}}
			err = errors.Join(err, m.Store(goptuna.Trial{Study: study, ID: id}))
		}
		state := goptuna.TrialStateFail
		if !math.IsNaN(trial.y) {
			state = goptuna.TrialStateComplete
			err = errors.Join(err, study.Storage.SetTrialValue(id, trial.y))
		}
		if err = errors.Join(err, study.Storage.SetTrialState(id, state)); err != nil {
			t.Fatal(err)
		}
	}
	h, err := history.Read(study, -1)
	if err != nil {
		t.Fatal(err)
	}
	p, err := observe.Observe(h, goptuna.FrozenTrial{Number: n}, observe.Settings{NewParam: NewSampler().param})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// searchOf returns the search of a problem, by a model of its own.
func searchOf(t *testing.T, p *observe.Problem) search {
	t.Helper()
	model, err := surrogate.Fit(p, surrogate.DefaultSettings(), &surrogate.Cache{}, func(kind string, fields ...any) { t.Log(kind, fields) })
	if err != nil {
		t.Fatal(err)
	}
	return newSearch(p, model, stream.Trial{Seed: 1, Number: p.Number})
}

// choice is a distribution of n values that are no numbers.
func choice(n int) goptuna.CategoricalDistribution {
	var choices []string
	for i := range n {
		choices = append(choices, string(rune('a'+i)))
	}
	return goptuna.CategoricalDistribution{Choices: choices}
}

// at are the values of a configuration of one choice.
func at(v float64) map[string]float64 { return map[string]float64{"mode": v} }

// unit is a range from 0 to 1.
var unit = goptuna.UniformDistribution{Low: 0, High: 1}
