package sampler_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"
)

// repeatTrials is four times the start-up: most trials come from the model.
const repeatTrials = 40

// runMixed returns the trials of a study on the mixed space.
func runMixed(t *testing.T, seed int64, opts ...goptuna.StudyOption) []goptuna.FrozenTrial {
	t.Helper()
	study := newStudy(t, seeded(t, seed), opts...)
	optimize(t, study, ask(mixed(), mixedValue), repeatTrials)
	return trialsOf(t, study)
}

// Seed and study decide about the trials; where they are stored does not.
func TestSameSeedSameTrials(t *testing.T) {
	for _, seed := range []int64{0, 1, -5} {
		want := runMixed(t, seed)
		if n := count(want, goptuna.TrialStateComplete); n != repeatTrials {
			t.Fatalf("%d complete trials, want %d", n, repeatTrials)
		}
		sameTrials(t, "in memory, again", runMixed(t, seed), want)
		if seed == 0 || !testing.Short() {
			sameTrials(t, "on SQLite", runMixed(t, seed, onSQLite(t)), want)
		}
	}
}

func TestSeedsGiveDifferentTrials(t *testing.T) {
	a, b := runMixed(t, 1), runMixed(t, 2)
	if n := duplicates(slices.Concat(a, b)); n > 0 {
		t.Errorf("seeds 1 and 2 share %d of %d trials", n, repeatTrials)
	}
}

// A study goes on as if its process had never stopped, whether it stops during
// start-up or later.
func TestRestart(t *testing.T) {
	const seed = 3
	want := runMixed(t, seed)
	for _, stop := range []int{25, 4} {
		if stop < 25 && testing.Short() {
			break
		}
		file := filepath.Join(t.TempDir(), "study.db")
		objective := ask(mixed(), mixedValue)
		first := newStudy(t, seeded(t, seed), goptuna.StudyOptionStorage(sqliteStorage(t, file)))
		optimize(t, first, objective, stop)

		second := newStudy(t, seeded(t, seed), goptuna.StudyOptionStorage(sqliteStorage(t, file)),
			goptuna.StudyOptionLoadIfExists(true))
		optimize(t, second, objective, repeatTrials-stop)
		sameTrials(t, "stopped and continued", trialsOf(t, second), want)
	}
}

// A trial's values do not depend on the order in which it asks for them, nor on
// whether all trials ask in one order.
func TestOrderOfParameters(t *testing.T) {
	const seed = 4
	want := runMixed(t, seed)

	reversed := mixed()
	slices.Reverse(reversed)
	study := newStudy(t, seeded(t, seed))
	optimize(t, study, ask(reversed, mixedValue), repeatTrials)
	sameTrials(t, "reversed", trialsOf(t, study), want)

	study = newStudy(t, seeded(t, seed))
	optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		params := mixed()
		k := trial.ID % len(params)
		return ask(slices.Concat(params[k:], params[:k]), mixedValue)(trial)
	}, repeatTrials)
	sameTrials(t, "rotated from trial to trial", trialsOf(t, study), want)
}

// With a defined search space the sampler plans before the objective runs. The
// plan is the one it would have made at the objective's first question.
func TestRelativeSampler(t *testing.T) {
	const seed = 5
	want := runMixed(t, seed)
	for _, test := range []struct {
		name string
		opts []goptuna.StudyOption
	}{
		{"in memory", nil},
		{"on SQLite", []goptuna.StudyOption{onSQLite(t)}},
	} {
		s := seeded(t, seed)
		study := newStudy(t, s, append(test.opts, goptuna.StudyOptionRelativeSampler(s),
			goptuna.StudyOptionDefineSearchSpace(space(mixed())))...)
		optimize(t, study, ask(mixed(), mixedValue), repeatTrials)
		sameTrials(t, "relative, "+test.name, trialsOf(t, study), want)
	}
}

// A defined search space may hold parameters with one value, and parameters
// that the objective does not ask for.
func TestRelativeSamplerWithConstants(t *testing.T) {
	constants := []param{
		{"one", goptuna.IntUniformDistribution{Low: 7, High: 7}},
		{"only", goptuna.CategoricalDistribution{Choices: []string{"this"}}},
	}
	for _, test := range []struct {
		name   string
		params []param
	}{
		{"among others", append(mixed(), constants...)},
		{"alone", constants},
	} {
		s := seeded(t, 6)
		study := newStudy(t, s, goptuna.StudyOptionRelativeSampler(s),
			goptuna.StudyOptionDefineSearchSpace(space(append(test.params, param{"unasked", goptuna.UniformDistribution{Low: 0, High: 1}}))))
		optimize(t, study, ask(test.params, func(x map[string]float64) float64 {
			if x["one"] != 7 || x["only"] != 0 {
				t.Errorf("%s: constants are %v", test.name, x)
			}
			return x["dropout"]
		}), 15)
	}
}

// To maximise an objective is to minimise its negative.
func TestMaximizeMirrorsMinimize(t *testing.T) {
	const seed = 7
	want := runMixed(t, seed)
	study := newStudy(t, seeded(t, seed), goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize))
	optimize(t, study, ask(mixed(), func(x map[string]float64) float64 { return -mixedValue(x) }), repeatTrials)
	got := trialsOf(t, study)
	for i := range got {
		got[i].Value = -got[i].Value
	}
	sameTrials(t, "maximise -f", got, want)
}

// Targets are standardised: a power of two, which rounds nothing, changes no
// suggestion.
func TestScaleOfObjectiveDoesNotMatter(t *testing.T) {
	const seed = 8
	want := runMixed(t, seed)
	study := newStudy(t, seeded(t, seed))
	optimize(t, study, ask(mixed(), func(x map[string]float64) float64 { return 1024 * mixedValue(x) }), repeatTrials)
	got := trialsOf(t, study)
	for i := range got {
		got[i].Value /= 1024
	}
	sameTrials(t, "1024 f", got, want)
}
