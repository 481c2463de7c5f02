package insight_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"
)

// Recommended values have the names that the objective asks by, also of variants.
func TestRecommendedNames(t *testing.T) {
	objective := func(trial goptuna.Trial) (float64, error) {
		optimiser, err := trial.SuggestCategorical("optimiser", []string{"adam", "sgd"})
		if err != nil {
			return 0, err
		}
		if optimiser == "adam" {
			return trial.SuggestLogFloat("rate", 1e-5, 1e-3)
		}
		return trial.SuggestLogFloat("rate", 1e-2, 1)
	}
	r := fit(t, atRandom(t, objective, 20)).Recommend()
	for _, params := range []map[string]any{r.Params, r.BestParams} {
		if got := slices.Sorted(maps.Keys(params)); !slices.Equal(got, []string{"optimiser", "rate"}) {
			t.Errorf("names %q", got)
		}
	}
}
