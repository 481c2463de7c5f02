package history_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// Whatever stands for a failure is told from what a program measures.
func TestPenaltiesAreTold(t *testing.T) {
	ordinary := []float64{2, 0.3, 1, 0, 1.5, 0.7}
	for _, penalties := range [][]float64{
		{25, 25}, {1e3, 1e3}, {1e9}, {math.MaxFloat64, math.MaxFloat64},
		{1e4, 3e4, 2e4},             // 1e4 for each constraint that is violated
		{1e4, 1e4, 1e9, 1e9, 1e300}, // for three causes
		slices.Repeat([]float64{1e6}, 50),
	} {
		t.Run(fmt.Sprint(penalties[0], len(penalties)), func(t *testing.T) {
			for _, unit := range []float64{1e-300, 1e-5, 1} {
				var ys []float64
				for _, y := range slices.Concat(penalties, ordinary) {
					ys = append(ys, unit*y)
				}
				if got, want := history.LeastPenalty(ys), unit*slices.Min(penalties); got != want {
					t.Errorf("in units of %g: least penalty %v, want %v", unit, got, want)
				}
			}
		})
	}
}

// Values without a gap are none, nor are those over many orders of magnitude, nor those
// before a search came to its optimum. Few
// values, or equal ones, do not tell what is ordinary.
func TestOrdinaryValues(t *testing.T) {
	var orders []float64
	for k := range 40 {
		orders = append(orders, math.Pow(10, float64(k)/2))
	}
	converged := []float64{3.1, 2.5, 0.5, 1.9, 1.5, 2.3, 4e-4, 3e-3, 5e-3, 3e-4, 1e-6}
	for _, ys := range [][]float64{nil, {5}, {0, 1, 2, 3, 4, 43}, converged, {1, 2, 3, 4, 1e9}, {1, 1, 1, 1, 1, 1, 1e9}, orders} {
		if got := history.LeastPenalty(ys); !math.IsInf(got, 1) {
			t.Errorf("of %v: %v is a penalty", ys, got)
		}
	}
}

// Trials with a penalty are failed ones to the model, in both directions.
func TestPenaltiesFail(t *testing.T) {
	for _, direction := range []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize} {
		study := newStudy(t, "", goptuna.StudyOptionDirection(direction))
		sign := 1.0
		if direction == goptuna.StudyDirectionMaximize {
			sign = -1
		}
		for _, y := range []float64{1, 2, 1e9, 3, 4, 5} {
			fmtest.AddTrial(t, study, goptuna.TrialStateComplete, sign*y)
		}
		h := fmtest.ReadHistory(t, study, -1)
		if h.Observations != 5 {
			t.Errorf("%s: %d observations, want 5", direction, h.Observations)
		}
		for _, trial := range h.Finished {
			if got, want := trial.Failed(), trial.Number == 2; got != want {
				t.Errorf("%s: trial %d with %v failed: %v, want %v", direction, trial.Number, trial.Value, got, want)
			}
		}
	}
}

// What is usual on a large machine is no penalty beside what is usual on a small one, nor is a
// penalty there the usual on the large one.
func TestPenaltiesByCircumstances(t *testing.T) {
	study := newStudy(t, "")
	add := func(machine string, ys ...float64) {
		for _, y := range ys {
			id := fmtest.AddTrial(t, study, goptuna.TrialStateRunning, 0)
			for _, err := range []error{
				study.Storage.SetTrialParam(id, "machine", 0, goptuna.CategoricalDistribution{Choices: []string{machine}}),
				study.Storage.SetTrialValue(id, y),
				study.Storage.SetTrialState(id, goptuna.TrialStateComplete),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	add("small", 1, 2, 3, 4, 5, 6, 1e5, 1e5)
	add("large", 1e5, 3e5, 2e5)
	for _, trial := range fmtest.ReadHistory(t, study, -1).Finished {
		if got, want := trial.Penalty, trial.Number == 6 || trial.Number == 7; got != want {
			t.Errorf("trial %d with %v on the %s machine has a penalty: %v, want %v", trial.Number, trial.Value, trial.Params["machine"], got, want)
		}
	}
}
