package sampler_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// small is a space of 2 × 3 configurations.
func small() []fmtest.Param {
	return []fmtest.Param{
		{Name: "a", Distribution: goptuna.CategoricalDistribution{Choices: []string{"x", "y"}}},
		{Name: "b", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 2}},
	}
}

// All configurations of a finite space are tried before any is repeated. Then
// the study goes on with the best ones, and the log says so once.
func TestExhaustedSpace(t *testing.T) {
	for _, test := range []struct {
		name    string
		startup int
		why     string
	}{
		{"by the model", 2, "the model takes over after two trials"},
		{"half by the model", 4, "the start-up leaves two configurations"},
		{"during start-up", 10, "the start-up is longer than the space is large"},
	} {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(test.startup)), goptuna.StudyOptionLogger(log))
		value := func(x map[string]float64) float64 { return 10 * sq(x["b"]-1+x["a"]) }
		fmtest.Optimize(t, study, fmtest.Ask(small(), value), 20)
		trials := fmtest.TrialsOf(t, study)
		if n := fmtest.Duplicates(trials[:6]); n > 0 {
			t.Errorf("%s: %d of the first 6 trials repeat an earlier one (%s)", test.name, n, test.why)
		}
		if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != 20 {
			t.Errorf("%s: %d of 20 trials are complete", test.name, n)
		}
		for _, trial := range trials[max(6, test.startup):] {
			if trial.Value != 0 {
				t.Errorf("%s: trial %d repeats %v with value %v, want one with the best value 0", test.name, trial.Number, trial.InternalParams, trial.Value)
			}
		}
		log.Check(t, 1, "every configuration")
	}
}

// So are those of a grid of floats far from zero, such as times in seconds.
func TestExhaustedGridFarFromZero(t *testing.T) {
	for _, d := range []goptuna.DiscreteUniformDistribution{
		{Low: 1.7e9, High: 1.7e9 + 0.01, Q: 0.001}, {Low: 2.4e9, High: 2.4e9 + 1, Q: 0.1},
	} {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(log))
		fmtest.Optimize(t, study, fmtest.Ask([]fmtest.Param{{Name: "x", Distribution: d}}, func(x map[string]float64) float64 { return sq(x["x"] - d.Low) }), 11)
		if n := fmtest.Duplicates(fmtest.TrialsOf(t, study)); n > 0 {
			t.Errorf("%+v: %d of the 11 trials repeat an earlier one", d, n)
		}
		log.Check(t, 0, "no place in its distribution")
	}
}

// One sampler tells each of its studies.
func TestWarnedOncePerStudy(t *testing.T) {
	s := fmtest.Seeded(t, 10)
	for range 2 {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, s, goptuna.StudyOptionLogger(log))
		fmtest.Optimize(t, study, fmtest.Ask(small(), func(x map[string]float64) float64 { return x["b"] }), 15)
		log.Check(t, 1, "every configuration")
	}
}

// An exhausted space with fixed values repeats the best that has them.
func TestExhaustedSpaceEnqueued(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 2, fm.SamplerOptionNumberOfStartupTrials(3)))
	objective := fmtest.Ask(small(), func(x map[string]float64) float64 { return x["b"] + 5*x["a"] })
	fmtest.Optimize(t, study, objective, 6)
	fmtest.Enqueue(t, study, map[string]float64{"a": 1})
	fmtest.Enqueue(t, study, map[string]float64{"b": 2})
	fmtest.Optimize(t, study, objective, 2)
	trials := fmtest.TrialsOf(t, study)
	for i, want := range []float64{5, 2} {
		if got := trials[6+i]; got.Value != want {
			t.Errorf("trial %d is %v with value %v, want the best of those with the fixed value, %v", got.Number, got.InternalParams, got.Value, want)
		}
	}
}

// Each worker that finds a finite space exhausted goes on.
func TestExhaustedSpaceWithWorkers(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 3))
	objective := fmtest.Ask(small(), func(x map[string]float64) float64 { return x["b"] })
	fmtest.Optimize(t, study, objective, 1)
	done := make(chan error)
	for range fmtest.Workers {
		go func() { done <- study.Optimize(objective, 4) }()
	}
	for range fmtest.Workers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateComplete); n != 1+4*fmtest.Workers {
		t.Errorf("%d trials are complete, want %d", n, 1+4*fmtest.Workers)
	}
}

// A configuration that failed or was pruned is not suggested again while others
// remain.
func TestFailuresAreNotRepeated(t *testing.T) {
	for _, failure := range []error{fmtest.ErrObjective, goptuna.ErrTrialPruned} {
		fmtest.FailOften(t, failure)
	}
}

// In a continuous space, too, the search leaves the place of a failure.
func TestFailuresAreLeft(t *testing.T) {
	fmtest.Sequential(t)
	for _, failure := range []error{fmtest.ErrObjective, goptuna.ErrTrialPruned} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 5), goptuna.StudyOptionIgnoreError(true))
		failed := 0
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := fmtest.Suggest(&trial, fmtest.Mixed()...)
			if err != nil {
				t.Error(err)
			}
			if fmtest.MixedValue(x) < 0.2 {
				failed++
				return 0, failure
			}
			return fmtest.MixedValue(x), nil
		}, 60)
		trials := fmtest.TrialsOf(t, study)
		if n := fmtest.Duplicates(trials); n > 0 {
			t.Errorf("%v: %d trials repeat an earlier one", failure, n)
		}
		if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != 60-failed || n < 30 {
			t.Errorf("%v: %d of 60 trials are complete, %d failed; want at least half of them complete", failure, n, failed)
		}
	}
}

// A pruned trial keeps its last intermediate value, which is none of the
// objective's values: it changes nothing.
func TestPrunedValuesAreNotLearned(t *testing.T) {
	run := func(intermediate float64) []goptuna.FrozenTrial {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 6), goptuna.StudyOptionPruner(fmtest.PruneAll{}))
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := fmtest.Suggest(&trial, fmtest.Mixed()...)
			if err != nil {
				return 0, err
			}
			if fmtest.MixedValue(x) > 1 {
				return 0, trial.ShouldPrune(1, intermediate)
			}
			return fmtest.MixedValue(x), nil
		}, 30)
		trials := fmtest.TrialsOf(t, study)
		if n := fmtest.Count(trials, goptuna.TrialStatePruned); n == 0 || n == 30 {
			t.Errorf("%d of 30 trials were pruned, want some", n)
		}
		for i := range trials {
			if trials[i].State == goptuna.TrialStatePruned {
				trials[i].Value = 0
			}
		}
		return trials
	}
	fmtest.SameTrials(t, "last value -1e6", run(-1e6), run(1e6))
}

// Trials that fail leave the study where it was: no trial at all, or one that
// goes on with what it knew.
func TestStudyOfFailures(t *testing.T) {
	fmtest.Sequential(t)
	for _, test := range []struct {
		name   string
		params []fmtest.Param
		from   int // the first trial that fails
	}{
		{"all fail", fmtest.Mixed(), 0},
		{"all fail, finite space", small(), 0},
		{"all after the start-up fail", fmtest.Mixed(), 10},
		{"all after the start-up fail, finite space", small(), 10},
		{"all from the middle on fail", fmtest.Mixed(), 25},
	} {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 7), goptuna.StudyOptionIgnoreError(true), goptuna.StudyOptionLogger(log))
		calls := 0
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := fmtest.Suggest(&trial, test.params...)
			if err != nil {
				t.Error(err)
			}
			if calls++; calls > test.from {
				return 0, fmtest.ErrObjective
			}
			return x["b"] + x["dropout"], nil
		}, 50)
		trials := fmtest.TrialsOf(t, study)
		if n := fmtest.Count(trials, goptuna.TrialStateFail); n != 50-test.from {
			t.Errorf("%s: %d trials failed, want %d", test.name, n, 50-test.from)
		}
		exhausted, want := len(test.params) == 2, 0
		if exhausted {
			want = 1
		} else if n := fmtest.Duplicates(trials); n > 0 {
			t.Errorf("%s: %d trials repeat an earlier one", test.name, n)
		}
		log.Check(t, want, "every configuration")
	}
}

// A worker that died leaves a running trial behind. Its configuration is not
// tried by others, and nobody waits for it.
func TestDeadWorkers(t *testing.T) {
	params := append(small(), fmtest.Param{Name: "c", Distribution: goptuna.CategoricalDistribution{Choices: []string{"1", "2", "3"}}})
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 8, fm.SamplerOptionNumberOfStartupTrials(4)))
	objective := fmtest.Ask(params, func(x map[string]float64) float64 { return x["a"] + x["b"] + x["c"] })
	fmtest.Optimize(t, study, objective, 6)
	left := map[string]bool{}
	for range 4 {
		id, err := study.Storage.CreateNewTrial(study.ID)
		if err != nil {
			t.Fatal(err)
		}
		x, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: id}, params...)
		if err != nil {
			t.Fatal(err)
		}
		left[fmt.Sprint(x)] = true
	}
	fmtest.Optimize(t, study, objective, 8)
	trials := fmtest.TrialsOf(t, study)
	if n := fmtest.Duplicates(trials); n > 0 || len(left) != 4 || len(trials) != 18 {
		t.Errorf("%d of %d trials repeat an earlier or a running one; there are 18 configurations", n, len(trials))
	}
}

// After the timeout, a running trial is no longer taken to be evaluated.
func TestRunningTimeout(t *testing.T) {
	for _, test := range []struct {
		name string
		opts []fm.SamplerOption
		want int
		why  string
	}{
		{"default", nil, 5, "a trial counts for a minute at least"},
		{"an hour", []fm.SamplerOption{fm.SamplerOptionRunningTimeout(time.Hour)}, 5, "it is still running"},
		{"a nanosecond", []fm.SamplerOption{fm.SamplerOptionRunningTimeout(time.Nanosecond)}, 6, "its worker is gone"},
	} {
		var log infos
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 11, append(test.opts, fm.SamplerOptionNumberOfStartupTrials(2))...), goptuna.StudyOptionLogger(&log))
		objective := fmtest.Ask(small(), func(x map[string]float64) float64 { return x["a"] + x["b"] })
		fmtest.Optimize(t, study, objective, 1)
		if _, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: fmtest.RunningTrial(t, study).ID}, small()...); err != nil {
			t.Fatal(err)
		}
		fmtest.Optimize(t, study, objective, 11)
		done := map[string]bool{}
		for _, trial := range fmtest.TrialsOf(t, study) {
			if trial.State == goptuna.TrialStateComplete {
				done[fmt.Sprint(trial.InternalParams)] = true
			}
		}
		if n := strings.Count(strings.Join(log.messages, ""), "trials that run for much longer than any before no longer count"); n != test.want-5 {
			t.Errorf("%s: %d lines say that a trial no longer counts: %q", test.name, n, log.messages)
		}
		if len(done) != test.want {
			t.Errorf("%s: %d of 6 configurations were evaluated, want %d (%s)", test.name, len(done), test.want, test.why)
		}
	}
}

// A graph tells which choices are alike: on a cycle the model needs few trials
// to find the one that is best.
func TestGraphGuides(t *testing.T) {
	fmtest.Sequential(t)
	const n, best = 60, 41
	choices := make([]string, n)
	for i := range choices {
		choices[i] = fmt.Sprintf("direction %d", i)
	}
	params := []fmtest.Param{{Name: "direction", Distribution: goptuna.CategoricalDistribution{Choices: choices}}}
	objective := fmtest.Ask(params, func(x map[string]float64) float64 {
		gap := (int(x["direction"]) - best + n) % n
		return float64(min(gap, n-gap))
	})
	found := func(opts ...fm.SamplerOption) int {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 9, opts...))
		fmtest.Optimize(t, study, objective, n)
		return slices.IndexFunc(fmtest.TrialsOf(t, study), func(trial goptuna.FrozenTrial) bool { return trial.Value == 0 })
	}
	cycle, complete := found(fm.SamplerOptionGraph("direction", graphs.Cycle(n))), found()
	if cycle > 20 || cycle < 0 || complete < 0 {
		t.Errorf("the best of %d directions is found in trial %d with a cycle, in trial %d without", n, cycle, complete)
	}
}
