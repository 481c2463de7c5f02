package sampler

import (
	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// Flattens reports whether the trial of that number goes by linear targets, while some of
// the study's trials are taken for running ones.
func (s *FMSampler) Flattens(study *goptuna.Study, number, running int) (bool, error) {
	h, err := history.Read(study, -1)
	if err != nil {
		return false, err
	}
	p, err := observe.Observe(h, goptuna.FrozenTrial{Number: number}, observe.Settings{NewParam: s.param})
	if err != nil {
		return false, err
	}
	p.Pending = p.X[:running]
	model, err := surrogate.Fit(p, s.fitting, &surrogate.Cache{}, func(string, ...any) {})
	if err != nil {
		return false, err
	}
	return search{problem: p, model: model}.flattened().model != model, nil
}
