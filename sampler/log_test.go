package sampler_test

import (
	"context"
	"log"
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// That values are no numbers is said once, with the first trial that has one.
func TestNoNumberIsLogged(t *testing.T) {
	var text strings.Builder
	logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelInfo}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(logger))
	for _, value := range []float64{2, math.NaN(), math.Inf(-1)} {
		fmtest.AddTrial(t, study, goptuna.TrialStateComplete, value)
	}
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }, 3)
	const want = "fm: complete trials whose value is NaN, infinite or far worse than all others are taken for failed ones: first: trial 1 with NaN\n"
	if n := strings.Count(text.String(), want); n != 1 {
		t.Errorf("%q comes %d times in\n%s", want, n, &text)
	}
}

// A graph of a parameter that no trial has asked for is said once, after the start-up.
func TestGraphOfUnknownParameterIsLogged(t *testing.T) {
	var text strings.Builder
	logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelWarn}
	sampler := fm.NewSampler(fm.SamplerOptionNumberOfStartupTrials(4), fm.SamplerOptionGraph("hour", graphs.Cycle(24)), fm.SamplerOptionGraph("Codec", graphs.Path(3)))
	study := fmtest.NewStudy(t, sampler, goptuna.StudyOptionLogger(logger))
	objective := func(trial goptuna.Trial) (float64, error) {
		hour, err := trial.SuggestInt("hour", 0, 23)
		if err != nil {
			return 0, err
		}
		codec, err := trial.SuggestCategorical("codec", []string{"a", "b", "c"})
		return float64(hour + len(codec)), err
	}
	fmtest.Optimize(t, study, objective, 4)
	if text.Len() > 0 {
		t.Errorf("in the start-up: %s", &text)
	}
	fmtest.Optimize(t, study, objective, 3)
	const want = `fm: no trial with a value has asked for the parameter "Codec" of SamplerOptionGraph: is the name right?` + "\n"
	if n := strings.Count(text.String(), want); n != 1 {
		t.Errorf("%q comes %d times in\n%s", want, n, &text)
	}
}

// The log tells values apart, whatever their units.
func TestValuesAreLogged(t *testing.T) {
	var text strings.Builder
	logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelInfo}
	study := fmtest.NewStudy(t, goptuna.NewRandomSampler(), goptuna.StudyOptionLogger(logger))
	values := []float64{2.5e-9, 0.25, 1234567.5, 3e20}
	err := fm.Optimize(t.Context(), study, func(context.Context, goptuna.Trial) (float64, error) {
		y := values[0]
		values = values[1:]
		return y, nil
	}, len(values))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"evaluation=2.5e-09\n", "evaluation=0.25\n", "evaluation=1234567.5\n", "evaluation=3e+20\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

// A parameter that trials no longer ask for is said once, with what they ask for instead. Those
// that come with a choice are not edited.
func TestEditedNamesAreLogged(t *testing.T) {
	for _, test := range []struct {
		name    string
		asks    func(number int) []string
		because string // of the line; empty where there is none
	}{
		{"as it was", func(int) []string { return []string{"rate", "size"} }, ""},
		{"misspelt", func(number int) []string {
			if number < 6 {
				return []string{"rate", "size"}
			}
			return []string{"rtae", "size"}
		}, `from trial 6 on not for ["rate"], and for ["rtae"] instead`},
		{"left out", func(number int) []string { return []string{"size", "rate"}[:1+min(1, 8/(number+1))] }, `from trial 8 on not for ["rate"]`},
		{"early", func(number int) []string { return []string{"size", "rate"}[:1+min(1, 4/(number+1))] }, ""},
		{"by turns", func(number int) []string { return []string{[]string{"momentum", "decay"}[number/4%2], "size"} }, ""},
		{"added", func(number int) []string { return []string{"size", "rate"}[:1+min(1, number/6)] }, ""},
	} {
		var text strings.Builder
		logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelInfo}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(logger))
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (sum float64, err error) {
			for _, name := range test.asks(trial.ID) {
				x, err := trial.SuggestFloat(name, 0, 1)
				if err != nil {
					return 0, err
				}
				sum += x
			}
			return sum, nil
		}, 12)
		const line = "fm: trials ask for other parameters than those before"
		want := 0
		if test.because != "" {
			want = 1
		}
		if n := strings.Count(text.String(), line); n != want || n > 0 && !strings.Contains(text.String(), line+": "+test.because+"\n") {
			t.Errorf("%s: %q comes %d times, want %d with %q, in\n%s", test.name, line, n, want, test.because, &text)
		}
	}
}

// A name with two kinds of distributions by turns is said once. One that was edited has no place.
func TestTwoKindsAreLogged(t *testing.T) {
	for _, test := range []struct {
		name     string
		isChoice func(number int) bool
		warnings int
	}{
		{"by turns", func(number int) bool { return number%2 == 0 }, 1},
		{"edited", func(number int) bool { return number < 8 }, 0},
	} {
		var text strings.Builder
		logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelInfo}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(logger))
		for number := range 20 {
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				if test.isChoice(number) {
					size, err := trial.SuggestCategorical("size", []string{"s", "m", "xl"})
					return float64(len(size)), err
				}
				size, err := trial.SuggestInt("size", 1, 40)
				return float64(size), err
			}, 1)
		}
		const want = `[WARN] fm: parameter "size" is a choice in some trials and an int in others: `
		if n := strings.Count(text.String(), want); n != test.warnings {
			t.Errorf("%s: %q comes %d times, want %d, in\n%s", test.name, want, n, test.warnings, &text)
		}
	}
}

// A value that is better than all others by far more than these differ is named, once, unless
// they hardly differ.
func TestSuspectValueIsLogged(t *testing.T) {
	for _, test := range []struct {
		slip, least float64
		want        int
	}{{1, 10, 0}, {10, 10, 1}, {10, 86, 0}} {
		var text strings.Builder
		logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelInfo}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(logger), goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize))
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			number, err := trial.Number()
			if err != nil {
				return 0, err
			}
			x, err := trial.SuggestFloat("x", 0, 1)
			yield := math.Max(test.least, 90-80*math.Abs(x-0.3))
			if number == 12 {
				yield *= test.slip
			}
			return yield, err
		}, 16)
		if n := strings.Count(text.String(), "fm: the best value is far better than all others, by more than these differ: trial 12 with "); n != test.want {
			t.Errorf("%+v: said %d times in\n%s", test, n, &text)
		}
	}
}

// It is a value of the objective as that gave it: no sum of violations, as long as no trial is
// feasible, and not at the level of a value that is left.
func TestSuspectValueIsTheObjectives(t *testing.T) {
	for _, test := range []struct {
		name      string
		objective func(trial goptuna.Trial, number int, x float64) (float64, error)
		want      string // empty where there is none
	}{
		{"no trial is feasible", func(trial goptuna.Trial, number int, x float64) (float64, error) {
			ms := 50 + 10*x
			if number == 12 {
				ms = 20.01
			}
			return fm.Constrained(trial, x, fm.AtMost("ms", ms, 20))
		}, ""},
		{"on another machine", func(trial goptuna.Trial, number int, x float64) (float64, error) {
			machine, level := "old", 0.0
			if number > 12 {
				machine, level = "new", 100
			}
			if _, err := trial.SuggestCategorical("machine", []string{machine}); err != nil {
				return 0, err
			}
			if number == 3 {
				return -500, nil
			}
			return level + 50 + 40*x, nil
		}, "trial 3 with -500;"},
	} {
		var text strings.Builder
		logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelInfo}
		before := &relay{problems.NewRandomSampler(1)} // the first trials are made before anything is logged
		study := fmtest.NewStudy(t, before, goptuna.StudyOptionLogger(logger), goptuna.StudyOptionIgnoreError(true))
		objective := func(trial goptuna.Trial) (float64, error) {
			number, err := trial.Number()
			if err != nil {
				return 0, err
			}
			k, err := trial.SuggestInt("k", 0, 4)
			if err != nil {
				return 0, err
			}
			return test.objective(trial, number, float64(k)/4)
		}
		fmtest.Optimize(t, study, objective, 14)
		before.Sampler = fmtest.Seeded(t, 1)
		fmtest.Optimize(t, study, objective, 2)
		_, said, _ := strings.Cut(text.String(), "fm: the best value is far better than all others, by more than these differ: ")
		if !strings.HasPrefix(said, test.want) || test.want == "" && said != "" {
			t.Errorf("%s: said %q, want %q", test.name, said, test.want)
		}
	}
}
