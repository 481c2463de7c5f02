package surrogate

import (
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// conditions are what a model is conditioned on.
type conditions struct {
	Observations
	pending   []fmkernel.Point
	valueless []valueless
}

// valueless is the configuration of a trial without a value, and how much it counts:
// 1, or less where the trial may have failed by chance.
type valueless struct {
	x      fmkernel.Point
	weight float64
}

// models returns that of each of the hyperparameters, and an error when none has
// one.
func (f fitting) models(hypers []gp.Hyper, on conditions) (models []*gp.Model, err error) {
	for slot, hyper := range hypers {
		model, failed := f.model(slot, hyper, on)
		if failed != nil {
			err = failed
			continue
		}
		models = append(models, model)
	}
	if len(models) == 0 {
		return nil, err
	}
	return models, nil
}

// model conditions on the observations, and then on the configurations without a
// value: pending ones at their predicted mean, so that only the uncertainty about
// them goes; others at least at the mean of all targets, so that the search does
// not return to them. One rises as far as it counts, so that a trial that failed by
// chance hides nothing.
func (f fitting) model(slot int, hyper gp.Hyper, on conditions) (*gp.Model, error) {
	model, err := f.observedModel(slot, hyper, on)
	if err != nil {
		return nil, err
	}
	imagined := slices.Clone(on.pending)
	for _, v := range on.valueless {
		imagined = append(imagined, v.x)
	}
	if len(imagined) == 0 {
		return model, nil
	}
	means := make([]float64, len(imagined))
	model.Predictor().PredictMeans(means, imagined)
	for k, v := range on.valueless {
		mean := &means[len(on.pending)+k]
		*mean += v.weight * (math.Max(*mean, 0) - *mean)
	}
	all := model
	covariance, err := model.Joined(imagined)
	if err == nil {
		all, err = covariance.Condition(slices.Concat(on.Targets, means))
	}
	if err != nil {
		f.warn("running and failed trials are left out of the model", err)
		return model, nil
	}
	return all, nil
}

// observedModel conditions on the observations alone.
func (f fitting) observedModel(slot int, hyper gp.Hyper, on conditions) (*gp.Model, error) {
	covariance, err := f.covariance(slot, hyper, on.Observations)
	if err != nil {
		return nil, err
	}
	return covariance.Condition(on.Targets)
}
