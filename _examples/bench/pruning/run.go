package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// method is a sampler, whether trials are pruned, and whether it sees those that are.
type method struct {
	*harness.Method
	prune, hide bool
}

var methods = []*method{
	{harness.FM("fm without pruned", "fm without pruned"), true, true},
	{harness.FM("fm", "fm"), true, false},
	{harness.FM("fm no pruner", "fm, no pruner"), false, false},
	{harness.TPE(), true, false},
}

// study is a run whose trials are as many steps as a complete one takes: a value
// is that of the best trial that was completed in these steps, NaN if none was.
type study struct {
	*harness.Run
	curve  *problems.Curve
	method *method
}

// do spends the steps of so many complete trials, and sets the share of trials
// that were pruned.
func (s *study) do(ctx context.Context, sampler goptuna.Sampler, trials int) error {
	storage := goptuna.NewInMemoryStorage()
	study, err := goptuna.CreateStudy(s.Problem,
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(sampler),
		goptuna.StudyOptionPruner(half{s.curve.Steps / 4}),
	)
	if err != nil {
		return err
	}
	if s.method.hide {
		view, err := goptuna.LoadStudy(s.Problem, goptuna.StudyOptionStorage(&withoutPruned{storage}), goptuna.StudyOptionLogger(nil))
		if err != nil {
			return err
		}
		study.Sampler = &onView{sampler, view}
	}
	s.Values = make([]float64, trials)
	for i := range s.Values {
		s.Values[i] = math.NaN()
	}
	spent, count, pruned := 0, 0, 0
	for ; spent < trials*s.curve.Steps; count++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		value, state, steps, err := s.trial(study)
		if err != nil {
			return err
		}
		spent += steps
		if state == goptuna.TrialStatePruned {
			pruned++
			continue
		}
		// A trial that overspends is not counted.
		if i := (spent - 1) / s.curve.Steps; i < trials && !(s.Values[i] <= value) {
			s.Values[i] = value
		}
	}
	if pruned == count {
		return fmt.Errorf("all %d trials were pruned", count)
	}
	s.Numbers = map[string]float64{"pruned": float64(pruned) / float64(count)}
	return nil
}

// trial runs a trial to its end and returns how it ended, after how many steps.
func (s *study) trial(study *goptuna.Study) (value float64, state goptuna.TrialState, steps int, err error) {
	id, err := study.Storage.CreateNewTrial(study.ID)
	if err != nil {
		return 0, 0, 0, err
	}
	trial := goptuna.Trial{Study: study, ID: id}
	c, v, err := s.curve.Suggest(&trial)
	if err != nil {
		return 0, 0, 0, err
	}
	state = goptuna.TrialStateComplete
	for steps < s.curve.Steps && state == goptuna.TrialStateComplete {
		steps++
		value = s.curve.At(c, v, steps)
		if !s.method.prune {
			continue
		}
		if err := trial.ShouldPrune(steps, value); errors.Is(err, goptuna.ErrTrialPruned) {
			state = goptuna.TrialStatePruned
		} else if err != nil {
			return 0, 0, 0, err
		}
	}
	if err := study.Storage.SetTrialValue(id, value); err != nil {
		return 0, 0, 0, err
	}
	return value, state, steps, study.Storage.SetTrialState(id, state)
}

// half prunes a trial that is worse than the median of all that have come to the
// same step, the pruned ones included, half of them in the long run. Goptuna's
// median pruner compares with complete trials only, a selection that gets better
// and better, and prunes nine in ten here.
type half struct{ step int }

func (h half) Prune(study *goptuna.Study, trial goptuna.FrozenTrial) (bool, error) {
	value, ok := trial.IntermediateValues[h.step]
	if latest, _ := trial.GetLatestStep(); !ok || latest != h.step {
		return false, nil
	}
	trials, err := study.GetTrials()
	if err != nil {
		return false, err
	}
	var others []float64
	for _, t := range trials {
		if v, ok := t.IntermediateValues[h.step]; ok && t.ID != trial.ID {
			others = append(others, v)
		}
	}
	if len(others) < 5 {
		return false, nil
	}
	slices.Sort(others)
	return value > others[len(others)/2], nil
}

// withoutPruned is a storage that hides pruned trials.
type withoutPruned struct{ goptuna.Storage }

func (s *withoutPruned) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := s.Storage.GetAllTrials(studyID)
	return slices.DeleteFunc(trials, func(t goptuna.FrozenTrial) bool { return t.State == goptuna.TrialStatePruned }), err
}

// onView is a sampler that sees another study than the one it samples for.
type onView struct {
	goptuna.Sampler
	view *goptuna.Study
}

func (s *onView) Sample(_ *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	return s.Sampler.Sample(s.view, trial, name, distribution)
}
