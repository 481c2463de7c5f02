// Package insight says what a Gaussian process makes of a study: how well it
// predicts, which parameters matter and how, which configuration is best, and
// whether more trials are worth their cost. It reads studies of any Goptuna
// sampler, conditional ones included, and changes nothing in them.
//
//	model, err := insight.Fit(study)
//	fmt.Println(model.Summary())
//
// Values are in the units and the direction of the study. The model is fitted to
// transformed values; a quantile of a prediction is the inverse transform of the
// quantile there, and the middle of a prediction is its median. Intervals hold
// 90 %. Uncertainty is that of a Gaussian process under its most probable
// hyperparameters, for single configurations under samples of them, and the width of
// intervals is adjusted to what trials show that are left out.
package insight
