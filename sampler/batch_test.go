package sampler_test

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// Trials that run at once have different configurations, whatever the names of parameters
// are: UTF-8, or Latin-1.
func TestPairsDiffer(t *testing.T) {
	for _, name := range []string{"größe", "gr\xf6\xdfe"} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 0))
		params := []fmtest.Param{
			{Name: name, Distribution: goptuna.IntUniformDistribution{Low: 0, High: 3}},
			{Name: "y", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 3}},
		}
		for range 8 {
			var ids []int
			var values []float64
			for range 2 {
				id := fmtest.RunningTrial(t, study).ID
				x, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: id}, params...)
				if err != nil {
					t.Fatal(err)
				}
				ids, values = append(ids, id), append(values, math.Abs(x[name]-1)+math.Abs(x["y"]-2))
			}
			for i, id := range ids {
				if err := study.Storage.SetTrialValue(id, values[i]); err != nil {
					t.Fatal(err)
				}
				if err := study.Storage.SetTrialState(id, goptuna.TrialStateComplete); err != nil {
					t.Fatal(err)
				}
			}
		}
		if n := fmtest.Duplicates(fmtest.TrialsOf(t, study)); n > 0 {
			t.Errorf("%q: %d of 16 trials repeat an earlier one", name, n)
		}
	}
}

// Of ten trials that are asked for together once the search is settled, one goes to
// the expected optimum and the others elsewhere: its neighbours would teach nothing.
func TestBatchIsSpread(t *testing.T) {
	fmtest.Sequential(t)
	const seeds, trials, batch, near = 6, 30, 10, 0.02
	optimum := [2]float64{0.3, 0.6}
	suggest := func(trial goptuna.Trial) (distance float64, err error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			return 0, err
		}
		y, err := trial.SuggestFloat("y", 0, 1)
		if err != nil {
			return 0, err
		}
		mode, err := trial.SuggestCategorical("mode", []string{"a", "b", "c"})
		distance = math.Hypot(x-optimum[0], y-optimum[1])
		if mode != "a" {
			distance += 2
		}
		return distance, err
	}
	crowded := 0
	for seed := range int64(seeds) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			distance, err := suggest(trial)
			return distance * distance, err
		}, trials)
		together := 0
		for range batch {
			id, err := study.Storage.CreateNewTrial(study.ID)
			if err != nil {
				t.Fatal(err)
			}
			distance, err := suggest(goptuna.Trial{Study: study, ID: id})
			if err != nil {
				t.Fatal(err)
			}
			if distance < near {
				together++
			}
		}
		t.Logf("seed %d: %d of %d within %v of the optimum", seed, together, batch, near)
		if together > 1 {
			crowded++
		}
	}
	if crowded > seeds/3 {
		t.Errorf("%d of %d batches have neighbours at the optimum", crowded, seeds)
	}
}
