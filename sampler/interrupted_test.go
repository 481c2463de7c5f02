package sampler_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
)

// A trial that failed before it asked for all its parameters, as one does whose
// connection is lost, does not make later ones forget those.
func TestInterruptedTrial(t *testing.T) {
	study := newStudy(t, seeded(t, 1), goptuna.StudyOptionLogger(nil), goptuna.StudyOptionIgnoreError(true))
	number := 0
	optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		number++
		a, err := trial.SuggestFloat("a", 0, 1)
		if err != nil {
			return 0, err
		}
		if number == 3 || number == 14 {
			return 0, errors.New("interrupted")
		}
		if number > 1 {
			attrs, err := trial.GetSystemAttrs()
			if err != nil {
				return 0, err
			}
			if !strings.Contains(attrs["fm:plan:0"], `"b":`) {
				t.Errorf("trial %d: the plan made for a does not cover b: %q", number, attrs["fm:plan:0"])
			}
		}
		b, err := trial.SuggestFloat("b", 0, 1)
		return sq(a-0.2) + sq(b-0.6), err
	}, 25)
}
