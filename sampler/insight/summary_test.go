package insight_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// The value that the most important parameter is said to be best near is the recommended
// one, not that of a trial that is worse or no longer possible.
func TestImportanceSummaryNamesRecommended(t *testing.T) {
	trials := 0
	edited := func(trial goptuna.Trial) (float64, error) {
		low := 0.0
		if trials++; trials > 15 {
			low = 0.5
		}
		x, err := trial.SuggestFloat("x", low, 1)
		return math.Pow(x-0.2, 2), err
	}
	for name, study := range map[string]*goptuna.Study{
		"rate": atRandom(t, mixed, 40),
		"x":    optimized(t, fm.NewSampler(), edited, 30),
	} {
		m := fit(t, study)
		want := fmt.Sprintf("(best near %.4g)", m.Recommend().Params[name])
		if got := m.ImportanceSummary(); !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
		attrs, err := study.GetUserAttrs()
		if err != nil {
			t.Fatal(err)
		}
		if got := attrs["fm: importance"]; name == "x" && !strings.Contains(got, "(best near 0.5)") {
			t.Errorf("the study's attribute is %q", got)
		}
	}
}

// Importances of a model that predicts badly come with its R².
func TestImportanceSummaryDoubts(t *testing.T) {
	for sd, doubtful := range map[float64]bool{0: false, 1: true} {
		rng := rand.New(rand.NewPCG(1, 2))
		m := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
			xs, err := floats(trial, 2)
			return sd*rng.NormFloat64() + (1-sd)*(xs[0]+xs[1]), err
		}, 40))
		got, doubt := m.ImportanceSummary(), fmt.Sprintf("; this is of what the model predicts, whose R² is %.2f", m.Skill().R2)
		if strings.HasSuffix(got, doubt) != doubtful {
			t.Errorf("noise of %v: %s", sd, got)
		}
	}
}
