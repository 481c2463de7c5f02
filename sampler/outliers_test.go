package sampler_test

import (
	"log"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// That values are left out is said once. A study that is restarted before each trial leaves out
// the same, and goes on in the same way.
func TestOutliers(t *testing.T) {
	fmtest.Sequential(t)
	const trials = 45
	run := func(each int) (messages int, finished []goptuna.FrozenTrial) {
		var text strings.Builder
		logger := &goptuna.StdLogger{Logger: log.New(&text, "", 0), Level: goptuna.LoggerLevelInfo}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 3), goptuna.StudyOptionLogger(logger))
		for range trials / each {
			study.Sampler = fmtest.Seeded(t, 3)
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				x, err := fmtest.Suggest(&trial, fmtest.Mixed()...)
				if err != nil {
					return 0, err
				}
				number, err := trial.Number()
				y := fmtest.MixedValue(x)
				if number%10 == 7 {
					y += 30
				}
				return y, err
			}, each)
		}
		return strings.Count(text.String(), "fm: trials whose values all others contradict are left out of the model: so far: ["), fmtest.TrialsOf(t, study)
	}
	n, at := run(trials)
	if n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	n, again := run(1)
	if n < 2 {
		t.Errorf("%d messages of as many processes as trials", n)
	}
	fmtest.SameTrials(t, "continued", again, at)
}
