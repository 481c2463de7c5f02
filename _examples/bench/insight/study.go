package main

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/c-bata/goptuna"
)

// study is a study that shows its first trials only.
type study struct {
	*goptuna.Study
	goptuna.Storage
	trials []goptuna.FrozenTrial // all of them, by number
	shown  int
}

// GetAllTrials implements goptuna.Storage.
func (s *study) GetAllTrials(int) ([]goptuna.FrozenTrial, error) { return s.trials[:s.shown], nil }

// repeats is how often each of the best trials is measured again.
const repeats = 2

// conduct runs a study in memory, with Gaussian noise on the values. Of its trials the
// last ones measure the best of the others again, as many of them as again says.
func conduct(ctx context.Context, s *subject, sampler goptuna.Sampler, trials, again int, noise float64, seed int64) (*study, error) {
	conducted := &study{Storage: goptuna.NewInMemoryStorage(), shown: trials}
	var err error
	conducted.Study, err = goptuna.CreateStudy(s.Name, goptuna.StudyOptionStorage(conducted.Storage), goptuna.StudyOptionSampler(sampler),
		goptuna.StudyOptionIgnoreError(true), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return nil, err
	}
	conducted.WithContext(ctx)
	rng := rand.New(rand.NewPCG(uint64(seed), math.MaxUint64))
	objective := func(trial goptuna.Trial) (float64, error) {
		y, err := s.Objective(trial)
		return y + noise*rng.NormFloat64(), err
	}
	if err := conducted.Optimize(objective, trials-repeats*again); err != nil {
		return nil, err
	}
	if again > 0 {
		if err := conducted.enqueueBest(again); err != nil {
			return nil, err
		}
		if err := conducted.Optimize(objective, repeats*again); err != nil {
			return nil, err
		}
	}
	if conducted.trials, err = conducted.Study.GetTrials(); err != nil {
		return nil, err
	}
	conducted.Study.Storage = conducted
	return conducted, nil
}

// enqueueBest enqueues the configurations of the best n trials.
func (s *study) enqueueBest(n int) error {
	trials, err := s.Storage.GetAllTrials(s.ID)
	if err != nil {
		return err
	}
	trials = slices.DeleteFunc(trials, func(t goptuna.FrozenTrial) bool { return t.State != goptuna.TrialStateComplete })
	slices.SortStableFunc(trials, func(a, b goptuna.FrozenTrial) int { return cmp.Compare(a.Value, b.Value) })
	for _, t := range trials[:min(n, len(trials))] {
		for range repeats {
			if err := s.EnqueueTrial(t.InternalParams); err != nil {
				return err
			}
		}
	}
	return nil
}

// best returns the least value of the first n trials, +Inf where all have failed.
func (s *study) best(n int) float64 {
	best := math.Inf(1)
	for _, t := range s.trials[:n] {
		if t.State == goptuna.TrialStateComplete {
			best = min(best, t.Value)
		}
	}
	return best
}

// save writes the trials for terminator.py.
func (s *study) save(path string, of *subject) error {
	type trial struct {
		Params        map[string]any             `json:"params"`
		Distributions map[string]json.RawMessage `json:"distributions"`
		Value         *float64                   `json:"value"` // null for one that failed
	}
	file := struct {
		Optimum float64 `json:"optimum"`
		Median  float64 `json:"median"`
		Trials  []trial `json:"trials"`
	}{Optimum: of.optimum, Median: of.median}
	for _, t := range s.trials {
		one := trial{Params: t.Params, Distributions: map[string]json.RawMessage{}}
		for name, d := range t.Distributions {
			text, err := goptuna.DistributionToJSON(d)
			if err != nil {
				return err
			}
			one.Distributions[name] = text
		}
		if t.State == goptuna.TrialStateComplete {
			one.Value = &t.Value
		}
		file.Trials = append(file.Trials, one)
	}
	text, err := json.Marshal(file)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}
