package sampler_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
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
		x, err := fmtest.Suggest(&trial, fmtest.Param{Name: "trees", Distribution: goptuna.IntUniformDistribution{Low: 1, High: 200}},
			fmtest.Param{Name: "depth", Distribution: goptuna.IntUniformDistribution{Low: 1, High: 10}})
		return 0.5 + sq((x["trees"]-120)/100) + sq((x["depth"]-6)/5), err
	}
	x, err := fmtest.Suggest(&trial, fmtest.Param{Name: "rate", Distribution: goptuna.LogUniformDistribution{Low: 1e-5, High: 1}},
		fmtest.Param{Name: "solver", Distribution: goptuna.CategoricalDistribution{Choices: []string{"sgd", "adam"}}})
	if err != nil || x["solver"] == 0 {
		return 0.6, err
	}
	y, err := trial.SuggestFloat("decay", 0, 1)
	return sq(y-0.7) + 0.2*sq(x["rate"]), err
}

// In a space that branches, the trials of a branch share a model; which branch
// a trial takes is decided by what is known of them, and is never exhausted.
func TestBranches(t *testing.T) {
	fmtest.Sequential(t)
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 5), goptuna.StudyOptionLogger(log))
	fmtest.Optimize(t, study, tree, 60)
	trials := fmtest.TrialsOf(t, study)
	if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != 60 {
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
	log.Check(t, 0, "")
}

// Of a choice with which nothing has succeeded yet, nobody knows what comes with
// it. It is tried a few times, and then left while others remain.
func TestFailedBranchIsLeft(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 5), goptuna.StudyOptionIgnoreError(true))
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"broken", "one", "two"})
		if err != nil {
			return 0, err
		}
		if kind == "broken" {
			return 0, fmtest.ErrObjective
		}
		x, err := trial.SuggestFloat(kind, 0, 1)
		return x, err
	}, 30)
	if n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateFail); n > 3 {
		t.Errorf("%d of 30 trials took the branch that fails, want 3 at most", n)
	}
}

// What fails before it has made the choice says nothing of choices, and each broken
// choice is given up by itself.
func TestOutageLeavesBranches(t *testing.T) {
	fmtest.Sequential(t)
	kinds := strings.Split("abcdefghijkl", "")
	for _, test := range []struct {
		name   string
		outage int    // trials from the fourth on that fail at once
		broken string // kinds
		pruned bool   // not failed
	}{
		{"outage", 4, "", false},
		{"broken", 0, "bcdef", false},
		{"pruned", 0, "bcdef", true},
	} {
		for seed := range int64(2) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
			tried := map[string]int{}
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				if n, _ := trial.Number(); n >= 3 && n < 3+test.outage {
					return 0, fmtest.ErrObjective
				}
				kind, err := trial.SuggestCategorical("kind", kinds)
				if err != nil {
					return 0, err
				}
				tried[kind]++
				x, err := trial.SuggestFloat(kind, 0, 1)
				switch {
				case err != nil:
					return 0, err
				case strings.Contains(test.broken, kind) && test.pruned:
					return 0, goptuna.ErrTrialPruned
				case strings.Contains(test.broken, kind):
					return 0, fmtest.ErrObjective
				}
				return sq(x - 0.3), nil
			}, 45)
			t.Logf("%s, seed %d: %d of %d kinds were tried", test.name, seed, len(tried), len(kinds))
			if len(tried) < len(kinds) {
				t.Errorf("%s, seed %d: %d of %d kinds were tried: %v", test.name, seed, len(tried), len(kinds), tried)
			}
		}
	}
}

// A branch whose trials are all pruned has its share, half of an even one, also where the
// search is settled.
func TestPrunedBranch(t *testing.T) {
	fmtest.Sequential(t)
	const trials, most = 120, 24
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
		if err != nil {
			return 0, err
		}
		x, err := trial.SuggestFloat("x of "+kind, 0, 1)
		if err == nil && kind == "c" {
			err = goptuna.ErrTrialPruned
		}
		return sq(x - 0.3), err
	}, trials)
	n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStatePruned)
	t.Logf("%d of %d trials took the branch that is pruned", n, trials)
	if n > most {
		t.Errorf("%d of %d trials took the branch that is pruned, want at most %d", n, trials, most)
	}
}

// A branch that does not work any more has its share of trials and no more, and one that
// did not work at first is found when it does.
func TestBranchesThatChange(t *testing.T) {
	fmtest.Sequential(t)
	for _, test := range []struct {
		name        string
		works       func(number int) bool // branch c
		value       float64               // of c, less that of the others
		least, most int                   // trials of c
	}{
		{"breaks", func(number int) bool { return number < 9 }, 3, 3, 36},
		{"is mended", func(number int) bool { return number >= 40 }, -1, 10, 100},
	} {
		for seed := range int64(3) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
			taken := 0
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				kind, err := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
				if err != nil {
					return 0, err
				}
				x, err := trial.SuggestFloat("x of "+kind, 0, 1)
				if err != nil || kind != "c" {
					return sq(x - 0.3), err
				}
				taken++
				if n, _ := trial.Number(); !test.works(n) {
					return 0, fmtest.ErrObjective
				}
				return sq(x-0.3) + test.value, nil
			}, 100)
			t.Logf("%s, seed %d: %d trials of 100", test.name, seed, taken)
			if taken < test.least || taken > test.most {
				t.Errorf("%s, seed %d: %d trials of 100, want %d to %d", test.name, seed, taken, test.least, test.most)
			}
		}
	}
}

// A parameter that turns up in mid-study is planned for as soon as there is
// something to learn from, and what is known of the others is used at once.
func TestNewParameter(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	for _, test := range []struct {
		name  string
		after []fmtest.Param
	}{
		{"asked for last", append(fmtest.Mixed(), fmtest.Param{Name: "new", Distribution: goptuna.UniformDistribution{Low: -1, High: 1}})},
		{"in the middle", slices.Insert(fmtest.Mixed(), 3, fmtest.Param{Name: "new", Distribution: goptuna.UniformDistribution{Low: -1, High: 1}})},
		{"asked for first", slices.Insert(fmtest.Mixed(), 0, fmtest.Param{Name: "new", Distribution: goptuna.UniformDistribution{Low: -1, High: 1}})},
		{"a choice", append(fmtest.Mixed(), fmtest.Param{Name: "new", Distribution: goptuna.CategoricalDistribution{Choices: []string{"x", "y"}}})},
		{"a constant", append(fmtest.Mixed(), fmtest.Param{Name: "new", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 0}})},
	} {
		if testing.Short() && test.name != "in the middle" {
			continue
		}
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 5), goptuna.StudyOptionLogger(log))
		value := func(x map[string]float64) float64 { return fmtest.MixedValue(x) + sq(x["new"]-0.5) }
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), value), 25)
		fmtest.Optimize(t, study, fmtest.Ask(test.after, value), 40)
		trials := fmtest.TrialsOf(t, study)
		if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != 65 {
			t.Errorf("%s: %d of 65 trials are complete", test.name, n)
		}
		// Later ones go elsewhere, where the search is settled.
		startup, soon := fmtest.LowerQuartile(trials[:10]), fmtest.LowerQuartile(trials[30:40])
		if soon > 0.5*startup {
			t.Errorf("%s: lower quartile %.3g of trials 30 to 39, %.3g of start-up; want at most half", test.name, soon, startup)
		}
		log.Check(t, 0, "")
	}
}

// A parameter that is asked for no longer leaves the others as they are known.
func TestRemovedParameter(t *testing.T) {
	fmtest.Sequential(t)
	for _, removed := range []int{0, 3, 5} {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 5), goptuna.StudyOptionLogger(log))
		name := fmtest.Mixed()[removed].Name
		value := func(x map[string]float64) float64 {
			x[name] = map[string]float64{"dropout": 0.3, "layers": 8, "kind": 1}[name]
			return fmtest.MixedValue(x)
		}
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), value), 25)
		fmtest.Optimize(t, study, fmtest.Ask(slices.Delete(fmtest.Mixed(), removed, removed+1), value), 15)
		trials := fmtest.TrialsOf(t, study)
		startup, last := fmtest.LowerQuartile(trials[:10]), fmtest.LowerQuartile(trials[25:])
		if last > 0.5*startup {
			t.Errorf("without %s: lower quartile %.3g, %.3g of start-up; want at most half", name, last, startup)
		}
		log.Check(t, 0, "")
	}
}

// setBack is storage of which the clock was set back by a day before the trial with the id.
type setBack struct {
	goptuna.Storage
	id int
}

func (s setBack) dated(t goptuna.FrozenTrial) goptuna.FrozenTrial {
	if t.ID >= s.id {
		t.DatetimeStart, t.DatetimeComplete = t.DatetimeStart.AddDate(0, 0, -1), t.DatetimeComplete.AddDate(0, 0, -1)
	}
	return t
}

func (s setBack) GetTrial(id int) (goptuna.FrozenTrial, error) {
	t, err := s.Storage.GetTrial(id)
	return s.dated(t), err
}

func (s setBack) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := s.Storage.GetAllTrials(studyID)
	for i, t := range trials {
		trials[i] = s.dated(t)
	}
	return trials, err
}

// What the trials ask for after the clock was set back is not taken for older than what
// those before asked for.
func TestRemovedParameterAndClockSetBack(t *testing.T) {
	level := goptuna.IntUniformDistribution{Low: 0, High: 7}
	params := []fmtest.Param{{Name: "x", Distribution: level}, {Name: "y", Distribution: level}, {Name: "removed", Distribution: level}}
	value := func(x map[string]float64) float64 { return sq(x["x"]-2) + sq(x["y"]-3) }
	for _, id := range []int{15, 20} { // before the parameter is removed, and then
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionStorage(setBack{goptuna.NewInMemoryStorage(), id}))
		fmtest.Optimize(t, study, fmtest.Ask(params, value), 20)
		fmtest.Optimize(t, study, fmtest.Ask(params[:2], value), 25)
		if n := fmtest.Duplicates(fmtest.TrialsOf(t, study)); n > 0 {
			t.Errorf("set back at trial %d: %d trials repeat an earlier one", id, n)
		}
	}
}

// Goptuna records one value per name. Whoever asks twice gets the same on
// storage in memory.
func TestAskedAgain(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 5))
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		first, err := fmtest.Suggest(&trial, fmtest.Mixed()...)
		if err != nil {
			return 0, err
		}
		reversed := fmtest.Mixed()
		slices.Reverse(reversed)
		again, err := fmtest.Suggest(&trial, reversed...)
		for name := range first {
			if again[name] != first[name] {
				t.Errorf("%s was %v, and now is %v", name, first[name], again[name])
			}
		}
		return fmtest.MixedValue(first), err
	}, 20)
}

// A name may come back in one trial with another distribution: if the value
// that it has lies in it, that is the answer.
func TestAskedAgainOtherwise(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 5))
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
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
