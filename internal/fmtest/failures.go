package fmtest

import (
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// FailOften runs a study of 24 configurations, nine of which end in the failure,
// and checks that each of the 24 gets one trial.
func FailOften(t *testing.T, failure error, opts ...goptuna.StudyOption) {
	t.Helper()
	params := []Param{
		{"a", goptuna.CategoricalDistribution{Choices: []string{"p", "q", "r", "s"}}},
		{"b", goptuna.IntUniformDistribution{Low: 1, High: 6}},
	}
	opts = append(opts, goptuna.StudyOptionIgnoreError(true))
	study := NewStudy(t, Seeded(t, 4, fm.SamplerOptionNumberOfStartupTrials(5)), opts...)
	Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		x, err := Suggest(&trial, params...)
		if err != nil {
			t.Error(err)
		}
		if x["b"] == 4 || x["a"] == 2 { // the optimum would be among these
			return 0, failure
		}
		return sq(x["a"]-2) + sq(x["b"]-4), nil
	}, 24)
	trials := TrialsOf(t, study)
	if n := Duplicates(trials); n > 0 {
		t.Errorf("%v: %d of 24 trials repeat one of 24 configurations", failure, n)
	}
	if n := Count(trials, goptuna.TrialStateComplete); n != 15 {
		t.Errorf("%v: %d of 24 trials are complete, want those of 15 configurations", failure, n)
	}
}
