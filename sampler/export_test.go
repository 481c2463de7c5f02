package sampler

import "github.com/c-bata/goptuna"

// OrderedChoices returns the parameters whose choices form a path by the fit
// stored with a trial.
func OrderedChoices(trial goptuna.FrozenTrial) []string {
	if fit := decodePlan(trial.SystemAttrs).Fit; fit != nil {
		return fit.Ordered
	}
	return nil
}
