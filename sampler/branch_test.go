package sampler_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// tree asks for a kind of model, and then for what that kind needs.
func tree(trial goptuna.Trial) (float64, error) {
	kind, err := trial.SuggestCategorical("kind", []string{"linear", "forest", "network"})
	if err != nil {
		return 0, err
	}
	switch kind {
	case "linear": // no parameters of its own
		return 1, nil
	case "forest":
		x, err := suggest(&trial, param{"trees", goptuna.IntUniformDistribution{Low: 1, High: 200}},
			param{"depth", goptuna.IntUniformDistribution{Low: 1, High: 10}})
		return 0.5 + sq((x["trees"]-120)/100) + sq((x["depth"]-6)/5), err
	}
	x, err := suggest(&trial, param{"rate", goptuna.LogUniformDistribution{Low: 1e-5, High: 1}},
		param{"solver", goptuna.CategoricalDistribution{Choices: []string{"sgd", "adam"}}})
	if err != nil || x["solver"] == 0 {
		return 0.6, err
	}
	y, err := trial.SuggestFloat("decay", 0, 1)
	return sq(y-0.7) + 0.2*sq(x["rate"]), err
}

// In a space that branches, the trials of a branch share a model; which branch
// a trial takes is decided by what is known of them, and is never exhausted.
func TestBranches(t *testing.T) {
	log := &recorder{}
	study := newStudy(t, seeded(t, 5), goptuna.StudyOptionLogger(log))
	optimize(t, study, tree, 60)
	trials := trialsOf(t, study)
	if n := count(trials, goptuna.TrialStateComplete); n != 60 {
		t.Errorf("%d of 60 trials are complete", n)
	}
	kinds := map[any]int{}
	for _, trial := range trials {
		kinds[trial.Params["kind"]]++
	}
	if len(kinds) != 3 {
		t.Errorf("trials per kind: %v; want some of each", kinds)
	}
	if best, err := study.GetBestValue(); err != nil || best > 0.02 {
		t.Errorf("best value %v, %v; want almost 0, that of a network", best, err)
	}
	log.check(t, 0, "")
}

// interposed calls between once, after the next read of all trials.
type interposed struct {
	*rdb.Storage
	between func()
}

func (i *interposed) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := i.Storage.GetAllTrials(studyID)
	if between := i.between; between != nil {
		i.between = nil
		between()
	}
	return trials, err
}

// Two workers that plan at the same time may enter one branch.
func TestWorkersInOneBranch(t *testing.T) {
	const seed, trials = 3, 14
	kind := param{"kind", goptuna.CategoricalDistribution{Choices: []string{"x", "y"}}}
	objective := func(trial goptuna.Trial) (float64, error) {
		choice, err := suggest(&trial, kind)
		if err != nil {
			return 0, err
		}
		value, err := trial.SuggestFloat([]string{"x", "y"}[int(choice["kind"])], 0, 1)
		return 5*choice["kind"] + value, err
	}
	log := &recorder{}
	storage := &interposed{Storage: sqliteStorage(t, filepath.Join(t.TempDir(), "study.db"))}
	study := newStudy(t, seeded(t, seed), goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLogger(log))
	optimize(t, study, objective, trials)

	var other map[string]float64
	colleague := newStudy(t, seeded(t, seed), goptuna.StudyOptionStorage(storage.Storage), goptuna.StudyOptionLoadIfExists(true))
	first, second := runningTrial(t, study), runningTrial(t, study)
	storage.between = func() {
		var err error
		if other, err = suggest(&goptuna.Trial{Study: colleague, ID: second.ID}, kind); err != nil {
			t.Error(err)
		}
	}
	own, err := suggest(&goptuna.Trial{Study: study, ID: first.ID}, kind)
	if err != nil {
		t.Fatal(err)
	}
	if own["kind"] != 0 || other["kind"] != 0 {
		t.Errorf("two workers chose %v and %v, want the better branch both", own, other)
	}
	log.check(t, 0, "")
}

// Of a choice with which nothing has succeeded yet, nobody knows what comes with
// it. It is tried a few times, and then left while others remain.
func TestFailedBranchIsLeft(t *testing.T) {
	study := newStudy(t, seeded(t, 5), goptuna.StudyOptionIgnoreError(true))
	optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"broken", "one", "two"})
		if err != nil {
			return 0, err
		}
		if kind == "broken" {
			return 0, errObjective
		}
		x, err := trial.SuggestFloat(kind, 0, 1)
		return x, err
	}, 30)
	if n := count(trialsOf(t, study), goptuna.TrialStateFail); n > 3 {
		t.Errorf("%d of 30 trials took the branch that fails, want 3 at most", n)
	}
}

// A parameter that turns up in mid-study is planned for as soon as there is
// something to learn from, and what is known of the others is used at once.
func TestNewParameter(t *testing.T) {
	for _, test := range []struct {
		name  string
		after []param
	}{
		{"asked for last", append(mixed(), param{"new", goptuna.UniformDistribution{Low: -1, High: 1}})},
		{"in the middle", slices.Insert(mixed(), 3, param{"new", goptuna.UniformDistribution{Low: -1, High: 1}})},
		{"asked for first", slices.Insert(mixed(), 0, param{"new", goptuna.UniformDistribution{Low: -1, High: 1}})},
		{"a choice", append(mixed(), param{"new", goptuna.CategoricalDistribution{Choices: []string{"x", "y"}}})},
		{"a constant", append(mixed(), param{"new", goptuna.IntUniformDistribution{Low: 0, High: 0}})},
	} {
		if testing.Short() && test.name != "in the middle" {
			continue
		}
		log := &recorder{}
		study := newStudy(t, seeded(t, 5), goptuna.StudyOptionLogger(log))
		value := func(x map[string]float64) float64 { return mixedValue(x) + sq(x["new"]-0.5) }
		optimize(t, study, ask(mixed(), value), 25)
		optimize(t, study, ask(test.after, value), 40)
		trials := trialsOf(t, study)
		if n := count(trials, goptuna.TrialStateComplete); n != 65 {
			t.Errorf("%s: %d of 65 trials are complete", test.name, n)
		}
		startup, last := lowerQuartile(trials[:10]), lowerQuartile(trials[55:])
		if last > 0.5*startup {
			t.Errorf("%s: lower quartile %.3g of the last trials, %.3g of start-up; want at most half", test.name, last, startup)
		}
		log.check(t, 0, "")
	}
}

// A parameter that is asked for no longer leaves the others as they are known.
func TestRemovedParameter(t *testing.T) {
	for _, removed := range []int{0, 3, 5} {
		log := &recorder{}
		study := newStudy(t, seeded(t, 5), goptuna.StudyOptionLogger(log))
		name := mixed()[removed].name
		value := func(x map[string]float64) float64 {
			x[name] = map[string]float64{"dropout": 0.3, "layers": 8, "kind": 1}[name]
			return mixedValue(x)
		}
		optimize(t, study, ask(mixed(), value), 25)
		optimize(t, study, ask(slices.Delete(mixed(), removed, removed+1), value), 15)
		trials := trialsOf(t, study)
		startup, last := lowerQuartile(trials[:10]), lowerQuartile(trials[25:])
		if last > 0.5*startup {
			t.Errorf("without %s: lower quartile %.3g, %.3g of start-up; want at most half", name, last, startup)
		}
		log.check(t, 0, "")
	}
}

// Goptuna records one value per name. Whoever asks twice gets the same on
// storage in memory.
func TestAskedAgain(t *testing.T) {
	study := newStudy(t, seeded(t, 5))
	optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		first, err := suggest(&trial, mixed()...)
		if err != nil {
			return 0, err
		}
		reversed := mixed()
		slices.Reverse(reversed)
		again, err := suggest(&trial, reversed...)
		for name := range first {
			if again[name] != first[name] {
				t.Errorf("%s was %v, and now is %v", name, first[name], again[name])
			}
		}
		return mixedValue(first), err
	}, 20)
}

// A name may come back in one trial with another distribution: if the value
// that it has lies in it, that is the answer.
func TestAskedAgainOtherwise(t *testing.T) {
	study := newStudy(t, seeded(t, 5))
	optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			return 0, err
		}
		wider, err := trial.SuggestFloat("x", -1, 2)
		if err != nil || wider != x {
			t.Errorf("x was %v, and in a wider range is %v, %v", x, wider, err)
		}
		apart, err := trial.SuggestFloat("x", 5, 6)
		if err != nil || apart < 5 || apart > 6 {
			t.Errorf("x in [5, 6] is %v, %v", apart, err)
		}
		return x, nil
	}, 15)
}

// On a database, Goptuna itself fails when a name comes a second time: its table
// of parameters has one row per trial and name, and the second insertion breaks
// the unique index. The objective gets that error at that call. With
// StudyOptionIgnoreError the trial fails, and the study goes on.
func TestAskedAgainOnSQLite(t *testing.T) {
	study := newStudy(t, seeded(t, 7, fm.SamplerOptionNumberOfStartupTrials(3)), onSQLite(t), goptuna.StudyOptionIgnoreError(true))
	calls := 0
	optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		calls++
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			t.Errorf("asked once: %v", err)
		}
		if _, err := trial.SuggestFloat("y", 0, 1); err != nil {
			t.Errorf("asked once: %v", err)
		}
		if calls%4 != 0 {
			return x, nil
		}
		again, err := trial.SuggestFloat("x", 0, 1)
		if err == nil || again != x {
			t.Errorf("asked twice: %v, %v; want the first answer %v and the error of the database", again, err, x)
		}
		return x, err
	}, 12)
	trials := trialsOf(t, study)
	if done, failed := count(trials, goptuna.TrialStateComplete), count(trials, goptuna.TrialStateFail); done != 9 || failed != 3 {
		t.Errorf("%d trials are complete and %d failed, want 9 and 3", done, failed)
	}
}
