package sampler_test

import (
	"errors"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// During start-up fewer trials than at random go where those before them failed,
// after some that have to find out where that is.
func TestStartupAvoidsFailures(t *testing.T) {
	fmtest.Sequential(t)
	params := []fmtest.Param{
		{Name: "codec", Distribution: goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c", "d"}}},
		{Name: "threads", Distribution: goptuna.IntUniformDistribution{Low: 1, High: 12}},
		{Name: "rate", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}},
		{Name: "level", Distribution: goptuna.IntUniformDistribution{Low: 1, High: 5}},
		{Name: "cache", Distribution: goptuna.CategoricalDistribution{Choices: []string{"off", "on"}}},
	}
	for _, test := range []struct {
		name  string
		fails func(x map[string]float64) bool
		most  float64 // mean of the failed of 20 trials; 10 or more at random
	}{
		{"half of the values of a choice", func(x map[string]float64) bool { return x["codec"] >= 2 }, 7.5},
		{"half of the range of an int", func(x map[string]float64) bool { return x["threads"] > 6 }, 8.5},
		{"half of the range of a float", func(x map[string]float64) bool { return x["rate"] < 0.5 }, 9},
		{"two values of a choice, and some others together", func(x map[string]float64) bool { return x["codec"] >= 2 || x["cache"] == 1 && x["level"] > 3 }, 9.5},
		{"half of the values of each of two choices together", func(x map[string]float64) bool { return (x["codec"] >= 2) == (x["cache"] == 1) }, 10},
	} {
		const seeds = 20
		failed := 0
		for seed := range int64(seeds) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed, fm.SamplerOptionNumberOfStartupTrials(20)), goptuna.StudyOptionIgnoreError(true))
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				x, err := fmtest.Suggest(&trial, params...)
				if err != nil {
					t.Error(err)
				}
				if test.fails(x) {
					return 0, fmtest.ErrObjective
				}
				return x["rate"], nil
			}, 20)
			failed += fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateFail)
		}
		mean := float64(failed) / seeds
		t.Logf("%s: %.1f of 20 trials failed", test.name, mean)
		if mean > test.most {
			t.Errorf("%s: %.1f of 20 trials failed, want %g at most", test.name, mean, test.most)
		}
	}
}

// Two trials that failed or were pruned count as one with a value, so that a study in
// which half of the trials do does not start up for twice as long; but not where the user
// has said how many have to have a value.
func TestFailuresShortenTheStartup(t *testing.T) {
	ten := []fm.SamplerOption{fm.SamplerOptionNumberOfStartupTrials(10)}
	for _, test := range []struct {
		name   string
		opts   []fm.SamplerOption
		reason error // why every second trial has no value
		want   int   // trials without a fit
	}{
		{"failed, by default", nil, fmtest.ErrObjective, 13}, // 7 with a value, 6 without
		{"pruned, by default", nil, goptuna.ErrTrialPruned, 13},
		{"failed, ten values", ten, fmtest.ErrObjective, 19}, // 10 with a value
		{"pruned, ten values", ten, goptuna.ErrTrialPruned, 19},
	} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, test.opts...), goptuna.StudyOptionIgnoreError(true))
		number := 0
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := trial.SuggestFloat("x", 0, 1)
			if number++; number%2 == 0 {
				return 0, test.reason
			}
			return x, err
		}, 30)
		if n := startupTrials(t, study); n != test.want {
			t.Errorf("%s: %d start-up trials, want %d", test.name, n, test.want)
		}
	}
}

// A trial that fails before it has asked for everything counts as it was planned. Before,
// 50 of 60 trials of each of these studies failed.
func TestEarlyFailures(t *testing.T) {
	fmtest.Sequential(t)
	for seed := range int64(3) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			size, err := trial.SuggestFloat("size", 0, 1)
			if err != nil {
				return 0, err
			}
			codec, err := trial.SuggestCategorical("codec", []string{"a", "b", "c", "d"})
			if err != nil || codec == "d" {
				return 0, errors.Join(err, fmtest.ErrObjective)
			}
			x, err := trial.SuggestFloat("x", 0, 1)
			return sq(size-0.6) + sq(x-0.2), err
		}, 60)
		n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateFail)
		t.Logf("seed %d: %d of 60 trials failed early", seed, n)
		if n > 20 {
			t.Errorf("seed %d: %d of 60 trials failed early, want 20 at most", seed, n)
		}
	}
}

// After an outage the search goes on as before. Some of these studies ended at 0.2 to
// 0.7, since the best configurations had failed.
func TestOutageTellsNothing(t *testing.T) {
	fmtest.Sequential(t)
	for _, outage := range [][2]int{{0, 20}, {15, 21}, {20, 40}} {
		for seed := range int64(4) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				value, err := fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue)(trial)
				if n, _ := trial.Number(); n >= outage[0] && n < outage[1] {
					return 0, fmtest.ErrObjective
				}
				return value, err
			}, 45+outage[1]-outage[0])
			best, err := study.GetBestValue()
			t.Logf("outage %v, seed %d: best value %.2g", outage, seed, best)
			if err != nil || best > 0.05 {
				t.Errorf("outage %v, seed %d: best value %v, %v", outage, seed, best, err)
			}
		}
	}
}

// Of more failures than count, the latest tell where trials fail: what failed long ago
// may have been mended.
func TestLatestFailuresTell(t *testing.T) {
	const each = 1000 // failures that count
	codec := goptuna.CategoricalDistribution{Choices: []string{"mended", "broken"}}
	rate := goptuna.UniformDistribution{Low: 0, High: 1}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(100)), goptuna.StudyOptionIgnoreError(true))
	add := func(vertex float64, state goptuna.TrialState) {
		id, err := study.Storage.CreateNewTrial(study.ID)
		if err == nil {
			err = errors.Join(study.Storage.SetTrialParam(id, "codec", vertex, codec),
				study.Storage.SetTrialParam(id, "rate", float64(id)/(3*each), rate), study.Storage.SetTrialState(id, state))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for vertex := range 2 {
		for range 2 { // no outage: some ran in between
			for range each / 2 {
				add(float64(vertex), goptuna.TrialStateFail)
			}
			for range 2 {
				add(0, goptuna.TrialStateComplete)
				add(1, goptuna.TrialStateComplete)
			}
		}
	}
	mended := 0
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestCategorical("codec", codec.Choices)
		if err != nil {
			return 0, err
		}
		if x == "mended" {
			mended++
		}
		return trial.SuggestFloat("rate", rate.Low, rate.High)
	}, 20)
	if mended < 16 {
		t.Errorf("%d of 20 trials where the latest failures are not, want 16 at least", mended)
	}
}
