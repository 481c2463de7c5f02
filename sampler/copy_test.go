package sampler_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Each way in which a trial may have ended, and what it is within a limit of 30 ms for 20.
func TestCopyTrials(t *testing.T) {
	nan := math.NaN()
	measured := func(value, ms float64) func(goptuna.Trial) (float64, error) {
		return func(trial goptuna.Trial) (float64, error) {
			return fm.Constrained(trial, value, fm.AtMost("ms", ms, 20), fm.AtLeast("rate", 0.9, 0.5))
		}
	}
	broken := errors.New("broken")
	const complete, failed, pruned = "Complete", "Fail", "Pruned"
	for _, test := range []struct {
		name      string
		objective func(goptuna.Trial) (float64, error)
		want      string // its state, value and reason, empty where it is not copied
	}{
		{"within", measured(1, 10), complete + " 1 "},
		{"beyond the old one", measured(2, 25), complete + " 2 "},
		{"beyond both", measured(3, 35), failed + " 0 fm: infeasible: ms is 35 (at most 30)"},
		{"beyond the old one, without a value", measured(nan, 25), ""},
		{"beyond both, without a value", measured(nan, 35), failed + " 0 fm: infeasible: ms is 35 (at most 30)"},
		{"NaN", measured(4, nan), failed + " 0 fm: infeasible: ms is NaN (at most 20)"},
		{"not measured", func(goptuna.Trial) (float64, error) { return 5, nil }, complete + " 5 "},
		{"failed", func(goptuna.Trial) (float64, error) { return 0, broken }, failed + " 0 broken"},
		{"failed after it had measured", func(trial goptuna.Trial) (float64, error) {
			measured(6, 10)(trial)
			return 0, broken
		}, failed + " 0 broken"},
		{"pruned", func(trial goptuna.Trial) (float64, error) {
			return 7, goptuna.ErrTrialPruned
		}, pruned + " 0 "},
	} {
		log := &fmtest.Recorder{}
		from := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(log))
		if err := fm.Optimize(t.Context(), from, func(_ context.Context, trial goptuna.Trial) (float64, error) {
			if _, err := trial.SuggestFloat("x", 0, 1); err != nil {
				return 0, err
			}
			return test.objective(trial)
		}, 1); err != nil {
			t.Fatal(err)
		}
		fmtest.RunningTrial(t, from) // is left out
		before := fmtest.TrialsOf(t, from)[0]
		to := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
		limits := map[string]float64{}
		if history.MeasurementOf(before.SystemAttrs).Quantities["ms"].Limit == 20 {
			limits["ms"] = 30
		}
		if err := fm.CopyTrials(to, from, fm.CopyOptionLimits(limits)); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		var got []string
		for _, trial := range fmtest.TrialsOf(t, to) {
			got = append(got, fmt.Sprintf("%v %v %s", trial.State, trial.Value, trial.UserAttrs["fm: error"]))
			if !maps.Equal(trial.Params, before.Params) || !trial.DatetimeComplete.Equal(before.DatetimeComplete) {
				t.Errorf("%s: %+v was copied from %+v", test.name, trial, before)
			}
		}
		want := []string{test.want}
		if test.want == "" {
			want = nil
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
		for i, trial := range fmtest.TrialsOf(t, to) { // other maps than those of the first study
			trial.Params["y"], trial.UserAttrs["y"] = 1, "1"
			if _, shared := fmtest.TrialsOf(t, from)[i].Params["y"]; shared {
				t.Errorf("%s: the copy shares its maps", test.name)
			}
		}
	}
}

// A trial that failed for another reason keeps it under a tighter limit.
func TestCopyTrialsFailedOtherwise(t *testing.T) {
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	if err := fm.Optimize(t.Context(), from, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		if _, err := fm.Constrained(trial, 1, fm.AtMost("ms", 10, 20)); err != nil {
			return 0, err
		}
		return 0, fmtest.ErrObjective
	}, 1); err != nil {
		t.Fatal(err)
	}
	if err := fm.CopyTrials(to, from, fm.CopyOptionLimits(map[string]float64{"ms": 5})); err != nil {
		t.Fatal(err)
	}
	trial := fmtest.TrialsOf(t, to)[0]
	if got := trial.UserAttrs["fm: error"]; trial.State != goptuna.TrialStateFail || got != fmtest.ErrObjective.Error() {
		t.Errorf("%v, %q; it failed with %q", trial.State, got, fmtest.ErrObjective)
	}
}

// Without a limit every trial that has measured a value is complete.
func TestCopyTrialsWithoutALimit(t *testing.T) {
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionIgnoreError(true)), fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	fmtest.Optimize(t, from, func(trial goptuna.Trial) (float64, error) {
		return fm.Constrained(trial, 1, fm.AtMost("ms", float64(trial.ID), 1))
	}, 4)
	if err := fm.CopyTrials(to, from, fm.CopyOptionLimits(map[string]float64{"ms": math.Inf(1)})); err != nil {
		t.Fatal(err)
	}
	if n := fmtest.Count(fmtest.TrialsOf(t, to), goptuna.TrialStateComplete); n != 4 {
		t.Errorf("%d of 4 are complete", n)
	}
}

// A trial in memory may have values as objectives get them alone. A database would take none of
// these: the copy has both representations.
func TestCopyTrialsWithoutInternalParams(t *testing.T) {
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	trial := fmtest.Finished(t, 1)[0]
	want := trial.InternalParams
	trial.InternalParams = nil
	if _, err := from.Storage.CloneTrial(from.ID, trial); err != nil {
		t.Fatal(err)
	}
	if err := fm.CopyTrials(to, from); err != nil {
		t.Fatal(err)
	}
	if got := fmtest.TrialsOf(t, to)[0].InternalParams; !maps.Equal(got, want) {
		t.Errorf("%v was copied from %v", got, want)
	}
}

// The directions are those in storage: Goptuna sets one after it has created the study, and a
// worker that loads it in between has the other one.
func TestCopyTrialsDirection(t *testing.T) {
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize))
	if err := from.Storage.SetStudyDirection(from.ID, goptuna.StudyDirectionMaximize); err != nil {
		t.Fatal(err)
	}
	if err := fm.CopyTrials(to, from); err != nil {
		t.Error(err)
	}
}

// A choice says what the copied trials were made with. Where the objective asks for another
// one, the sampler begins where they were good, and no matter what level they were at.
func TestCopyTrialsWithAChoice(t *testing.T) {
	const best = 0.3
	objective := func(machine string, level float64) goptuna.FuncObjective {
		return func(trial goptuna.Trial) (float64, error) {
			if machine != "" {
				if got, err := trial.SuggestCategorical("machine", []string{machine}); err != nil || got != machine {
					return 0, fmt.Errorf("%q: %v", got, err)
				}
			}
			x, err := trial.SuggestFloat("x", 0, 1)
			return level + (x-best)*(x-best), err
		}
	}
	var log infos
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(&log))
	fmtest.Optimize(t, from, objective("", 0), 15)
	if err := fm.CopyTrials(to, from, fm.CopyOptionChoice("machine", "old")); err != nil {
		t.Fatal(err)
	}
	for i, trial := range fmtest.TrialsOf(t, to) {
		if before := fmtest.TrialsOf(t, from)[i]; trial.Params["machine"] != "old" || trial.Params["x"] != before.Params["x"] || before.Params["machine"] != nil {
			t.Fatalf("%v was copied from %v", trial.Params, before.Params)
		}
	}
	fmtest.Optimize(t, to, objective("new", 2), 3)
	for _, trial := range fmtest.TrialsOf(t, to)[15:] {
		if x := trial.Params["x"].(float64); math.Abs(x-best) > 0.1 {
			t.Errorf("trial %d is at %v", trial.Number, x)
		}
	}
	if n := strings.Count(strings.Join(log.messages, ""), `fm: "machine" has one value left`); n != 1 {
		t.Errorf("%d lines say what becomes of the others: %q", n, log.messages)
	}
}

// Where the copied trials mislead, the model leaves them out, and the log says so, once.
func TestCopyTrialsThatMislead(t *testing.T) {
	objective := func(machine string, sign float64) goptuna.FuncObjective {
		return func(trial goptuna.Trial) (float64, error) {
			if _, err := trial.SuggestCategorical("machine", []string{machine}); err != nil {
				return 0, err
			}
			x, err := trial.SuggestFloat("x", 0, 1)
			return sign * (x - 0.3) * (x - 0.3), err
		}
	}
	var log infos
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(&log))
	fmtest.Optimize(t, study, objective("old", 1), 15)
	fmtest.Optimize(t, study, objective("new", -1000), 15)
	trials := fmtest.TrialsOf(t, study)
	if x := trials[len(trials)-1].Params["x"].(float64); x < 0.9 {
		t.Errorf("the last trial is at %v, want about 1", x)
	}
	if n := strings.Count(strings.Join(log.messages, ""), `another value of ["machine"] than is left are left out`); n != 1 {
		t.Errorf("%d lines say that the others are left out: %q", n, log.messages)
	}
}

// Trials are left out by their numbers.
func TestCopyTrialsWithoutSome(t *testing.T) {
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	fmtest.Optimize(t, from, func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }, 5)
	if err := fm.CopyTrials(to, from, fm.CopyOptionWithout(1), fm.CopyOptionWithout(3, 4)); err != nil {
		t.Fatal(err)
	}
	before, after := fmtest.TrialsOf(t, from), fmtest.TrialsOf(t, to)
	if len(after) != 2 || after[0].Value != before[0].Value || after[1].Value != before[2].Value {
		t.Errorf("got %v, want trials 0 and 2 of %v", after, before)
	}
}

// A second call copies what is new. The study itself is known, whatever it was loaded by.
func TestCopyTrialsAgain(t *testing.T) {
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	objective := func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }
	for _, want := range []int{0, 3, 3 + 2 + 1} {
		if err := errors.Join(fm.CopyTrials(to, from), fm.CopyTrials(to, from)); err != nil {
			t.Fatal(err)
		}
		if n := len(fmtest.TrialsOf(t, to)); n != want {
			t.Errorf("%d trials, want %d", n, want)
		}
		if want > 0 {
			fmtest.Optimize(t, to, objective, 1)
		}
		fmtest.Optimize(t, from, objective, 3-want/3)
	}
	name, err := from.Storage.GetStudyNameFromID(from.ID)
	if err != nil {
		t.Fatal(err)
	}
	same, err := goptuna.LoadStudy(name, goptuna.StudyOptionStorage(from.Storage), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := fm.CopyTrials(same, from); err == nil || !strings.Contains(err.Error(), "a study cannot have its own trials again") {
		t.Errorf("into itself: %v", err)
	}
}

// Nonsense is an error that says what to give, and copies nothing.
func TestCopyTrialsErrors(t *testing.T) {
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	fmtest.Optimize(t, from, func(trial goptuna.Trial) (float64, error) {
		if _, err := trial.SuggestFloat("x", 0, 1); err != nil {
			return 0, err
		}
		return fm.Constrained(trial, 1, fm.AtMost("ms", 1, 2), fm.AtMost("mb", 1, 2))
	}, 1)
	for want, err := range map[string]error{
		"the study is nil":                                              errors.Join(fm.CopyTrials(nil, from), fm.CopyTrials(to, nil)),
		"a study cannot have its own trials again":                      fm.CopyTrials(from, from),
		`no trial has measured "p99": what was measured is ["mb" "ms"]`: fm.CopyTrials(to, from, fm.CopyOptionLimits(map[string]float64{"p99": 1})),
		`the limit of constraint "ms" is NaN`:                           fm.CopyTrials(to, from, fm.CopyOptionLimits(map[string]float64{"ms": math.NaN()})),
		`trial 0 has a parameter "x": leave the option out`:             fm.CopyTrials(to, from, fm.CopyOptionChoice("x", "1")),
		"the choice for copied trials has no name":                      fm.CopyTrials(to, from, fm.CopyOptionChoice("", "1")),
		"trial 7 cannot be left out: no trial with that number":         fm.CopyTrials(to, from, fm.CopyOptionWithout(0, 7)),
		"one study is to maximize and the other to minimize":            fm.CopyTrials(fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize)), from),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "fm: "+want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if n := len(fmtest.TrialsOf(t, to)); n > 0 {
		t.Errorf("%d trials were copied", n)
	}
	to.Storage = &broken{Storage: to.Storage, writes: true}
	if err := fm.CopyTrials(to, from); !errors.Is(err, errStorage) {
		t.Errorf("a storage that takes nothing: %v", err)
	}
}

// A limit that was edited is logged, once. Where it comes and goes it was not, and where it
// came after few trials.
func TestEditedLimitIsLogged(t *testing.T) {
	for _, test := range []struct {
		name  string
		limit func(number int, x float64) fm.Constraint
		want  int
	}{
		{"as it was", func(_ int, x float64) fm.Constraint { return fm.AtMost("ms", x, 0.5) }, 0},
		{"edited", func(number int, x float64) fm.Constraint { return fm.AtMost("ms", x, 0.5+float64(number/7)/10) }, 1},
		{"the other way round", func(number int, x float64) fm.Constraint {
			if number < 7 {
				return fm.AtMost("ms", x, 0.5)
			}
			return fm.AtLeast("ms", x, 0.5)
		}, 1},
		{"early", func(number int, x float64) fm.Constraint { return fm.AtMost("ms", x, 0.5+float64(min(number, 4)/4)) }, 0},
		{"by turns", func(number int, x float64) fm.Constraint { return fm.AtMost("ms", x, 0.5+float64(number/4%2)) }, 0},
		{"by trial", func(number int, x float64) fm.Constraint { return fm.AtMost("ms", x, float64(number)) }, 0},
	} {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionIgnoreError(true), goptuna.StudyOptionLogger(log))
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := trial.SuggestFloat("x", 0, 1)
			if err != nil {
				return 0, err
			}
			return fm.Constrained(trial, x, test.limit(trial.ID, x))
		}, 13)
		t.Run(test.name, func(t *testing.T) { log.Check(t, test.want, `fm: the limit of "ms" was edited`) })
	}
}

// After an edit the search is for what is within the new limit, be it tighter or looser: old
// trials beyond it are none to improve on, and those within it need not come again.
func TestEditedLimit(t *testing.T) {
	fmtest.Sequential(t)
	for _, most := range [][2]float64{{1.2, 0.3}, {0.3, 1.2}} {
		for _, seed := range fmtest.Seeds(3) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
			within := func(limit float64) {
				fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
					x, err := trial.SuggestFloat("x", 0, 1)
					if err != nil {
						return 0, err
					}
					y, err := trial.SuggestFloat("y", 0, 1)
					if err != nil {
						return 0, err
					}
					return fm.Constrained(trial, -x-y, fm.AtMost("weight", x*x+y*y, limit))
				}, 20)
			}
			within(most[0])
			within(most[1])
			best := 0.0
			for _, trial := range fmtest.TrialsOf(t, study)[20:] {
				if trial.State == goptuna.TrialStateComplete {
					best = min(best, trial.Value)
				}
			}
			if least := -math.Sqrt(2 * most[1]); best > least*0.99 {
				t.Errorf("limits %v, seed %d: the best trial after the edit has %v, the least is %v", most, seed, best, least)
			}
		}
	}
}

// The start of an enqueued trial is when it was enqueued. Its copy, too, has not run since: a
// running trial would count for five times as long.
func TestCopyTrialsThatWaited(t *testing.T) {
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	if _, err := from.Storage.CloneTrial(from.ID, goptuna.FrozenTrial{
		State: goptuna.TrialStateWaiting, DatetimeStart: time.Now().Add(-24 * time.Hour),
		Params: map[string]any{}, InternalParams: map[string]float64{}, Distributions: map[string]any{},
		UserAttrs: map[string]string{}, SystemAttrs: map[string]string{"fixed_params": `{"x":0.5}`},
	}); err != nil {
		t.Fatal(err)
	}
	fmtest.Optimize(t, from, func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }, 3)
	if err := fm.CopyTrials(to, from); err != nil {
		t.Fatal(err)
	}
	for _, study := range []*goptuna.Study{from, to} {
		h, err := history.Read(study, history.NoTrial)
		if err != nil {
			t.Fatal(err)
		}
		if limit := observe.RunningLimit(h); limit > time.Hour {
			t.Errorf("a running trial counts for %v", limit)
		}
	}
}

// Two workers that start at once may both find nothing copied: the sampler, the report and
// insight see each trial once.
func TestCopyTrialsAtOnce(t *testing.T) {
	from, to := fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	fmtest.Optimize(t, from, func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }, 3)
	if err := fm.CopyTrials(to, from); err != nil {
		t.Fatal(err)
	}
	for _, trial := range fmtest.TrialsOf(t, to) {
		if _, err := to.Storage.CloneTrial(to.ID, trial); err != nil {
			t.Fatal(err)
		}
	}
	h, err := history.Read(to, history.NoTrial)
	if err != nil {
		t.Fatal(err)
	}
	if all := fmtest.TrialsOf(t, to); len(all) != 6 || len(h.Finished) != 3 || h.Finished[2].Number != 2 {
		t.Errorf("of %d trials %d are read, want 3 of 6", len(all), len(h.Finished))
	}
}
