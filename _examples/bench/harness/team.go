package harness

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/c-bata/goptuna"
)

// Team is a number of workers that share a study in simulated time, and how many of them are
// killed and replaced.
type Team struct{ Workers, Kills int }

func (t Team) String() string {
	if t.Kills == 0 {
		return strconv.Itoa(t.Workers)
	}
	return strconv.Itoa(t.Workers) + " (" + strconv.Itoa(t.Kills) + " killed)"
}

// Start starts a trial, with its number: it asks for the parameters. The trial goes on until
// evaluate is called, which returns its value, or [ErrFailed] if it fails.
type Start func(trial goptuna.Trial, number int) (evaluate func() (float64, error), err error)

// Simulate has the team work until so many trials have ended, and returns the simulated time
// that it took, in hours. A worker starts a trial when it has ended one, so that the sampler
// sees the trials of all others running. Suggestions take no simulated time. How long trials
// take, and who is killed, depends on the seed.
func (t Team) Simulate(ctx context.Context, study *goptuna.Study, seed int64, trials int, start Start) (hours float64, err error) {
	clock := &clock{Storage: study.Storage, started: map[int]float64{}, ended: map[int]float64{}}
	study.Storage = clock
	strikes := t.strikes(seed, trials)
	var running []evaluation
	for number, ended := 0, 0; ended < trials; {
		if ctx.Err() != nil {
			return clock.now, context.Cause(ctx)
		}
		if len(running) < t.Workers && ended+len(running) < trials {
			id, err := study.Storage.CreateNewTrial(study.ID)
			if err != nil {
				return clock.now, err
			}
			evaluate, err := start(goptuna.Trial{Study: study, ID: id}, number)
			if err != nil {
				return clock.now, err
			}
			running = append(running, evaluation{id, evaluate, clock.now + Duration(seed, number)})
			number++
			continue
		}
		if len(strikes) > 0 && strikes[0].after <= ended {
			// The trial of a worker that is killed is running for ever. Another
			// takes its place.
			victim := strikes[0].worker % len(running)
			running = slices.Delete(running, victim, victim+1)
			strikes = strikes[1:]
			continue
		}
		first := 0
		for i, e := range running {
			if e.end < running[first].end {
				first = i
			}
		}
		clock.now = running[first].end
		if err := running[first].finish(clock); err != nil {
			return clock.now, err
		}
		running = slices.Delete(running, first, first+1)
		ended++
	}
	return clock.now, nil
}

// evaluation is a trial that a worker evaluates, and when that ends, in hours.
type evaluation struct {
	id       int
	evaluate func() (float64, error)
	end      float64
}

// finish stores how the trial ends.
func (e evaluation) finish(storage goptuna.Storage) error {
	value, err := e.evaluate()
	switch {
	case errors.Is(err, ErrFailed):
		return storage.SetTrialState(e.id, goptuna.TrialStateFail)
	case err != nil:
		return err
	}
	if err := storage.SetTrialValue(e.id, value); err != nil {
		return err
	}
	return storage.SetTrialState(e.id, goptuna.TrialStateComplete)
}

// strike kills a worker once so many trials have ended.
type strike struct{ after, worker int }

// strikes returns as many strikes as there are kills, at random moments of a run.
func (t Team) strikes(seed int64, trials int) []strike {
	rng := rand.New(rand.NewPCG(uint64(seed), math.MaxUint64))
	strikes := make([]strike, t.Kills)
	for i := range strikes {
		strikes[i] = strike{after: rng.IntN(trials), worker: rng.IntN(t.Workers)}
	}
	slices.SortStableFunc(strikes, func(a, b strike) int { return cmp.Compare(a.after, b.after) })
	return strikes
}

// Duration returns the simulated time that a trial takes, in hours, uniform between 0.5 and 1.5.
// It depends on the seed and the trial alone, so that all methods and numbers of workers have
// the same work to do.
func Duration(seed int64, number int) float64 {
	return 0.5 + rand.New(rand.NewPCG(uint64(seed), uint64(number))).Float64()
}

// clock is a storage whose trials start and end in simulated time, by which the sampler decides
// that a worker is gone.
type clock struct {
	goptuna.Storage
	now            float64         // hours, as what follows
	started, ended map[int]float64 // by trial id
}

func (c *clock) CreateNewTrial(studyID int) (int, error) {
	id, err := c.Storage.CreateNewTrial(studyID)
	c.started[id] = c.now
	return id, err
}

func (c *clock) SetTrialState(trialID int, state goptuna.TrialState) error {
	if state.IsFinished() {
		c.ended[trialID] = c.now
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
