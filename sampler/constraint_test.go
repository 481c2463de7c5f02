package sampler_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// measuredBy returns the answer of Constrained in a trial of its own, and what the trial stores.
func measuredBy(t *testing.T, value float64, constraints ...fm.Constraint) (got float64, stored string, err error) {
	t.Helper()
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	trial := goptuna.Trial{Study: study, ID: fmtest.RunningTrial(t, study).ID}
	got, err = fm.Constrained(trial, value, constraints...)
	attrs, attrsErr := trial.GetSystemAttrs()
	if attrsErr != nil {
		t.Fatal(attrsErr)
	}
	return got, attrs["fm:measured"], err
}

// What Constrained returns, says and stores.
func TestConstrained(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name        string
		value       float64
		constraints []fm.Constraint
		want        string // the error, empty where there is none
		stored      string
	}{
		{"no constraint", 3, nil, "", `{"y":3,"c":{}}`},
		{"both hold", 3, []fm.Constraint{fm.AtMost("ms", 10, 20), fm.AtLeast("rate", 0.75, 0.5)}, "", `{"y":3,"c":{"ms":{"m":10,"l":20},"rate":{"m":0.75,"l":0.5,"least":true}}}`},
		{"at the limits", 3, []fm.Constraint{fm.AtMost("ms", 20, 20), fm.AtLeast("rate", 0.5, 0.5)}, "", `{"y":3,"c":{"ms":{"m":20,"l":20},"rate":{"m":0.5,"l":0.5,"least":true}}}`},
		{
			"both are violated", -3, []fm.Constraint{fm.AtMost("ms", 25.5, 20), fm.AtLeast("rate", 0.25, 0.5)},
			"fm: infeasible: ms is 25.5 (at most 20); rate is 0.25 (at least 0.5)", `{"y":-3,"c":{"ms":{"m":25.5,"l":20},"rate":{"m":0.25,"l":0.5,"least":true}}}`,
		},
		{"one is violated", 3, []fm.Constraint{fm.AtMost("ms", 25, 20), fm.AtLeast("rate", 1, 0.5)}, "fm: infeasible: ms is 25 (at most 20)", `{"y":3,"c":{"ms":{"m":25,"l":20},"rate":{"m":1,"l":0.5,"least":true}}}`},
		{"no value", nan, []fm.Constraint{fm.AtMost("ms", 25, 20)}, "fm: infeasible: ms is 25 (at most 20)", `{"c":{"ms":{"m":25,"l":20}}}`},
		{"NaN", 3, []fm.Constraint{fm.AtMost("ms", nan, 20), fm.AtMost("mb", 5, 6)}, "fm: infeasible: ms is NaN (at most 20)", `{"c":{"mb":{"m":5,"l":6}},"unknown":["ms"]}`},
		{"infinite", 3, []fm.Constraint{fm.AtLeast("ms", inf, 20)}, "fm: infeasible: ms is +Inf (at least 20)", `{"c":{},"unknown":["ms"]}`},
		{"infinite, with the good sign", 3, []fm.Constraint{fm.AtMost("ms", -inf, 20)}, "fm: infeasible: ms is -Inf (at most 20)", `{"c":{},"unknown":["ms"]}`},
		{"no limit", 3, []fm.Constraint{fm.AtMost("ms", 5, inf)}, "", `{"y":3,"c":{"ms":{"m":5,"l":1.7976931348623157e+308}}}`},
		{"more than a float holds", 3, []fm.Constraint{fm.AtMost("ms", 1e308, -1e308)}, "fm: infeasible: ms is 1e+308 (at most -1e+308)", `{"y":3,"c":{"ms":{"m":1e+308,"l":-1e+308}}}`},
		{"NaN as a limit", 3, []fm.Constraint{fm.AtMost("ms", 1, nan)}, `fm: the limit of constraint "ms" is NaN: give a number`, ""},
		{"a name twice", 3, []fm.Constraint{fm.AtMost("ms", 1, 2), fm.AtLeast("ms", 1, 0)}, `fm: two constraints have the name "ms": give each one of its own`, ""},
		{"a name twice, without a size", 3, []fm.Constraint{fm.AtMost("ms", nan, 2), fm.AtLeast("ms", 1, 0)}, `fm: two constraints have the name "ms": give each one of its own`, ""},
		{"the same name as JSON", 3, []fm.Constraint{fm.AtMost("\xff", 3, 2), fm.AtLeast("\xfe", 1, 0)}, `fm: two constraints have the name "\xfe": give each one of its own`, ""},
		{"no name", 3, []fm.Constraint{fm.AtMost("", 1, 2)}, `fm: constraint 1 of 1 has no name: give it one`, ""},
		{"a name beyond ASCII", 3, []fm.Constraint{fm.AtMost("Größe \"🙂\"", 1, 2)}, "", `{"y":3,"c":{"Gr\u00f6\u00dfe \"\ud83d\ude42\"":{"m":1,"l":2}}}`},
	} {
		got, stored, err := measuredBy(t, test.value, test.constraints...)
		if text := fmt.Sprint(err); err == nil && test.want != "" || err != nil && text != test.want {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
		if infeasible := strings.HasPrefix(test.want, "fm: infeasible"); errors.Is(err, fm.ErrInfeasible) != infeasible {
			t.Errorf("%s: the error is ErrInfeasible: %t", test.name, !infeasible)
		}
		if err == nil && got != test.value || err != nil && !math.IsNaN(got) {
			t.Errorf("%s: value %v", test.name, got)
		}
		if stored != test.stored {
			t.Errorf("%s: stored %s, want %s", test.name, stored, test.stored)
		}
	}
}

// A storage that refuses what was measured is an error with the remedy.
func TestConstrainedStorageError(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	trial := goptuna.Trial{Study: study, ID: fmtest.RunningTrial(t, study).ID}
	storage := &broken{Storage: study.Storage, writes: true}
	study.Storage = storage
	for n, want := range map[int]string{2: "is full", 2100: "; they have 2130 characters and may have 2048: give fewer of them, or shorter names"} {
		_, err := fm.Constrained(trial, 1, fm.AtMost(strings.Repeat("a", n), 1, 2))
		if !errors.Is(err, errStorage) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("a name of %d characters: %v, want %q", n, err, want)
		}
	}
	storage.writes = false
}

// inBox is an objective of three floats with a constraint on each, which holds in half a
// percent of the space.
func inBox(trial goptuna.Trial) (float64, error) {
	const half = 0.0855 // (2·0.0855)³ = 0.005
	cost := 0.0
	var constraints []fm.Constraint
	for i, middle := range [...]float64{0.3, 0.62, 0.8} {
		name := string(rune('x' + i))
		v, err := trial.SuggestFloat(name, 0, 1)
		if err != nil {
			return 0, err
		}
		cost += v
		constraints = append(constraints, fm.AtMost(name+" off", math.Abs(v-middle), half))
	}
	return fm.Constrained(trial, cost, constraints...)
}

// Where half a percent of the space is feasible it is found, and then its corner; the best
// trial of the study is feasible. Of random draws, 50 find none in four studies of five.
func TestConstraintsAreFound(t *testing.T) {
	fmtest.Sequential(t)
	const least = 0.3 + 0.62 + 0.8 - 3*0.0855
	for _, seed := range fmtest.Seeds(5) {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true), goptuna.StudyOptionLogger(log))
		fmtest.Optimize(t, study, inBox, 50)
		if best, err := study.GetBestValue(); err != nil || best < least || best > least+0.02 {
			t.Errorf("seed %d: the best value is %v, want a little more than %v; %v", seed, best, least, err)
		}
		log.Check(t, 0, "")
	}
}

// Trials beyond the limits have no value: the limits are learned all the same, and the values
// within them, where a start-up that waited for four values would last for hundreds of trials.
func TestConstraintsWithoutValues(t *testing.T) {
	fmtest.Sequential(t)
	for name, value := range map[string]func(y float64) float64{"a slope": func(y float64) float64 { return y }, "equal values": func(float64) float64 { return 1 }} {
		for _, seed := range fmtest.Seeds(4) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
			within, best := 0, math.Inf(1)
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				rest, y := 1.0, 0.0
				for i := range 5 {
					x, err := trial.SuggestFloat(fmt.Sprint("x", i), 0, 1)
					if err != nil {
						return 0, err
					}
					rest, y = rest-x, y+float64(i+1)*x
				}
				if rest >= 0 { // in 1/120 of the space
					within, best = within+1, min(best, -y)
				} else {
					y = math.NaN()
				}
				return fm.Constrained(trial, value(-y), fm.AtLeast("rest", rest, 0))
			}, 40)
			if within < 10 {
				t.Errorf("%s, seed %d: %d of 40 trials are within the limit", name, seed, within)
			}
			if name == "a slope" && best > -4.3 {
				t.Errorf("seed %d: the best value is %v, want nearly -5", seed, best)
			}
		}
	}
}

// A process that continues a study suggests what the one before would have, while no trial is
// feasible and after: in memory, where trials and their attributes are shared, each trial has a
// new sampler.
func TestConstrainedRestart(t *testing.T) {
	fmtest.Sequential(t)
	run := func(restarts bool) []goptuna.FrozenTrial {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 3), goptuna.StudyOptionIgnoreError(true))
		for range 40 {
			if restarts {
				study = fmtest.NewStudy(t, fmtest.Seeded(t, 3), goptuna.StudyOptionIgnoreError(true), goptuna.StudyOptionStorage(study.Storage), goptuna.StudyOptionLoadIfExists(true))
			}
			fmtest.Optimize(t, study, inBox, 1)
		}
		return fmtest.TrialsOf(t, study)
	}
	want := run(false)
	fmtest.SameTrials(t, "with restarts", run(true), want)
	if n := fmtest.Count(want, goptuna.TrialStateComplete); n == 0 || n == len(want) {
		t.Errorf("%d of %d trials are feasible", n, len(want))
	}
	if last := want[len(want)-1].SystemAttrs; !strings.Contains(last["fm:plan:0"]+last["fm:plan:1"], `"q":{"x off":`) {
		t.Errorf("the last plan has no fit of constraints: %v", last)
	}
}

// Workers of one study with constraints stay out of each other's way.
func TestConstrainedConcurrently(t *testing.T) {
	params := fmtest.Mixed()
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	fmtest.Together(t, 4, func(trial goptuna.Trial) (float64, error) {
		x, err := fmtest.Suggest(&trial, params...)
		if err != nil {
			return 0, err
		}
		value, err := fm.Constrained(trial, fmtest.MixedValue(x), fm.AtMost("dropout", x["dropout"], 0.2), fm.AtLeast("kind", x["kind"], 1))
		if errors.Is(err, fm.ErrInfeasible) { // complete though it is
			return fmtest.MixedValue(x), nil
		}
		return value, err
	}, study)
}

// When every configuration has a trial, the best feasible one is repeated, whatever is better
// and infeasible.
func TestConstrainedExhausted(t *testing.T) {
	const all, best = 12, 5
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionIgnoreError(true))
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		n, err := trial.SuggestInt("n", 0, all-1)
		if err != nil {
			return 0, err
		}
		return fm.Constrained(trial, float64(n), fm.AtLeast("n", float64(n), best))
	}, all+6)
	for _, trial := range fmtest.TrialsOf(t, study)[all:] {
		if n := trial.Params["n"].(int); n < best || n > best+2 {
			t.Errorf("trial %d repeats %d", trial.Number, n)
		}
	}
}

// A branch in which no trial is feasible hides none of the other, nor do enqueued trials in
// it, and trials of every state that violate.
func TestConstrainedBranch(t *testing.T) {
	fmtest.Sequential(t)
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 2), goptuna.StudyOptionIgnoreError(true), goptuna.StudyOptionLogger(log))
	objective := func(trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"fast", "small"})
		if err != nil {
			return 0, err
		}
		if kind == "fast" { // never small enough
			x, err := trial.SuggestFloat("x", 0, 1)
			if err != nil {
				return 0, err
			}
			return fm.Constrained(trial, x-5, fm.AtMost("mb", 3+x, 2), fm.AtMost("ms", 1, 2))
		}
		y, err := trial.SuggestFloat("y", 0, 1)
		if err != nil {
			return 0, err
		}
		if y < 0.4 { // too slow, and then not measured
			return fm.Constrained(trial, math.NaN(), fm.AtMost("ms", 2.4-y, 2))
		}
		return fm.Constrained(trial, y, fm.AtMost("ms", 2.4-y, 2), fm.AtMost("mb", 1, 2))
	}
	for i := range 40 {
		if i%10 == 5 {
			fmtest.Enqueue(t, study, map[string]float64{"kind": 0, "x": 0.5})
		}
		fmtest.Optimize(t, study, objective, 1)
	}
	if best := fmtest.Best(t, study); best < 0.4 || best > 0.42 {
		t.Errorf("the best value is %v, want a little more than 0.4", best)
	}
	fast := 0
	trials := fmtest.TrialsOf(t, study)
	for _, trial := range trials[20:] {
		if trial.Params["kind"] == "fast" {
			fast++
		}
	}
	if fast > 12 {
		t.Errorf("%d of the last 20 trials are of the branch where none is feasible", fast)
	}
	if names := slices.Sorted(slices.Values(log.Warnings())); len(names) > 0 {
		t.Errorf("warnings %q", names)
	}
}

// In the log an infeasible trial is no error, and that none is feasible yet is said once. The
// study's attributes say nothing of the objective then: its model is one of violations.
func TestInfeasibleIsLogged(t *testing.T) {
	var text strings.Builder
	logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelInfo}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(logger))
	const trials = 12
	if err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			return 0, err
		}
		return fm.Constrained(trial, x, fm.AtLeast("x", x, 2))
	}, trials); err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]int{"Trial infeasible": trials, "Trial failed": 0, "fm: no trial is feasible yet": 1} {
		if n := strings.Count(text.String(), part); n != want {
			t.Errorf("%q comes %d times, want %d, in\n%s", part, n, want, &text)
		}
	}
	attrs, err := study.GetUserAttrs()
	if err != nil || len(attrs) > 0 {
		t.Errorf("attributes %v, %v", attrs, err)
	}
}

// What was measured counts, though the study was ended meanwhile: the trial was not interrupted.
func TestInfeasibleAtTheEnd(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(nil))
	ctx, end := context.WithCancel(t.Context())
	if err := fm.Optimize(ctx, study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		end()
		return fm.Constrained(trial, 1, fm.AtMost("ms", 3, 2))
	}, 2); err != nil {
		t.Fatal(err)
	}
	trials := fmtest.TrialsOf(t, study)
	if len(trials) != 1 {
		t.Errorf("%d trials, want 1", len(trials))
	}
	for _, trial := range trials {
		if trial.State != goptuna.TrialStateFail || trial.SystemAttrs[history.InterruptedAttr] != "" {
			t.Errorf("trial %d: %v, with the attributes %v", trial.Number, trial.State, trial.SystemAttrs)
		}
	}
}

// Who looks at a trial sees what was measured, whether it holds or not.
func TestLimitsAreShown(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	for _, test := range []struct{ ms, rate float64 }{{25.5, 0.75}, {10, 0.5}} {
		trial := goptuna.Trial{Study: study, ID: fmtest.RunningTrial(t, study).ID}
		fm.Constrained(trial, 1, fm.AtMost("ms", test.ms, 20), fm.AtLeast("rate", test.rate, 0.5))
		attrs, err := trial.GetUserAttrs()
		if want := fmt.Sprintf("ms is %v (at most 20); rate is %v (at least 0.5)", test.ms, test.rate); err != nil || attrs["fm: limits"] != want {
			t.Errorf("%q, error %v, want %q", attrs["fm: limits"], err, want)
		}
	}
}

// Constrained is called once in a running trial: what storage has would be replaced.
func TestConstrainedOnce(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	trial := goptuna.Trial{Study: study, ID: fmtest.RunningTrial(t, study).ID}
	if _, err := fm.Constrained(trial, 1, fm.AtMost("ms", 1, 2)); err != nil {
		t.Fatal(err)
	}
	if _, err := fm.Constrained(trial, 1, fm.AtMost("mb", 1, 2)); err == nil || err.Error() != "fm: Constrained was called before in trial 0: give all constraints in one call" {
		t.Errorf("a second call: %v", err)
	}
	if err := study.Storage.SetTrialState(trial.ID, goptuna.TrialStateComplete); err != nil {
		t.Fatal(err)
	}
	if _, err := fm.Constrained(trial, 1, fm.AtMost("ms", 1, 2)); err == nil || err.Error() != "fm: trial 0 has ended: call Constrained in its objective" {
		t.Errorf("after the end: %v", err)
	}
}

// An objective that forgets the error of Constrained has an infeasible trial all the same,
// whatever it returns.
func TestForgottenError(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	if err := fm.Optimize(context.Background(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			return 0, err
		}
		value, _ := fm.Constrained(trial, x, fm.AtLeast("x", x, 0.5))
		if x < 0.25 {
			value = x
		}
		return value, nil
	}, 12); err != nil {
		t.Fatal(err)
	}
	for _, trial := range fmtest.TrialsOf(t, study) {
		x := trial.Params["x"].(float64)
		reason := ""
		if x < 0.5 {
			reason = "fm: infeasible: " + trial.UserAttrs["fm: limits"]
		}
		if (trial.State == goptuna.TrialStateFail) != (x < 0.5) || trial.UserAttrs["fm: error"] != reason {
			t.Errorf("x = %v: %v with %q", x, trial.State, trial.UserAttrs)
		}
	}
}

// So has one that measures NaN.
func TestForgottenErrorOfNaN(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	if err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		fm.Constrained(trial, x, fm.AtMost("ms", math.NaN(), 1), fm.AtMost("mb", 1, 2))
		return x, err
	}, 3); err != nil {
		t.Fatal(err)
	}
	for _, trial := range fmtest.TrialsOf(t, study) {
		if reason := trial.UserAttrs["fm: error"]; trial.State != goptuna.TrialStateFail || reason != "fm: infeasible: ms was no finite number" {
			t.Errorf("%v with %q", trial.State, reason)
		}
	}
}

// Where values and quantities have noise the best feasible trial was lucky, and better ones
// are beyond the limit: the search does not stay there.
func TestNoiseAtALimit(t *testing.T) {
	within := 0
	for seed := range int64(4) {
		study := fmtest.NewStudy(t, fm.NewSampler(fm.SamplerOptionSeed(seed)), goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize))
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		if err := fm.Optimize(context.Background(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
			x, err := trial.SuggestFloat("x", 0, 1)
			if err != nil {
				return 0, err
			}
			y, err := trial.SuggestFloat("y", 0, 1)
			if err != nil {
				return 0, err
			}
			noisy := func(v float64) float64 { return v * (1 + 0.01*rng.NormFloat64()) }
			return fm.Constrained(trial, noisy(3*x+2*y), fm.AtMost("weight", noisy(x*x+y*y), 0.5), fm.AtLeast("y", noisy(y), 0.2))
		}, 60); err != nil {
			t.Fatal(err)
		}
		for _, trial := range fmtest.TrialsOf(t, study)[30:] {
			if trial.State == goptuna.TrialStateComplete {
				within++
			}
		}
	}
	t.Logf("%d of the last 120 trials are within the limits", within)
	if within < 12 {
		t.Errorf("%d of the last 120 trials are within the limits", within)
	}
}
