package sampler_test

import (
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// Seed and study decide about the trials.
func TestSameSeedSameTrials(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	for _, seed := range []int64{0, 1, -5} {
		want := fmtest.RunMixed(t, seed)
		if n := fmtest.Count(want, goptuna.TrialStateComplete); n != fmtest.MixedTrials {
			t.Fatalf("%d complete trials, want %d", n, fmtest.MixedTrials)
		}
		fmtest.SameTrials(t, "in memory, again", fmtest.RunMixed(t, seed), want)
	}
}

func TestSeedsGiveDifferentTrials(t *testing.T) {
	fmtest.Sequential(t)
	a, b := fmtest.RunMixed(t, 1), fmtest.RunMixed(t, 2)
	if n := fmtest.Duplicates(slices.Concat(a, b)); n > 0 {
		t.Errorf("seeds 1 and 2 share %d of %d trials", n, fmtest.MixedTrials)
	}
}

// A trial's values do not depend on the order in which it asks for them, nor on
// whether all trials ask in one order.
func TestOrderOfParameters(t *testing.T) {
	fmtest.Sequential(t)
	const seed = 4
	want := fmtest.RunMixed(t, seed)

	reversed := fmtest.Mixed()
	slices.Reverse(reversed)
	study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
	fmtest.Optimize(t, study, fmtest.Ask(reversed, fmtest.MixedValue), fmtest.MixedTrials)
	fmtest.SameTrials(t, "reversed", fmtest.TrialsOf(t, study), want)

	study = fmtest.NewStudy(t, fmtest.Seeded(t, seed))
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		params := fmtest.Mixed()
		k := trial.ID % len(params)
		return fmtest.Ask(slices.Concat(params[k:], params[:k]), fmtest.MixedValue)(trial)
	}, fmtest.MixedTrials)
	fmtest.SameTrials(t, "rotated from trial to trial", fmtest.TrialsOf(t, study), want)
}

// With a defined search space the sampler plans before the objective runs. The
// plan is the one it would have made at the objective's first question.
func TestRelativeSampler(t *testing.T) {
	fmtest.Sequential(t)
	const seed = 5
	want := fmtest.RunMixed(t, seed)
	s := fmtest.Seeded(t, seed)
	study := fmtest.NewStudy(t, s, goptuna.StudyOptionRelativeSampler(s), goptuna.StudyOptionDefineSearchSpace(fmtest.Space(fmtest.Mixed())))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), fmtest.MixedTrials)
	fmtest.SameTrials(t, "relative", fmtest.TrialsOf(t, study), want)
}

// A defined search space may hold parameters with one value, and parameters
// that the objective does not ask for.
func TestRelativeSamplerWithConstants(t *testing.T) {
	constants := []fmtest.Param{
		{Name: "one", Distribution: goptuna.IntUniformDistribution{Low: 7, High: 7}},
		{Name: "only", Distribution: goptuna.CategoricalDistribution{Choices: []string{"this"}}},
	}
	for _, test := range []struct {
		name   string
		params []fmtest.Param
	}{
		{"among others", append(fmtest.Mixed(), constants...)},
		{"alone", constants},
	} {
		s := fmtest.Seeded(t, 6)
		study := fmtest.NewStudy(t, s, goptuna.StudyOptionRelativeSampler(s),
			goptuna.StudyOptionDefineSearchSpace(fmtest.Space(append(test.params, fmtest.Param{Name: "unasked", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}}))))
		fmtest.Optimize(t, study, fmtest.Ask(test.params, func(x map[string]float64) float64 {
			if x["one"] != 7 || x["only"] != 0 {
				t.Errorf("%s: constants are %v", test.name, x)
			}
			return x["dropout"]
		}), 15)
	}
}

// To maximise an objective is to minimise its negative.
func TestMaximizeMirrorsMinimize(t *testing.T) {
	fmtest.Sequential(t)
	const seed = 7
	want := fmtest.RunMixed(t, seed)
	study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), func(x map[string]float64) float64 { return -fmtest.MixedValue(x) }), fmtest.MixedTrials)
	got := fmtest.TrialsOf(t, study)
	for i := range got {
		got[i].Value = -got[i].Value
	}
	fmtest.SameTrials(t, "maximise -f", got, want)
}

// Targets are standardised: a power of two, which rounds nothing, changes no
// suggestion.
func TestScaleOfObjectiveDoesNotMatter(t *testing.T) {
	fmtest.Sequential(t)
	const seed = 8
	want := fmtest.RunMixed(t, seed)
	study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), func(x map[string]float64) float64 { return 1024 * fmtest.MixedValue(x) }), fmtest.MixedTrials)
	got := fmtest.TrialsOf(t, study)
	for i := range got {
		got[i].Value /= 1024
	}
	fmtest.SameTrials(t, "1024 f", got, want)
}
