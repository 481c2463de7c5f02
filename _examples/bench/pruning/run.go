package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/tpe"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// method is a sampler, what it sees of pruned trials, and whether some are.
type method struct {
	name  string
	tpe   bool
	see   func(goptuna.FrozenTrial) (goptuna.FrozenTrial, bool)
	prune bool
}

var methods = []method{
	{name: "fm without pruned", prune: true, see: func(t goptuna.FrozenTrial) (goptuna.FrozenTrial, bool) {
		return t, t.State != goptuna.TrialStatePruned
	}},
	{name: "fm without curves", prune: true, see: func(t goptuna.FrozenTrial) (goptuna.FrozenTrial, bool) {
		t.IntermediateValues = nil
		return t, true
	}},
	{name: "fm", prune: true},
	{name: "fm, no pruner"},
	{name: "Goptuna TPE", prune: true, tpe: true},
}

// quarters is how often a study is looked at.
const quarters = 4

// outcome is what a study gave: the best value of a complete trial at the end
// of each quarter, and the share of trials that were pruned.
type outcome struct {
	best   [quarters]float64
	pruned float64
}

// run spends the given number of steps.
func run(p *problems.Curve, m method, seed int64, steps int) (outcome, error) {
	var o outcome
	for q := range o.best {
		o.best[q] = math.Inf(1)
	}
	storage := goptuna.NewInMemoryStorage()
	var sampler goptuna.Sampler = fm.NewSampler(fm.SamplerOptionSeed(seed))
	if m.tpe {
		sampler = tpe.NewSampler(tpe.SamplerOptionSeed(seed))
	}
	study, err := goptuna.CreateStudy(p.Name,
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(sampler),
		goptuna.StudyOptionPruner(half{p.Steps / 4}),
	)
	if err != nil {
		return o, err
	}
	if m.see != nil {
		view, err := goptuna.LoadStudy(p.Name, goptuna.StudyOptionStorage(&filtered{storage, m.see}), goptuna.StudyOptionLogger(nil))
		if err != nil {
			return o, err
		}
		study.Sampler = &onView{sampler, view}
	}
	spent, trials, pruned := 0, 0, 0
	// A trial that would overspend is not counted.
	for spent < steps {
		id, err := storage.CreateNewTrial(study.ID)
		if err != nil {
			return o, err
		}
		trial := goptuna.Trial{Study: study, ID: id}
		c, v, err := p.Suggest(&trial)
		if err != nil {
			return o, err
		}
		state := goptuna.TrialStateComplete
		value := 0.0
		for step := 1; step <= p.Steps; step++ {
			value = p.At(c, v, step)
			spent++
			if !m.prune {
				continue
			}
			if err := trial.ShouldPrune(step, value); errors.Is(err, goptuna.ErrTrialPruned) {
				state = goptuna.TrialStatePruned
				break
			} else if err != nil {
				return o, err
			}
		}
		trials++
		if state == goptuna.TrialStatePruned {
			pruned++
		}
		if err := storage.SetTrialValue(id, value); err != nil {
			return o, err
		}
		if err := storage.SetTrialState(id, state); err != nil {
			return o, err
		}
		if state == goptuna.TrialStateComplete {
			for q := range quarters {
				if spent*quarters <= steps*(q+1) && value < o.best[q] {
					o.best[q] = value
				}
			}
		}
	}
	if pruned == trials {
		return o, fmt.Errorf("all %d trials were pruned", trials)
	}
	o.pruned = float64(pruned) / float64(trials)
	return o, nil
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

// filtered is a storage that shows trials as see returns them, or not at all.
type filtered struct {
	goptuna.Storage
	see func(goptuna.FrozenTrial) (goptuna.FrozenTrial, bool)
}

func (s *filtered) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := s.Storage.GetAllTrials(studyID)
	var seen []goptuna.FrozenTrial
	for _, t := range trials {
		if t, ok := s.see(t); ok {
			seen = append(seen, t)
		}
	}
	return seen, err
}

// onView is a sampler that sees another study than the one it samples for.
type onView struct {
	goptuna.Sampler
	view *goptuna.Study
}

func (s *onView) Sample(_ *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	return s.Sampler.Sample(s.view, trial, name, distribution)
}
