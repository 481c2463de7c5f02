package main

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// simulation is a run by a team in simulated time.
type simulation struct {
	*harness.Run
	harness.Team
	disturbance
	problem *problems.Problem
	time    float64 // that it took
}

// do simulates a new study, and sets the time that it took.
func (r *simulation) do(ctx context.Context, sampler goptuna.Sampler, trials int) error {
	study, err := goptuna.CreateStudy(r.Run.String(), goptuna.StudyOptionSampler(sampler), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return err
	}
	if err := r.simulate(ctx, study, trials); err != nil {
		return err
	}
	r.Numbers = map[string]float64{"time": r.time}
	return nil
}

func (r *simulation) simulate(ctx context.Context, study *goptuna.Study, trials int) (err error) {
	r.time, err = r.Simulate(ctx, study, r.Seed, trials, r.start)
	return err
}

// record appends the outcome of one trial: its value without noise, and with it.
func (r *simulation) record(value, observed, seconds float64, err error) {
	if err != nil {
		value = math.NaN()
	}
	r.Values, r.Observed = append(r.Values, value), append(r.Observed, observed)
	r.Suggest = append(r.Suggest, seconds)
	r.Seconds += seconds
}

// start starts a trial. Some fail at random.
func (r *simulation) start(trial goptuna.Trial, number int) (evaluate func() (float64, error), err error) {
	start := time.Now()
	c, v, err := r.problem.Suggest(&trial)
	if err != nil {
		return nil, err
	}
	seconds := time.Since(start).Seconds()
	return func() (float64, error) {
		// An infeasible point fails its trial, and the search goes on.
		value, failure := r.problem.Eval(c, v)
		if failure != nil && !errors.Is(failure, problems.ErrInfeasible) {
			return 0, failure
		}
		observed := value + r.noiseOf(r.Seed, number)
		if failure == nil && r.fails(r.Seed, number) {
			failure = errFlaky
		}
		r.record(r.problem.Plain(value), observed, seconds, failure)
		switch {
		case failure != nil && r.penalty != 0:
			return r.penalty, nil
		case failure != nil:
			return 0, errors.Join(harness.ErrFailed, failure)
		}
		return observed, nil
	}, nil
}

// sequentialTime returns the simulated time that one worker takes.
func sequentialTime(seed int64, trials int) float64 {
	var sum float64
	for number := range trials {
		sum += harness.Duration(seed, number)
	}
	return sum
}
