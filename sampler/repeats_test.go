package sampler_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// Beside twelve options that do nothing, few trials vary them alone: the search learns
// which they are from values that repeat. Without that, two thirds of the trials repeat one.
func TestOptionsThatDoNothing(t *testing.T) {
	levels := []string{"a", "b", "c", "d", "e"}
	var params []fmtest.Param
	for i := range 4 {
		params = append(params, fmtest.Param{Name: fmt.Sprint("option", i), Distribution: goptuna.CategoricalDistribution{Choices: levels}})
	}
	for i := range 6 {
		params = append(params,
			fmtest.Param{Name: fmt.Sprint("switch", i), Distribution: goptuna.CategoricalDistribution{Choices: []string{"off", "on"}}},
			fmtest.Param{Name: fmt.Sprint("size", i), Distribution: goptuna.IntUniformDistribution{Low: 0, High: 10}})
	}
	value := func(x map[string]float64) (sum float64) {
		for i := range 4 {
			sum += math.Sin(float64(i+1)*x[fmt.Sprint("option", i)]+float64(i)) * (1 + 0.3*math.Cos(x[fmt.Sprint("option", (i+1)%4)]))
		}
		return sum
	}
	const trials, first = 60, 20
	repeated, all := 0, 0
	for _, seed := range fmtest.Seeds(4) {
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
	if repeated > all/2 {
		t.Errorf("%d of %d trials repeat a value", repeated, all)
	}
}
