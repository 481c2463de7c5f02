package sampler_test

import (
	"log"
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// That values are no numbers is said once, with the first trial that has one.
func TestNoNumberIsLogged(t *testing.T) {
	var text strings.Builder
	logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelInfo}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(logger))
	for _, value := range []float64{2, math.NaN(), math.Inf(-1)} {
		fmtest.AddTrial(t, study, goptuna.TrialStateComplete, value)
	}
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }, 3)
	const want = "fm: complete trials whose value is NaN, infinite or far worse than all others are taken for failed ones: first: trial 1 with NaN\n"
	if n := strings.Count(text.String(), want); n != 1 {
		t.Errorf("%q comes %d times in\n%s", want, n, &text)
	}
}
