// Package baseline holds the methods that the paper compares its kernels with
// and that Goptuna does not have: random search by a seed, regularized
// evolution, and CoCaBO.
//
// A [Method] is a pure function of its settings and of the finished trials, so
// that a study that was stopped goes on as if it had not been. [Sampler] makes a
// Goptuna sampler of it.
package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Trial is a finished trial: a point (c, v) of a problems.Space and its value.
type Trial struct {
	C     []float64
	V     []int
	Value float64 // NaN if the trial failed
}

// Method proposes points of a space, to be minimised.
type Method interface {
	// Suggest returns the next point, given all finished trials in their order.
	Suggest(history []Trial) (c []float64, v []int, err error)
}

// Sampler lets a Method plan the trials of a Goptuna study, one study at a time
// and one trial after the other. It implements goptuna.Sampler.
type Sampler struct {
	Space  problems.Space
	Method Method

	planned bool
	trialID int
	values  map[string]any
}

// Sample implements goptuna.Sampler.
func (s *Sampler) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	if !s.planned || trial.ID != s.trialID {
		history, err := s.history(study)
		if err != nil {
			return 0, err
		}
		c, v, err := s.Method.Suggest(history)
		if err != nil {
			return 0, err
		}
		s.planned, s.trialID, s.values = true, trial.ID, s.Space.Values(c, v)
	}
	switch value := s.values[name].(type) {
	case float64:
		return value, nil
	case int:
		return float64(value), nil
	case string:
		if d, ok := distribution.(goptuna.CategoricalDistribution); ok {
			return float64(slices.Index(d.Choices, value)), nil
		}
	}
	return 0, fmt.Errorf("baseline: parameter %q is not that of the space", name)
}

// history returns the finished trials of the study.
func (s *Sampler) history(study *goptuna.Study) ([]Trial, error) {
	all, err := study.GetTrials()
	if err != nil {
		return nil, err
	}
	var history []Trial
	for _, t := range all {
		if !t.State.IsFinished() || len(t.Params) < len(s.Space) {
			continue // a trial without values was interrupted
		}
		c, v, err := s.Space.Point(t.Params)
		if err != nil {
			return nil, err
		}
		value := math.NaN()
		if t.State == goptuna.TrialStateComplete {
			value = t.Value
		}
		history = append(history, Trial{C: c, V: v, Value: value})
	}
	return history, nil
}

// Random draws every point uniformly.
type Random struct {
	Space problems.Space
	Seed  int64
}

// Suggest implements Method.
func (r Random) Suggest(history []Trial) (c []float64, v []int, err error) {
	c, v = draw(r.Space, newRand(r.Seed, len(history)))
	return c, v, nil
}

// newRand returns the source of random numbers of one trial.
func newRand(seed int64, number int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(seed), uint64(number)))
}

// draw returns a uniform point of the space.
func draw(space problems.Space, rng *rand.Rand) (c []float64, v []int) {
	for _, q := range space {
		if q.Kind == problems.Continuous {
			c = append(c, q.Low+(q.High-q.Low)*rng.Float64())
		} else {
			v = append(v, rng.IntN(q.Levels))
		}
	}
	return c, v
}

// split returns the continuous and the discrete parameters of the space.
func split(space problems.Space) (continuous, discrete []problems.Param) {
	for _, q := range space {
		if q.Kind == problems.Continuous {
			continuous = append(continuous, q)
		} else {
			discrete = append(discrete, q)
		}
	}
	return continuous, discrete
}
