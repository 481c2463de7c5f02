package sampler_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// What users get for distributions and graphs that make no sense: one sentence
// with prefix, parameter and, after a colon, the remedy.
func TestBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name         string
		distribution any
		want         string
	}{
		{"unknown", struct{ Low int }{1}, `fm: parameter "x" has a struct { Low int }: unknown distribution; give one of package goptuna, and not a pointer to it`},
		{"nil", nil, `fm: parameter "x" has a <nil>: unknown distribution; give one of package goptuna, and not a pointer to it`},
		{"pointer", &goptuna.UniformDistribution{High: 1}, `fm: parameter "x" has a *goptuna.UniformDistribution: unknown distribution; give one of package goptuna, and not a pointer to it`},
		{"log from zero", goptuna.LogUniformDistribution{Low: 0, High: 1}, `fm: parameter "x" is on a log scale from 0: the lower end must be positive; use a small positive number or a linear scale`},
		{"log from below zero", goptuna.LogUniformDistribution{Low: -1, High: 1}, `fm: parameter "x" is on a log scale from -1: the lower end must be positive; use a small positive number or a linear scale`},
		{"NaN low", goptuna.UniformDistribution{Low: nan, High: 1}, `fm: parameter "x" ranges from NaN to 1: both ends must be finite numbers`},
		{"NaN high", goptuna.LogUniformDistribution{Low: 1, High: nan}, `fm: parameter "x" ranges from 1 to NaN: both ends must be finite numbers`},
		{"infinite high", goptuna.UniformDistribution{Low: 0, High: inf}, `fm: parameter "x" ranges from 0 to +Inf: both ends must be finite numbers`},
		{"infinite low", goptuna.DiscreteUniformDistribution{Low: -inf, High: 0, Q: 1}, `fm: parameter "x" ranges from -Inf to 0: both ends must be finite numbers`},
		{"infinite log", goptuna.LogUniformDistribution{Low: 1, High: inf}, `fm: parameter "x" ranges from 1 to +Inf: both ends must be finite numbers`},
		{"reversed", goptuna.UniformDistribution{Low: 2, High: 1}, `fm: parameter "x" ranges from 2 to 1: the lower end must not exceed the upper`},
		{"reversed log", goptuna.LogUniformDistribution{Low: 2, High: 1}, `fm: parameter "x" ranges from 2 to 1: the lower end must not exceed the upper`},
		{"reversed int", goptuna.IntUniformDistribution{Low: 2, High: 1}, `fm: parameter "x" ranges from 2 to 1: the lower end must not exceed the upper`},
		{"reversed step int", goptuna.StepIntUniformDistribution{Low: 2, High: 1, Step: 1}, `fm: parameter "x" ranges from 2 to 1: the lower end must not exceed the upper`},
		{"reversed discrete", goptuna.DiscreteUniformDistribution{Low: 2, High: 1, Q: 1}, `fm: parameter "x" ranges from 2 to 1: the lower end must not exceed the upper`},
		{"ints that no float64 is", goptuna.IntUniformDistribution{Low: 1<<60 + 1, High: 1<<60 + 5}, `fm: parameter "x" ranges from 1152921504606846977 to 1152921504606846981: Goptuna keeps ints as float64, which has none there; stay below 2⁵³`},
		{"step 0", goptuna.StepIntUniformDistribution{Low: 0, High: 1}, `fm: parameter "x" has step 0: use a positive step`},
		{"negative step", goptuna.StepIntUniformDistribution{Low: 0, High: 1, Step: -1}, `fm: parameter "x" has step -1: use a positive step`},
		{"steps too far", goptuna.StepIntUniformDistribution{Low: -1 << 62, High: 1 << 62, Step: 1000}, `fm: parameter "x" ranges from -4611686018427387904 to 4611686018427387904 in steps: Goptuna takes that for a single value; use a range shorter than 2⁶³, or SuggestInt`},
		{"floats too far", goptuna.DiscreteUniformDistribution{Low: -1e308, High: 1e308, Q: 1e306}, `fm: parameter "x" ranges from -1e+308 to 1e+308 in steps: Goptuna would give the objective +Inf; use a range shorter than 1.8e308, or SuggestFloat`},
		{"q 0", goptuna.DiscreteUniformDistribution{Low: 0, High: 1}, `fm: parameter "x" has step 0: use a positive, finite step`},
		{"negative q", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: -0.1}, `fm: parameter "x" has step -0.1: use a positive, finite step`},
		{"NaN q", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: nan}, `fm: parameter "x" has step NaN: use a positive, finite step`},
		{"all ints", goptuna.IntUniformDistribution{Low: 0, High: math.MaxInt64}, `fm: parameter "x" ranges from 0 to 9223372036854775807: no database of Goptuna's can read that back; stay away from ±2⁶³`},
		{"infinite q", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: inf}, `fm: parameter "x" has step +Inf: use a positive, finite step`},
		{"no choices", goptuna.CategoricalDistribution{}, `fm: parameter "x" has no choices: give at least one`},
	} {
		s := fmtest.Seeded(t, 1)
		study := fmtest.NewStudy(t, s)
		_, err := s.Sample(study, fmtest.RunningTrial(t, study), "x", test.distribution)
		checkError(t, test.name, err, test.want)
		_, err = s.SampleRelative(study, fmtest.RunningTrial(t, study), map[string]any{"x": test.distribution})
		checkError(t, test.name+", relative", err, test.want)
		if unknown := strings.Contains(test.want, "unknown distribution"); errors.Is(err, goptuna.ErrUnknownDistribution) != unknown {
			t.Errorf("%s: errors.Is(err, ErrUnknownDistribution) is %t", test.name, !unknown)
		}
	}
}

func TestBadGraph(t *testing.T) {
	for _, test := range []struct {
		name         string
		graph        *graphs.Graph
		distribution any
		want         string
	}{
		{"too small", graphs.Path(2), goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}},
			`fm: the graph of parameter "x" has 2 vertices for 3 choices: give SamplerOptionGraph one vertex per choice, in order`},
		{"too large", graphs.Complete(4), goptuna.CategoricalDistribution{Choices: []string{"1", "2", "3"}},
			`fm: the graph of parameter "x" has 4 vertices for 3 choices: give SamplerOptionGraph one vertex per choice, in order`},
		{"float", graphs.Path(2), goptuna.UniformDistribution{Low: 0, High: 1},
			`fm: parameter "x" has a graph, but is a goptuna.UniformDistribution: give graphs to categorical, int and discrete parameters only`},
		{"int", graphs.Path(2), goptuna.IntUniformDistribution{Low: 0, High: 2},
			`fm: the graph of parameter "x" has 2 vertices for 3 values: give SamplerOptionGraph one vertex per value, in order`},
	} {
		s := fmtest.Seeded(t, 1, fm.SamplerOptionGraph("x", test.graph))
		study := fmtest.NewStudy(t, s)
		_, err := s.Sample(study, fmtest.RunningTrial(t, study), "x", test.distribution)
		checkError(t, test.name, err, test.want)
	}
}

func checkError(t *testing.T, name string, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("%s: got error\n%v, want\n%s", name, err, want)
	}
}

// An error is the end of its trial and not of the study, even where trials to
// come meet the same parameter with another distribution.
func TestStudyGoesOnAfterBadInput(t *testing.T) {
	bad := []func(trial *goptuna.Trial) error{
		func(trial *goptuna.Trial) error { _, err := trial.SuggestLogFloat("rate", 0, 1); return err },
		func(trial *goptuna.Trial) error { _, err := trial.SuggestFloat("dropout", math.NaN(), 1); return err },
		func(trial *goptuna.Trial) error {
			_, err := trial.SuggestDiscreteFloat("momentum", 0, 1, 0)
			return err
		},
		func(trial *goptuna.Trial) error {
			_, err := trial.SuggestCategorical("shape", []string{"a", "b"})
			return err
		},
		func(trial *goptuna.Trial) error { _, err := trial.SuggestInt("shape", 0, 1); return err },
	}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionGraph("shape", graphs.Path(3))), goptuna.StudyOptionIgnoreError(true))
	calls := 0
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		calls++
		x, err := fmtest.Suggest(&trial, fmtest.Mixed()[2:4]...)
		if err != nil {
			return 0, err
		}
		if calls%2 == 0 {
			err := bad[calls/2%len(bad)](&trial)
			if err == nil || !strings.HasPrefix(err.Error(), "fm:") {
				t.Errorf("bad input %d: got error %v", calls/2%len(bad), err)
			}
			return 0, err
		}
		rest, err := fmtest.Suggest(&trial, slices.Delete(fmtest.Mixed(), 2, 4)...)
		rest["units"], rest["layers"] = x["units"], x["layers"]
		return fmtest.MixedValue(rest), err
	}, 40)
	trials := fmtest.TrialsOf(t, study)
	if done, failed := fmtest.Count(trials, goptuna.TrialStateComplete), fmtest.Count(trials, goptuna.TrialStateFail); done != 20 || failed != 20 {
		t.Errorf("%d trials are complete and %d failed, want 20 and 20", done, failed)
	}
}

// Options refuse nonsense when it is said, and tell the way out.
func TestOptionsPanicOnNonsense(t *testing.T) {
	for _, test := range []struct {
		name   string
		option func()
		want   string
	}{
		{"no startup trials", func() { fm.SamplerOptionNumberOfStartupTrials(0) },
			"fm: number of startup trials is 0; need at least 1 (omit the option for as many as the space needs)"},
		{"negative startup trials", func() { fm.SamplerOptionNumberOfStartupTrials(-3) },
			"fm: number of startup trials is -3; need at least 1 (omit the option for as many as the space needs)"},
		{"no model trials", func() { fm.SamplerOptionNumberOfModelTrials(0) },
			"fm: number of model trials is 0; need at least 1 (omit the option for 1000)"},
		{"no time", func() { fm.SamplerOptionRunningTimeout(0) },
			"fm: running timeout is 0s; need a positive duration (omit the option for five times the longest finished trial)"},
		{"negative time", func() { fm.SamplerOptionRunningTimeout(-time.Second) },
			"fm: running timeout is -1s; need a positive duration (omit the option for five times the longest finished trial)"},
		{"nil graph", func() { fm.SamplerOptionGraph("shape", nil) },
			`fm: the graph of parameter "shape" is nil; build one with package graphs (or omit the option)`},
		{"nil option", func() { fm.NewSampler(fm.SamplerOptionSeed(1), nil) }, "fm: option 2 of NewSampler is nil (omit it)"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != test.want {
					t.Errorf("%s: panic with %q, want %q", test.name, got, test.want)
				}
			}()
			test.option()
		}()
	}
}

// A model of few trials, or of one, is a model.
func TestFewModelTrials(t *testing.T) {
	for _, n := range []int{1, 2, 3, 12} {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 2, fm.SamplerOptionNumberOfModelTrials(n)), goptuna.StudyOptionLogger(log))
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 30)
		trials := fmtest.TrialsOf(t, study)
		if done, again := fmtest.Count(trials, goptuna.TrialStateComplete), fmtest.Duplicates(trials); done != 30 || again > 0 {
			t.Errorf("%d model trials: %d of 30 trials are complete, %d repeat an earlier one", n, done, again)
		}
		log.Check(t, 0, "")
	}
}

// The options change what they say.
func TestOptions(t *testing.T) {
	run := func(opts ...fm.SamplerOption) []goptuna.FrozenTrial {
		study := fmtest.NewStudy(t, fm.NewSampler(opts...))
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 14)
		return fmtest.TrialsOf(t, study)
	}
	// first returns the first trial in which two runs differ.
	first := func(a, b []goptuna.FrozenTrial) int {
		return slices.IndexFunc(a, func(trial goptuna.FrozenTrial) bool {
			return fmt.Sprint(trial.InternalParams) != fmt.Sprint(b[trial.Number].InternalParams)
		})
	}
	plain := run()
	for _, test := range []struct {
		name   string
		option fm.SamplerOption
		want   int
		why    string
	}{
		{"seed 0", fm.SamplerOptionSeed(0), -1, "the default"},
		{"seed 1", fm.SamplerOptionSeed(1), 0, "everything depends on it"},
		{"startup trials 10", fm.SamplerOptionNumberOfStartupTrials(10), -1, "the default"},
		{"startup trials 6", fm.SamplerOptionNumberOfStartupTrials(6), 6, "the model takes over"},
		{"startup trials 12", fm.SamplerOptionNumberOfStartupTrials(12), 10, "it takes over later"},
		{"model trials 1000", fm.SamplerOptionNumberOfModelTrials(1000), -1, "the default"},
		{"model trials 11", fm.SamplerOptionNumberOfModelTrials(11), 12, "the model has 11 of 12 observations"},
		{"timeout", fm.SamplerOptionRunningTimeout(time.Hour), -1, "no other trial is running"},
		{"not deterministic", fm.SamplerOptionDeterministicObjective(false), -1, "the default"},
		{"deterministic", fm.SamplerOptionDeterministicObjective(true), 10, "the first fit differs"},
		{"complete graph", fm.SamplerOptionGraph("kind", graphs.Complete(3)), -1, "what nominal choices have anyway"},
		{"path", fm.SamplerOptionGraph("kind", graphs.Path(3)), 10, "the first fit differs"},
		{"graph of another parameter", fm.SamplerOptionGraph("colour", graphs.Path(9)), -1, "it never comes up"},
	} {
		if got := first(plain, run(test.option)); got != test.want {
			t.Errorf("%s: trials differ from trial %d on, want %d (%s)", test.name, got, test.want, test.why)
		}
	}
}
