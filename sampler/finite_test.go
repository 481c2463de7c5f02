package sampler_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// small is a space of 2 × 3 configurations.
func small() []param {
	return []param{
		{"a", goptuna.CategoricalDistribution{Choices: []string{"x", "y"}}},
		{"b", goptuna.IntUniformDistribution{Low: 0, High: 2}},
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
		log := &recorder{}
		study := newStudy(t, seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(test.startup)), goptuna.StudyOptionLogger(log))
		value := func(x map[string]float64) float64 { return 10 * sq(x["b"]-1+x["a"]) }
		optimize(t, study, ask(small(), value), 20)
		trials := trialsOf(t, study)
		if n := duplicates(trials[:6]); n > 0 {
			t.Errorf("%s: %d of the first 6 trials repeat an earlier one (%s)", test.name, n, test.why)
		}
		if n := count(trials, goptuna.TrialStateComplete); n != 20 {
			t.Errorf("%s: %d of 20 trials are complete", test.name, n)
		}
		for _, trial := range trials[max(6, test.startup):] {
			if trial.Value != 0 {
				t.Errorf("%s: trial %d repeats %v with value %v, want one with the best value 0", test.name, trial.Number, trial.InternalParams, trial.Value)
			}
		}
		log.check(t, 1, "every configuration")
	}
}

// One sampler tells each of its studies.
func TestWarnedOncePerStudy(t *testing.T) {
	s := seeded(t, 10)
	for range 2 {
		log := &recorder{}
		study := newStudy(t, s, goptuna.StudyOptionLogger(log))
		optimize(t, study, ask(small(), func(x map[string]float64) float64 { return x["b"] }), 15)
		log.check(t, 1, "every configuration")
	}
}

// An exhausted space with fixed values repeats the best that has them.
func TestExhaustedSpaceEnqueued(t *testing.T) {
	study := newStudy(t, seeded(t, 2, fm.SamplerOptionNumberOfStartupTrials(3)))
	objective := ask(small(), func(x map[string]float64) float64 { return x["b"] + 5*x["a"] })
	optimize(t, study, objective, 6)
	enqueue(t, study, map[string]float64{"a": 1})
	enqueue(t, study, map[string]float64{"b": 2})
	optimize(t, study, objective, 2)
	trials := trialsOf(t, study)
	for i, want := range []float64{5, 2} {
		if got := trials[6+i]; got.Value != want {
			t.Errorf("trial %d is %v with value %v, want the best of those with the fixed value, %v", got.Number, got.InternalParams, got.Value, want)
		}
	}
}

// Each worker that finds a finite space exhausted goes on.
func TestExhaustedSpaceWithWorkers(t *testing.T) {
	study := newStudy(t, seeded(t, 3))
	objective := ask(small(), func(x map[string]float64) float64 { return x["b"] })
	optimize(t, study, objective, 1)
	done := make(chan error)
	for range workers {
		go func() { done <- study.Optimize(objective, 4) }()
	}
	for range workers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := count(trialsOf(t, study), goptuna.TrialStateComplete); n != 1+4*workers {
		t.Errorf("%d trials are complete, want %d", n, 1+4*workers)
	}
}

// A configuration that failed or was pruned is not suggested again while others
// remain.
func TestFailuresAreNotRepeated(t *testing.T) {
	params := []param{
		{"a", goptuna.CategoricalDistribution{Choices: []string{"p", "q", "r", "s"}}},
		{"b", goptuna.IntUniformDistribution{Low: 1, High: 6}},
	}
	for _, failure := range []error{errObjective, goptuna.ErrTrialPruned} {
		for _, opt := range [][]goptuna.StudyOption{nil, {onSQLite(t)}} {
			study := newStudy(t, seeded(t, 4, fm.SamplerOptionNumberOfStartupTrials(5)), append(opt, goptuna.StudyOptionIgnoreError(true))...)
			optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				x, err := suggest(&trial, params...)
				if err != nil {
					t.Error(err)
				}
				if x["b"] == 4 || x["a"] == 2 { // the optimum would be among these
					return 0, failure
				}
				return sq(x["a"]-2) + sq(x["b"]-4), nil
			}, 24)
			trials := trialsOf(t, study)
			if n := duplicates(trials); n > 0 {
				t.Errorf("%v: %d of 24 trials repeat one of 24 configurations", failure, n)
			}
			if n := count(trials, goptuna.TrialStateComplete); n != 15 {
				t.Errorf("%v: %d of 24 trials are complete, want those of 15 configurations", failure, n)
			}
		}
	}
}

// In a continuous space, too, the search leaves the place of a failure.
func TestFailuresAreLeft(t *testing.T) {
	for _, failure := range []error{errObjective, goptuna.ErrTrialPruned} {
		study := newStudy(t, seeded(t, 5), goptuna.StudyOptionIgnoreError(true))
		failed := 0
		optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := suggest(&trial, mixed()...)
			if err != nil {
				t.Error(err)
			}
			if mixedValue(x) < 0.2 {
				failed++
				return 0, failure
			}
			return mixedValue(x), nil
		}, 60)
		trials := trialsOf(t, study)
		if n := duplicates(trials); n > 0 {
			t.Errorf("%v: %d trials repeat an earlier one", failure, n)
		}
		if n := count(trials, goptuna.TrialStateComplete); n != 60-failed || n < 30 {
			t.Errorf("%v: %d of 60 trials are complete, %d failed; want at least half of them complete", failure, n, failed)
		}
	}
}

// A pruned trial keeps its last intermediate value, which is none of the
// objective's values: it changes nothing.
func TestPrunedValuesAreNotLearned(t *testing.T) {
	run := func(intermediate float64) []goptuna.FrozenTrial {
		study := newStudy(t, seeded(t, 6), goptuna.StudyOptionPruner(pruneAll{}))
		optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := suggest(&trial, mixed()...)
			if err != nil {
				return 0, err
			}
			if mixedValue(x) > 1 {
				return 0, trial.ShouldPrune(1, intermediate)
			}
			return mixedValue(x), nil
		}, 30)
		trials := trialsOf(t, study)
		if n := count(trials, goptuna.TrialStatePruned); n == 0 || n == 30 {
			t.Errorf("%d of 30 trials were pruned, want some", n)
		}
		for i := range trials {
			if trials[i].State == goptuna.TrialStatePruned {
				trials[i].Value = 0
			}
		}
		return trials
	}
	sameTrials(t, "last value -1e6", run(-1e6), run(1e6))
}

// pruneAll is a pruner.
type pruneAll struct{}

func (pruneAll) Prune(*goptuna.Study, goptuna.FrozenTrial) (bool, error) { return true, nil }

// Trials that fail leave the study where it was: no trial at all, or one that
// goes on with what it knew.
func TestStudyOfFailures(t *testing.T) {
	for _, test := range []struct {
		name   string
		params []param
		from   int // the first trial that fails
	}{
		{"all fail", mixed(), 0},
		{"all fail, finite space", small(), 0},
		{"all after the start-up fail", mixed(), 10},
		{"all after the start-up fail, finite space", small(), 10},
		{"all from the middle on fail", mixed(), 25},
	} {
		log := &recorder{}
		study := newStudy(t, seeded(t, 7), goptuna.StudyOptionIgnoreError(true), goptuna.StudyOptionLogger(log))
		calls := 0
		optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := suggest(&trial, test.params...)
			if err != nil {
				t.Error(err)
			}
			if calls++; calls > test.from {
				return 0, errObjective
			}
			return x["b"] + x["dropout"], nil
		}, 50)
		trials := trialsOf(t, study)
		if n := count(trials, goptuna.TrialStateFail); n != 50-test.from {
			t.Errorf("%s: %d trials failed, want %d", test.name, n, 50-test.from)
		}
		exhausted, want := len(test.params) == 2, 0
		if exhausted {
			want = 1
		} else if n := duplicates(trials); n > 0 {
			t.Errorf("%s: %d trials repeat an earlier one", test.name, n)
		}
		log.check(t, want, "every configuration")
	}
}

// A worker that died leaves a running trial behind. Its configuration is not
// tried by others, and nobody waits for it.
func TestDeadWorkers(t *testing.T) {
	params := append(small(), param{"c", goptuna.CategoricalDistribution{Choices: []string{"1", "2", "3"}}})
	study := newStudy(t, seeded(t, 8, fm.SamplerOptionNumberOfStartupTrials(4)))
	objective := ask(params, func(x map[string]float64) float64 { return x["a"] + x["b"] + x["c"] })
	optimize(t, study, objective, 6)
	left := map[string]bool{}
	for range 4 {
		id, err := study.Storage.CreateNewTrial(study.ID)
		if err != nil {
			t.Fatal(err)
		}
		x, err := suggest(&goptuna.Trial{Study: study, ID: id}, params...)
		if err != nil {
			t.Fatal(err)
		}
		left[fmt.Sprint(x)] = true
	}
	optimize(t, study, objective, 8)
	trials := trialsOf(t, study)
	if n := duplicates(trials); n > 0 || len(left) != 4 || len(trials) != 18 {
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
		study := newStudy(t, seeded(t, 11, append(test.opts, fm.SamplerOptionNumberOfStartupTrials(2))...))
		objective := ask(small(), func(x map[string]float64) float64 { return x["a"] + x["b"] })
		optimize(t, study, objective, 1)
		if _, err := suggest(&goptuna.Trial{Study: study, ID: runningTrial(t, study).ID}, small()...); err != nil {
			t.Fatal(err)
		}
		optimize(t, study, objective, 11)
		done := map[string]bool{}
		for _, trial := range trialsOf(t, study) {
			if trial.State == goptuna.TrialStateComplete {
				done[fmt.Sprint(trial.InternalParams)] = true
			}
		}
		if len(done) != test.want {
			t.Errorf("%s: %d of 6 configurations were evaluated, want %d (%s)", test.name, len(done), test.want, test.why)
		}
	}
}

// A graph tells which choices are alike: on a cycle the model needs few trials
// to find the one that is best.
func TestGraphGuides(t *testing.T) {
	const n, best = 60, 41
	choices := make([]string, n)
	for i := range choices {
		choices[i] = fmt.Sprintf("direction %d", i)
	}
	params := []param{{"direction", goptuna.CategoricalDistribution{Choices: choices}}}
	objective := ask(params, func(x map[string]float64) float64 {
		gap := (int(x["direction"]) - best + n) % n
		return float64(min(gap, n-gap))
	})
	found := func(opts ...fm.SamplerOption) int {
		study := newStudy(t, seeded(t, 9, opts...))
		optimize(t, study, objective, n)
		return slices.IndexFunc(trialsOf(t, study), func(trial goptuna.FrozenTrial) bool { return trial.Value == 0 })
	}
	cycle, complete := found(fm.SamplerOptionGraph("direction", graphs.Cycle(n))), found()
	if cycle > 20 || cycle < 0 || complete < 0 {
		t.Errorf("the best of %d directions is found in trial %d with a cycle, in trial %d without", n, cycle, complete)
	}
}
