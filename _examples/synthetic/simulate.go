package main

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// job is a trial that a worker evaluates.
type job struct {
	id      int
	end     float64 // simulated time
	value   float64 // known to the study at the end only
	err     error   // an infeasible point, if any
	seconds float64 // real time spent in the sampler
}

// simulate runs the study with r.workers workers in simulated time. A worker
// starts a trial when it has ended one, so that the sampler sees the trials of
// all others running. Suggestions take no simulated time. A share of the trials
// fails at random.
func (r *run) simulate(study *goptuna.Study, trials int) error {
	var running []job
	for number := range trials {
		if len(running) == r.workers {
			if err := r.endFirst(study, &running); err != nil {
				return err
			}
		}
		j, err := r.start(study, number)
		if err != nil {
			return err
		}
		running = append(running, j)
	}
	for len(running) > 0 {
		if err := r.endFirst(study, &running); err != nil {
			return err
		}
	}
	return nil
}

// start starts a trial at the time of the last end. The first trials start
// together at 0.
func (r *run) start(study *goptuna.Study, number int) (job, error) {
	id, err := study.Storage.CreateNewTrial(study.ID)
	if err != nil {
		return job{}, err
	}
	trial := goptuna.Trial{Study: study, ID: id}
	start := time.Now()
	c, v, err := r.problem.Suggest(&trial)
	if err != nil {
		return job{}, err
	}
	j := job{id: id, end: r.time + duration(r.seed, number), seconds: time.Since(start).Seconds()}
	// An infeasible point fails its trial, and the search goes on.
	if j.value, j.err = r.problem.Eval(c, v); j.err != nil && !errors.Is(j.err, problems.ErrInfeasible) {
		return job{}, j.err
	}
	if j.err == nil && rand.New(rand.NewPCG(uint64(r.seed), flakyStream+uint64(number))).Float64() < r.flaky {
		j.err = errFlaky
	}
	return j, nil
}

// errFlaky fails a trial that nothing is wrong with.
var errFlaky = errors.New("failed at random")

// flakyStream sets the random numbers of failures apart from those of durations.
const flakyStream = 1 << 32

// endFirst ends the running trial that is the first to end.
func (r *run) endFirst(study *goptuna.Study, running *[]job) error {
	j := slices.MinFunc(*running, func(a, b job) int { return cmp.Compare(a.end, b.end) })
	*running = slices.DeleteFunc(*running, func(other job) bool { return other.id == j.id })
	r.time = j.end
	r.record(r.problem.Plain(j.value), j.seconds, j.err)
	if j.err != nil {
		return study.Storage.SetTrialState(j.id, goptuna.TrialStateFail)
	}
	if err := study.Storage.SetTrialValue(j.id, j.value); err != nil {
		return err
	}
	return study.Storage.SetTrialState(j.id, goptuna.TrialStateComplete)
}

// duration returns the simulated time that a trial takes, uniform between 0.5
// and 1.5. It depends on the seed and the trial alone, so that all methods and
// numbers of workers have the same work to do.
func duration(seed int64, number int) float64 {
	return 0.5 + rand.New(rand.NewPCG(uint64(seed), uint64(number))).Float64()
}

// sequentialTime returns the simulated time that one worker takes.
func sequentialTime(seed int64, trials int) float64 {
	var sum float64
	for number := range trials {
		sum += duration(seed, number)
	}
	return sum
}
