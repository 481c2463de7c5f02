package searchtest

import (
	"fmt"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// optionsThatDoNothing returns four choices and twelve options that do nothing, and the
// value of the four.
func optionsThatDoNothing() (params []fmtest.Param, value func(x map[string]float64) float64) {
	levels := []string{"a", "b", "c", "d", "e"}
	for i := range 4 {
		params = append(params, fmtest.Param{Name: fmt.Sprint("option", i), Distribution: goptuna.CategoricalDistribution{Choices: levels}})
	}
	for i := range 6 {
		params = append(params,
			fmtest.Param{Name: fmt.Sprint("switch", i), Distribution: goptuna.CategoricalDistribution{Choices: []string{"off", "on"}}},
			fmtest.Param{Name: fmt.Sprint("size", i), Distribution: goptuna.IntUniformDistribution{Low: 0, High: 10}})
	}
	return params, func(x map[string]float64) (sum float64) {
		for i := range 4 {
			sum += math.Sin(float64(i+1)*x[fmt.Sprint("option", i)]+float64(i)) * (1 + 0.3*math.Cos(x[fmt.Sprint("option", (i+1)%4)]))
		}
		return sum
	}
}

// repeatedValues returns how many of the trials after the twentieth of some studies have a
// value that an earlier one has, and how many there are.
func repeatedValues(t *testing.T, params []fmtest.Param, value func(x map[string]float64) float64, studies, trials int) (repeated, all int) {
	const first = 20
	for _, seed := range fmtest.Seeds(studies) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, fmtest.Ask(params, value), trials)
		seen := map[float64]bool{}
		for i, trial := range fmtest.TrialsOf(t, study) {
			if i >= first {
				all++
				if seen[trial.Value] {
					repeated++
				}
			}
			seen[trial.Value] = true
		}
	}
	t.Logf("%d of %d trials repeat a value", repeated, all)
	return repeated, all
}

// Beside twelve options that do nothing, few trials vary them alone: the search learns
// which they are from values that repeat. Without that, two thirds of the trials repeat one.
func TestOptionsThatDoNothing(t *testing.T) {
	params, value := optionsThatDoNothing()
	repeated, all := repeatedValues(t, params, value, 4, 60)
	if repeated > all/2 {
		t.Errorf("%d of %d trials repeat a value", repeated, all)
	}
}

// What repeats is a function of the storage: a study that another process continues goes
// on as if there had been one, with samples of the hyperparameters, too.
func TestRepeatsInAContinuedStudy(t *testing.T) {
	params, value := optionsThatDoNothing()
	for name, opts := range map[string][]fm.SamplerOption{"": nil, "samples": {fm.SamplerOptionSliceSampling(3)}, "deterministic": {fm.SamplerOptionDeterministicObjective(true)}} {
		const trials = 36
		run := func(parts ...int) []goptuna.FrozenTrial {
			study := fmtest.NewStudy(t, nil)
			for _, n := range parts {
				study.Sampler = fmtest.Seeded(t, 1, opts...)
				fmtest.Optimize(t, study, fmtest.Ask(params, value), n)
			}
			return fmtest.TrialsOf(t, study)
		}
		want := run(trials)
		distinct := map[float64]bool{}
		for _, trial := range want {
			distinct[trial.Value] = true
		}
		if len(distinct) == trials {
			t.Errorf("%s: no value repeats", name)
		}
		fmtest.SameTrials(t, "continued, "+name, run(24, 5, trials-29), want)
	}
}

// Where the value of a cell of the space tells nothing of the next one, trials go on filling
// the space: that a trial beside another has its value is nothing that the model predicts.
// Without that two thirds of the trials measure a cell once more; uniform draws, a quarter.
// Of some studies most do, of others nearly none.
func TestUnrelatedCells(t *testing.T) {
	t.Parallel()
	params := []fmtest.Param{
		{Name: "x", Distribution: goptuna.UniformDistribution{High: 1}},
		{Name: "y", Distribution: goptuna.UniformDistribution{High: 1}},
		{Name: "z", Distribution: goptuna.UniformDistribution{High: 1}},
	}
	value := func(x map[string]float64) float64 {
		cell := stream.Trial{Number: int(8*x["x"]) + 10*int(8*x["y"]) + 100*int(4*x["z"])}
		return cell.Rand("cells").Float64()
	}
	repeated, all := repeatedValues(t, params, value, 20, 60)
	if repeated > all/2 {
		t.Errorf("%d of %d trials repeat a value", repeated, all)
	}
}
