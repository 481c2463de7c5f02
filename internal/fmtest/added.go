package fmtest

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Finished returns n trials of Mixed and MixedValue, without what the sampler
// noted about them.
func Finished(t *testing.T, n int) []goptuna.FrozenTrial {
	t.Helper()
	study := NewStudy(t, Seeded(t, 99))
	Optimize(t, study, Ask(Mixed(), MixedValue), n)
	trials := TrialsOf(t, study)
	for i := range trials {
		trials[i].InternalParams = maps.Clone(trials[i].InternalParams)
		trials[i].SystemAttrs = map[string]string{}
		trials[i].UserAttrs = map[string]string{}
	}
	return trials
}

// The studies of CheckAdded get so many trials, and then run some more.
const addedTrials, trialsAfter = 20, 5

// CheckAdded checks what becomes of trials that are added to a study by AddTrial, or copied to
// it by CopyTrials. Each time it takes a new storage.
func CheckAdded(t *testing.T, storage func(testing.TB) goptuna.Storage) {
	t.Helper()
	finished := Finished(t, addedTrials)
	checkGoesOn(t, storage, finished)
	checkNoValue(t, storage, finished[0])
	checkMeasured(t, storage)
}

// checkGoesOn checks that a study goes on from trials that were added to it, to the bit, as from
// those that storage has cloned, and that it learns from them where it has trials already.
func checkGoesOn(t *testing.T, storage func(testing.TB) goptuna.Storage, finished []goptuna.FrozenTrial) {
	t.Helper()
	for _, before := range []int{0, 12} {
		run := func(add func(*goptuna.Study, goptuna.FrozenTrial) error) []goptuna.FrozenTrial {
			study := NewStudy(t, Seeded(t, 1), goptuna.StudyOptionStorage(storage(t)))
			Optimize(t, study, Ask(Mixed(), MixedValue), before)
			for _, trial := range finished {
				if err := add(study, trial); err != nil {
					t.Fatal(err)
				}
			}
			if trials := TrialsOf(t, study); len(trials) != before+addedTrials || Count(trials, goptuna.TrialStateComplete) != len(trials) {
				t.Fatalf("%d trials, %d of them complete; want %d", len(trials), Count(trials, goptuna.TrialStateComplete), before+addedTrials)
			}
			Optimize(t, study, Ask(Mixed(), MixedValue), trialsAfter)
			attrs, err := study.GetUserAttrs()
			if err != nil || !strings.Contains(attrs["fm: model"], "3 continuous and 3 discrete parameters") {
				t.Errorf("after %d trials and %d added: model %q, error %v", before, addedTrials, attrs["fm: model"], err)
			}
			return TrialsOf(t, study)[before+addedTrials:]
		}
		cloned := run(func(study *goptuna.Study, trial goptuna.FrozenTrial) error {
			_, err := study.Storage.CloneTrial(study.ID, trial)
			return err
		})
		added := run(func(study *goptuna.Study, trial goptuna.FrozenTrial) error {
			return fm.AddTrial(study, trial.Value, trial.Params, trial.Distributions)
		})
		if before == 0 { // otherwise they ended at other times than the clones, which is another order
			SameTrials(t, "added", added, cloned)
		}
		if startup := LowerQuartile(finished[:10]); LowerQuartile(added) > startup {
			t.Errorf("lower quartile %.3g after the trials that were added, %.3g of a start-up", LowerQuartile(added), startup)
		}
	}
}

// checkNoValue checks that a trial which is added without a finite value has failed.
func checkNoValue(t *testing.T, storage func(testing.TB) goptuna.Storage, finished goptuna.FrozenTrial) {
	t.Helper()
	study := NewStudy(t, Seeded(t, 1), goptuna.StudyOptionStorage(storage(t)))
	for _, value := range []float64{math.NaN(), math.Inf(-1), math.Inf(1), 7} {
		if err := fm.AddTrial(study, value, finished.Params, finished.Distributions); err != nil {
			t.Error(err)
		}
	}
	trials := TrialsOf(t, study)
	best, err := study.GetBestValue()
	if Count(trials, goptuna.TrialStateFail) != 3 || best != 7 || err != nil || !strings.Contains(trials[0].UserAttrs["fm: error"], "NaN") {
		t.Errorf("best value %v, error %v, of trials %+v", best, err, trials)
	}
}

// checkMeasured checks that a trial which is added with what it has measured beside the value is
// as one that Constrained has ended, and one that is copied under another limit as one that is
// added with that.
func checkMeasured(t *testing.T, storage func(testing.TB) goptuna.Storage) {
	t.Helper()
	limits := func(x, most float64) []fm.Constraint {
		return []fm.Constraint{fm.AtMost("x", x, most), fm.AtLeast("x again", x, 0.1)}
	}
	distributions := map[string]any{"x": goptuna.UniformDistribution{Low: 0, High: 1}}
	measured := NewStudy(t, Seeded(t, 1), goptuna.StudyOptionStorage(storage(t)))
	ofX := func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			return 0, err
		}
		return fm.Constrained(trial, -x, limits(x, 0.5)...)
	}
	if err := fm.Optimize(context.Background(), measured, ofX, addedTrials); err != nil {
		t.Fatal(err)
	}
	ended := TrialsOf(t, measured)
	addAll := func(most float64) *goptuna.Study {
		study := NewStudy(t, Seeded(t, 1), goptuna.StudyOptionStorage(storage(t)))
		for _, trial := range ended {
			x := trial.Params["x"].(float64)
			if err := fm.AddTrial(study, -x, trial.Params, distributions, limits(x, most)...); err != nil {
				t.Fatal(err)
			}
		}
		return study
	}
	copied := addAll(0.5)
	for i, trial := range TrialsOf(t, copied) {
		if want := ended[i]; trial.State != want.State || !maps.Equal(trial.UserAttrs, want.UserAttrs) {
			t.Errorf("added with limits: %+v, want %+v", trial, want)
		}
	}
	for _, most := range []float64{0.2, 0.5, 0.9} {
		study := NewStudy(t, Seeded(t, 1), goptuna.StudyOptionStorage(storage(t)))
		if err := fm.CopyTrials(study, measured, fm.CopyOptionLimits(map[string]float64{"x": most})); err != nil {
			t.Fatal(err)
		}
		SameTrials(t, fmt.Sprintf("copied with the limit %v", most), TrialsOf(t, study), TrialsOf(t, addAll(most)))
	}
	for _, study := range []*goptuna.Study{measured, copied} {
		if err := fm.Optimize(context.Background(), study, ofX, trialsAfter); err != nil {
			t.Fatal(err)
		}
	}
	best, err := copied.GetBestValue()
	if want, wantErr := measured.GetBestValue(); err != nil || wantErr != nil || best > -0.45 || best < -0.5 || math.Abs(best-want) > 0.05 {
		t.Errorf("best value %v, error %v, after trials were added; %v where they ran", best, err, want)
	}
	if err := fm.AddTrial(copied, 1, map[string]any{"x": 0.5}, distributions, fm.AtMost("", 1, 2)); err == nil {
		t.Error("a constraint without a name was added")
	}
}
