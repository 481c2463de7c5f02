package sampler_test

import (
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// Workers that start a study at once do not hear that the space is exhausted:
// nobody knows yet what comes after the first parameter.
func TestWorkersAtStartHearNoFalseWarning(t *testing.T) {
	for where, storage := range storages {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), storage(t), goptuna.StudyOptionLogger(log))
		var started []*goptuna.Trial
		for range 4 {
			started = append(started, &goptuna.Trial{Study: study, ID: fmtest.RunningTrial(t, study).ID})
		}
		for _, p := range []fmtest.Param{
			{Name: "kind", Distribution: goptuna.CategoricalDistribution{Choices: []string{"p", "q"}}},
			{Name: "layers", Distribution: goptuna.IntUniformDistribution{Low: 1, High: 2}},
			{Name: "rate", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}},
		} {
			for _, trial := range started {
				if _, err := fmtest.SuggestOne(trial, p); err != nil {
					t.Fatal(err)
				}
			}
		}
		if n := fmtest.Duplicates(fmtest.TrialsOf(t, study)); n > 0 {
			t.Errorf("%s: %d of four workers repeat another", where, n)
		}
		for _, w := range log.Warnings() {
			if strings.Contains(w, "every configuration") {
				t.Errorf("%s: %q, in a space with a float", where, w)
			}
		}
	}
}
