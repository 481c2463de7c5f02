package fmtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// An end is how a trial ends, and what is to be stored of it.
type end struct {
	name   string
	answer func(trial goptuna.Trial) (float64, error)
	state  goptuna.TrialState
	reason string // part of the attribute that says why it failed
	stack  string // part of the one that says where it panicked
}

func returns(value float64, err error) func(goptuna.Trial) (float64, error) {
	return func(goptuna.Trial) (float64, error) { return value, err }
}

// ends are those of which no one may end a study, or be its best, but the last two.
func ends() []end {
	return []end{
		{"NaN first", returns(math.NaN(), nil), goptuna.TrialStateFail, "returned NaN", ""},
		{"infinity", returns(math.Inf(1), nil), goptuna.TrialStateFail, "returned +Inf", ""},
		{"negative infinity", returns(math.Inf(-1), nil), goptuna.TrialStateFail, "returned -Inf", ""},
		{"an error", returns(0, errors.New("no data")), goptuna.TrialStateFail, "no data", ""},
		{"a long error with what databases refuse", returns(0, errors.New("\x00\xff"+strings.Repeat("ä", 5000))), goptuna.TrialStateFail, "ää", ""},
		{"a panic", panics, goptuna.TrialStateFail, "panic: out of cheese", "fmtest.panics"},
		{"a panic of the runtime", outOfRange, goptuna.TrialStateFail, "index out of range", "fmtest.outOfRange"},
		{"a panic with an error of Goptuna's", func(goptuna.Trial) (float64, error) { panic(goptuna.ErrTrialPruned) }, goptuna.TrialStateFail, "pruned", "ends"},
		{"the end of its goroutine", exits, goptuna.TrialStateFail, "ended its goroutine", ""},
		{"an error with a value", returns(-1e9, errors.New("half done")), goptuna.TrialStateFail, "half done", ""},
		{"pruned", returns(0, goptuna.ErrTrialPruned), goptuna.TrialStatePruned, "", ""},
		{"pruned, wrapped, after a step", prunedAtAStep, goptuna.TrialStatePruned, "", ""},
		{"2", returns(2, nil), goptuna.TrialStateComplete, "", ""},
		{"1", returns(1, nil), goptuna.TrialStateComplete, "", ""},
	}
}

func panics(goptuna.Trial) (float64, error) { panic("out of cheese") }

func exits(goptuna.Trial) (float64, error) {
	runtime.Goexit()
	return 0, nil
}

func outOfRange(trial goptuna.Trial) (float64, error) {
	return make([]float64, trial.ID)[trial.ID], nil
}

func prunedAtAStep(trial goptuna.Trial) (float64, error) {
	if err := trial.ShouldPrune(3, -7); err != nil {
		return 0, fmt.Errorf("stopped early: %w", err)
	}
	return 0, errors.New("the pruner did not prune")
}

// CheckEnds checks what Optimize makes of every end, minimising and maximising, by
// one worker and by four, each time in a new storage.
func CheckEnds(t *testing.T, storage func(testing.TB) goptuna.Storage) {
	t.Helper()
	for _, direction := range []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize} {
		for _, workers := range []int{1, 4} {
			study := endsStudy(t, direction, storage(t))
			const rounds = 3 // the model takes over in the second
			all := ends()
			reported := 0
			err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
				if _, err := trial.SuggestFloat("x", 0, 1); err != nil {
					return 0, err
				}
				number, err := trial.Number()
				if err != nil {
					return 0, err
				}
				return all[number%len(all)].answer(trial)
			}, rounds*len(all), fm.OptimizeOptionWorkers(workers),
				fm.OptimizeOptionFinished(func(trial goptuna.FrozenTrial) {
					reported++
					if want := all[trial.Number%len(all)]; trial.State != want.state {
						t.Errorf("%s: reported as %v", want.name, trial.State)
					}
				}))
			if err != nil {
				t.Errorf("%s, %d workers: %v", direction, workers, err)
			}
			trials := TrialsOf(t, study)
			if len(trials) != rounds*len(all) || reported != len(trials) {
				t.Errorf("%s, %d workers: %d trials, %d reported, want %d", direction, workers, len(trials), reported, rounds*len(all))
			}
			for _, trial := range trials {
				all[trial.Number%len(all)].check(t, trial)
			}
			want := map[goptuna.StudyDirection]float64{goptuna.StudyDirectionMinimize: 1, goptuna.StudyDirectionMaximize: 2}[direction]
			if best, err := study.GetBestValue(); best != want || err != nil {
				t.Errorf("%s, %d workers: best value %v, error %v; want %v", direction, workers, best, err, want)
			}
		}
	}
}

// check checks what is stored of a trial.
func (e end) check(t *testing.T, trial goptuna.FrozenTrial) {
	t.Helper()
	if trial.State != e.state || trial.DatetimeComplete.IsZero() {
		t.Errorf("%s: %v at %v, want %v", e.name, trial.State, trial.DatetimeComplete, e.state)
	}
	reason, stack := trial.UserAttrs["fm: error"], trial.UserAttrs["fm: stack"]
	if !strings.Contains(reason, e.reason) || (reason == "") != (e.reason == "") {
		t.Errorf("%s: reason %q, want %q", e.name, reason, e.reason)
	}
	// The first frame is the one that panicked.
	first, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine"), "\n")
	if !strings.Contains(stack, e.stack) || (stack == "") != (e.stack == "") || e.stack != "" && strings.Contains(first, "debug.Stack") {
		t.Errorf("%s: stack %q, want %q", e.name, stack, e.stack)
	}
	if !utf8.ValidString(reason+stack) || utf8.RuneCountInString(reason) > 2046 || utf8.RuneCountInString(stack) > 2046 {
		t.Errorf("%s: attributes that not every database takes: %q, %q", e.name, reason, stack)
	}
	if e.name == "pruned, wrapped, after a step" && trial.Value != -7 {
		t.Errorf("%s: value %v, want that of its last step", e.name, trial.Value)
	}
}

// CheckContext checks that a context ends a study: nothing is left running, and
// the study goes on with the next call.
func CheckContext(t *testing.T, storage func(testing.TB) goptuna.Storage) {
	t.Helper()
	for _, workers := range []int{1, 4} {
		study := endsStudy(t, goptuna.StudyDirectionMinimize, storage(t))
		ctx, cancel := context.WithCancel(t.Context())
		objective := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
			x, err := trial.SuggestFloat("x", 0, 1)
			if err != nil {
				return 0, err
			}
			number, err := trial.Number()
			if err != nil {
				return 0, err
			}
			if number < 5 {
				return x, nil
			}
			time.AfterFunc(20*time.Millisecond, cancel)
			select {
			case <-ctx.Done():
				return 0, ctx.Err()
			case <-time.After(time.Minute):
				return 0, errors.New("the context has not ended")
			}
		}
		if err := fm.Optimize(ctx, study, objective, 1000, fm.OptimizeOptionWorkers(workers)); err != nil {
			t.Errorf("%d workers: %v", workers, err)
		}
		trials := TrialsOf(t, study)
		complete, failed := Count(trials, goptuna.TrialStateComplete), Count(trials, goptuna.TrialStateFail)
		if complete != 5 || failed < 1 || failed > workers || complete+failed != len(trials) {
			t.Errorf("%d workers: of %d trials %d are complete and %d failed; want 5, and one for each worker", workers, len(trials), complete, failed)
		}
		if err := fm.Optimize(ctx, study, objective, 10); err != nil || len(TrialsOf(t, study)) != len(trials) {
			t.Errorf("a context that has ended: error %v, %d new trials", err, len(TrialsOf(t, study))-len(trials))
		}
		value := func(_ context.Context, trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }
		if err := fm.Optimize(t.Context(), study, value, 3); err != nil || len(TrialsOf(t, study)) != len(trials)+3 {
			t.Errorf("going on: error %v, %d new trials, want 3", err, len(TrialsOf(t, study))-len(trials))
		}
	}
}

// CheckEndedByAnother checks that a trial which another program ends keeps that end,
// whatever its objective returns, and that the study goes on.
func CheckEndedByAnother(t *testing.T, storage func(testing.TB) goptuna.Storage) {
	t.Helper()
	for _, answer := range []error{nil, ErrObjective, goptuna.ErrTrialPruned} {
		log := &Recorder{}
		study := NewStudy(t, Seeded(t, 1), goptuna.StudyOptionStorage(storage(t)), goptuna.StudyOptionLogger(log))
		if err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
			number, err := trial.Number()
			if err != nil || number != 1 {
				return 1, err
			}
			if err := study.Storage.SetTrialState(trial.ID, goptuna.TrialStateFail); err != nil {
				t.Error(err)
			}
			return 0, answer
		}, 3); err != nil {
			t.Errorf("after the answer %v: %v", answer, err)
		}
		trials := TrialsOf(t, study)
		if len(trials) != 3 || Count(trials, goptuna.TrialStateComplete) != 2 || trials[1].State != goptuna.TrialStateFail {
			t.Errorf("after the answer %v: trials %+v, want the second failed and two complete", answer, trials)
		}
		if reason, ok := trials[1].UserAttrs["fm: error"]; ok {
			t.Errorf("after the answer %v: the end by another program has the reason %q", answer, reason)
		}
		log.Check(t, 1, "another program has ended a trial")
	}
}

func endsStudy(t *testing.T, direction goptuna.StudyDirection, storage goptuna.Storage) *goptuna.Study {
	t.Helper()
	return NewStudy(t, Seeded(t, 1), goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionDirection(direction), goptuna.StudyOptionPruner(PruneAll{}))
}
