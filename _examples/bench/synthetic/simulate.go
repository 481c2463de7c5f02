package main

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// simulation is a run by a team in simulated time.
type simulation struct {
	*harness.Run
	team
	disturbance
	problem *problems.Problem
	time    float64 // of the last end
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

// record appends the outcome of one trial: its value without noise, and with it.
func (r *simulation) record(value, observed, seconds float64, err error) {
	if err != nil {
		value = math.NaN()
	}
	r.Values, r.Observed = append(r.Values, value), append(r.Observed, observed)
	r.Suggest = append(r.Suggest, seconds)
	r.Seconds += seconds
}

// job is a trial that a worker evaluates.
type job struct {
	id      int
	end     float64 // simulated time
	value   float64 // without noise
	noise   float64 // on the value that the study gets, at the end
	err     error   // an infeasible point, if any
	seconds float64 // real time spent in the sampler
}

// simulate runs the study with r.workers workers in simulated time, until so
// many trials have ended. A worker starts a trial when it has ended one, so that
// the sampler sees the trials of all others running. Suggestions take no
// simulated time. A share of the trials fails at random.
func (r *simulation) simulate(ctx context.Context, study *goptuna.Study, trials int) error {
	clock := &clock{Storage: study.Storage, now: &r.time, started: map[int]float64{}, ended: map[int]float64{}}
	study.Storage = clock
	strikes := r.strikes(trials)
	var running []job
	for number := 0; len(r.Values) < trials; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(running) < r.workers && len(r.Values)+len(running) < trials {
			j, err := r.start(study, number)
			if err != nil {
				return err
			}
			running = append(running, j)
			number++
			continue
		}
		if len(strikes) > 0 && strikes[0].after <= len(r.Values) {
			// The trial of a worker that is killed is running for ever. Another
			// takes its place.
			victim := strikes[0].worker % len(running)
			running = slices.Delete(running, victim, victim+1)
			strikes = strikes[1:]
			continue
		}
		if err := r.endFirst(study, &running); err != nil {
			return err
		}
	}
	return nil
}

// strike kills a worker once so many trials have ended.
type strike struct{ after, worker int }

// strikes returns r.kills strikes at random moments of a run.
func (r *simulation) strikes(trials int) []strike {
	rng := rand.New(rand.NewPCG(uint64(r.Seed), math.MaxUint64))
	strikes := make([]strike, r.kills)
	for i := range strikes {
		strikes[i] = strike{after: rng.IntN(trials), worker: rng.IntN(r.workers)}
	}
	slices.SortStableFunc(strikes, func(a, b strike) int { return cmp.Compare(a.after, b.after) })
	return strikes
}

// clock is a storage whose trials start and end in simulated time, by which the
// sampler tells that a worker is gone. A unit is an hour.
type clock struct {
	goptuna.Storage
	now            *float64
	started, ended map[int]float64 // by trial id
}

func (c *clock) CreateNewTrial(studyID int) (int, error) {
	id, err := c.Storage.CreateNewTrial(studyID)
	c.started[id] = *c.now
	return id, err
}

func (c *clock) SetTrialState(trialID int, state goptuna.TrialState) error {
	if state.IsFinished() {
		c.ended[trialID] = *c.now
	}
	return c.Storage.SetTrialState(trialID, state)
}

func (c *clock) GetTrial(trialID int) (goptuna.FrozenTrial, error) {
	trial, err := c.Storage.GetTrial(trialID)
	c.date(&trial)
	return trial, err
}

func (c *clock) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := c.Storage.GetAllTrials(studyID)
	for i := range trials {
		c.date(&trials[i])
	}
	return trials, err
}

func (c *clock) date(trial *goptuna.FrozenTrial) {
	at := func(hours float64) time.Time { return time.Unix(0, int64(hours*float64(time.Hour))) }
	trial.DatetimeStart = at(c.started[trial.ID])
	if end, ok := c.ended[trial.ID]; ok {
		trial.DatetimeComplete = at(end)
	}
}

// start starts a trial at the time of the last end. The first trials start
// together at 0.
func (r *simulation) start(study *goptuna.Study, number int) (job, error) {
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
	j := job{id: id, end: r.time + duration(r.Seed, number), seconds: time.Since(start).Seconds()}
	// An infeasible point fails its trial, and the search goes on.
	if j.value, j.err = r.problem.Eval(c, v); j.err != nil && !errors.Is(j.err, problems.ErrInfeasible) {
		return job{}, j.err
	}
	j.noise = r.noiseOf(r.Seed, number)
	if j.err == nil && r.fails(r.Seed, number) {
		j.err = errFlaky
	}
	return j, nil
}

// endFirst ends the running trial that is the first to end.
func (r *simulation) endFirst(study *goptuna.Study, running *[]job) error {
	j := slices.MinFunc(*running, func(a, b job) int { return cmp.Compare(a.end, b.end) })
	*running = slices.DeleteFunc(*running, func(other job) bool { return other.id == j.id })
	r.time = j.end
	r.record(r.problem.Plain(j.value), j.value+j.noise, j.seconds, j.err)
	value := j.value + j.noise
	switch {
	case j.err != nil && r.penalty == 0:
		return study.Storage.SetTrialState(j.id, goptuna.TrialStateFail)
	case j.err != nil:
		value = r.penalty
	}
	if err := study.Storage.SetTrialValue(j.id, value); err != nil {
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
