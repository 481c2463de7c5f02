package sampler_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// A name whose choices or range follow from the value of a choice is planned as what the
// objective asks for. In one parameter, 1 of 8 studies finds the optimum, and 242 of 320
// trials are planned again.
func TestVariantsArePlanned(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	p := problems.Solvers()
	found, again := 0, 0
	for _, seed := range fmtest.Seeds(8) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, p.Objective, 60)
		if fmtest.Best(t, study) < 0.01 {
			found++
		}
		for _, trial := range fmtest.TrialsOf(t, study)[20:] {
			if plan.Decode(trial.SystemAttrs).Revision > 0 {
				again++
			}
		}
	}
	t.Logf("%d of 8 studies have found the optimum; %d of 320 trials were planned again", found, again)
	if found < 6 || again > 32 {
		t.Errorf("%d of 8 studies have found the optimum; %d of 320 trials were planned again", found, again)
	}
}

// A name whose choices have most in common is one parameter, which keeps the values that
// the last trial could not have: a finite study repeats nothing, and says that it is
// exhausted when it is. When the last distribution was all, each of these repeated some.
func TestVariantsInCommonAreExhausted(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	penalties := map[string][]string{"liblinear": {"l1", "l2"}, "saga": {"l1", "l2", "elasticnet"}}
	objective := func(trial goptuna.Trial) (float64, error) {
		solver, err := trial.SuggestCategorical("solver", []string{"liblinear", "saga"})
		if err != nil {
			return 0, err
		}
		penalty, err := trial.SuggestCategorical("penalty", penalties[solver])
		if err != nil {
			return 0, err
		}
		x, err := trial.SuggestInt("x", 0, 7)
		return float64(len(penalty)) + float64(len(solver))/10 + math.Abs(float64(x)-2), err
	}
	for _, seed := range fmtest.Seeds(4) {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionLogger(log))
		fmtest.Optimize(t, study, objective, 40)
		seen := map[string]bool{}
		for _, trial := range fmtest.TrialsOf(t, study) {
			seen[fmt.Sprint(trial.Params)] = true
		}
		if len(seen) != 40 {
			t.Errorf("seed %d: 40 trials have %d of 40 configurations", seed, len(seen))
		}
		log.Check(t, 0, "every configuration")
		fmtest.Optimize(t, study, objective, 2)
		log.Check(t, 1, "every configuration")
	}
}

// Exhaustion is not logged where it is a value that was enqueued which leaves no others.
func TestFixedValuesExhaustNothing(t *testing.T) {
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(log))
	for _, b := range []float64{0, 1, 2, 2} { // with a = 0
		fmtest.Enqueue(t, study, map[string]float64{"a": 0, "b": b})
	}
	for range 2 {
		fmtest.Enqueue(t, study, map[string]float64{"a": 0})
	}
	fmtest.Optimize(t, study, fmtest.Ask(small(), func(x map[string]float64) float64 { return x["b"] }), 6)
	log.Check(t, 0, "every configuration")
}
