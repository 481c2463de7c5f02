package sampler_test

import (
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Where all values are alike, each value of each choice has its turn, those that
// fail at most half of it.
func TestNeglectedValues(t *testing.T) {
	fmtest.Sequential(t)
	const trials = 60
	choices := []string{"a", "b", "c", "fails"}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 3), goptuna.StudyOptionIgnoreError(true))
	count := map[string]int{}
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		mode, err := trial.SuggestCategorical("mode", choices)
		if err != nil {
			return 0, err
		}
		size, err := trial.SuggestInt("size", 0, 9)
		if err != nil {
			return 0, err
		}
		x, err := trial.SuggestFloat("x", 0, 1)
		count[mode]++
		switch {
		case mode == "fails":
			return 0, fmtest.ErrObjective
		case mode == "a": // a plateau
			return 1 + 0.001*float64(size%3), err
		}
		return 1.2 + 0.1*math.Sin(40*x), err // no straight line that would rule it out
	}, trials)
	t.Log(count)
	for _, mode := range choices[:3] {
		if count[mode] < 6 {
			t.Errorf("%s has %d of %d trials", mode, count[mode], trials)
		}
	}
	if most := trials/8 + 6; count["fails"] > most {
		t.Errorf("what fails has %d of %d trials, want at most %d", count["fails"], trials, most)
	}
}

// The valley of Func2C comes near the best with many configurations, but is no
// plateau: trials follow it. These studies took it for one, and 42 of their trials
// were far outside, to look at values that were tried little.
func TestValleyIsNoPlateau(t *testing.T) {
	fmtest.Sequential(t)
	const trials, start, far, most = 60, 15, 1.0, 24
	objective := problems.Objective(problems.Func2C())
	outside := 0
	for _, seed := range []int64{1018, 1028, 1030, 1036} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		number := 0
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			value, err := objective(trial)
			if number++; number > start && value > far {
				outside++
			}
			return value, err
		}, trials)
	}
	t.Logf("%d trials are far outside the valley", outside)
	if outside > most {
		t.Errorf("%d trials are far outside the valley, want at most %d", outside, most)
	}
}

// Nor is the basin of choices and ints in which many configurations are good: of
// the bad values of a choice, none is looked at again but the one that has always
// failed.
func TestBasinIsNoPlateau(t *testing.T) {
	fmtest.Sequential(t)
	const trials, start = 60, 15
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(10)), goptuna.StudyOptionIgnoreError(true))
	count := map[string]int{}
	number := 0
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		mode, err := trial.SuggestCategorical("mode", []string{"good", "bad", "worse", "fails"})
		if err != nil {
			return 0, err
		}
		value := map[string]float64{"bad": 1, "worse": 2}[mode]
		for _, name := range []string{"x", "y", "z"} {
			n, err := trial.SuggestInt(name, 0, 9)
			if err != nil {
				return 0, err
			}
			value += 0.01 * math.Pow(float64(n-6), 2)
		}
		if number++; number > start {
			count[mode]++
		}
		if mode == "fails" {
			return 0, fmtest.ErrObjective
		}
		return value, nil
	}, trials)
	t.Log(count)
	if bad := count["bad"] + count["worse"]; bad > 4 {
		t.Errorf("bad values of the choice have %d trials of %d, want at most 4", bad, trials-start)
	}
	if n := count["fails"]; n < 3 || n > 8 {
		t.Errorf("the value that fails has %d trials of %d, want 3 to 8", n, trials-start)
	}
}

// On a plateau trials go by linear targets; of those that run at once, two of four keep
// their view, and so do all where one value is far worse than the others.
func TestFlattened(t *testing.T) {
	for _, test := range []struct {
		name            string
		outlier         float64
		number, running int
		want            bool
	}{
		{"alone", 0, 41, 0, true},
		{"alone, another", 0, 42, 0, true},
		{"beside others", 0, 41, 2, true},
		{"beside others, another", 0, 42, 2, false},
		{"beside others, the next", 0, 43, 2, false},
		{"with a heavy tail", 100, 41, 0, false},
	} {
		study := fmtest.NewStudy(t, problems.NewRandomSampler(0))
		objective := problems.Objective(problems.NoisyPlateau())
		number := 0
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			value, err := objective(trial)
			if number++; number == 5 {
				value += test.outlier
			}
			return value, err
		}, 40)
		got, err := fmtest.Seeded(t, 1).Flattens(study, test.number, test.running)
		if err != nil || got != test.want {
			t.Errorf("%s: flattened is %t, %v; want %t", test.name, got, err, test.want)
		}
	}
}

// A choice that was removed leaves its trials, which are not taken for those of
// another value.
func TestPlateauOfRemovedChoices(t *testing.T) {
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(log))
	for _, stage := range []struct {
		choices []string
		trials  int
	}{
		{[]string{"a", "b", "c", "d", "e", "f"}, 20},
		{[]string{"a", "b", "c", "d", "e"}, 25},
	} {
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			worst := 0
			for _, name := range []string{"x", "y", "z"} {
				value, err := trial.SuggestCategorical(name, stage.choices)
				if err != nil {
					return 0, err
				}
				worst = max(worst, slices.Index(stage.choices, value)/3)
			}
			return float64(worst), nil
		}, stage.trials)
	}
	log.Check(t, 0, "")
}

// On a plateau, where targets are linear, a study that is restarted before each trial gets
// the same suggestions as one that is not, also where a plan lacks a parameter that the
// objective asks for, so that it is made again.
func TestPlateauIsContinued(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	const trials = 60
	for _, seed := range []int64{2, 3, 4, 5} {
		run := func(each int) []goptuna.FrozenTrial {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
			for range trials / each {
				study.Sampler = fmtest.Seeded(t, seed)
				fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
					a, err := trial.SuggestFloat("a", 0, 1)
					if err == nil && int(1000*a)%2 == 1 {
						_, err = trial.SuggestFloat("b", 0, 1)
					}
					return math.Max(0.3, math.Abs(a-0.3)), err
				}, each)
			}
			return fmtest.TrialsOf(t, study)
		}
		fmtest.SameTrials(t, "continued", run(1), run(trials))
	}
}
