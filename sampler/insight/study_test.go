package insight_test

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// optimized returns a study after n trials.
func optimized(t testing.TB, sampler goptuna.Sampler, objective goptuna.FuncObjective, n int, opts ...goptuna.StudyOption) *goptuna.Study {
	t.Helper()
	opts = append([]goptuna.StudyOption{
		goptuna.StudyOptionSampler(sampler), goptuna.StudyOptionLogger(nil), goptuna.StudyOptionIgnoreError(true),
	}, opts...)
	study, err := goptuna.CreateStudy("insight", opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := study.Optimize(objective, n); err != nil {
		t.Fatal(err)
	}
	return study
}

// atRandom returns a study after n trials of random search.
func atRandom(t testing.TB, objective goptuna.FuncObjective, n int, opts ...goptuna.StudyOption) *goptuna.Study {
	t.Helper()
	return optimized(t, problems.NewRandomSampler(1), objective, n, opts...)
}

func fit(t testing.TB, study *goptuna.Study, options ...insight.Option) *insight.Model {
	t.Helper()
	m, err := insight.Fit(study, options...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// floats asks for n floats in [0, 1], named x1, x2, ...
func floats(trial goptuna.Trial, n int) ([]float64, error) {
	xs := make([]float64, n)
	for i := range xs {
		var err error
		if xs[i], err = trial.SuggestFloat("x"+string(rune('1'+i)), 0, 1); err != nil {
			return nil, err
		}
	}
	return xs, nil
}
