// Package sampler is a Goptuna sampler that plans each trial as a whole, with a
// Gaussian process on mixed variables under the frequency modulated kernel of
// Oh, Gavves and Welling (UAI 2021). Import it as fm:
//
//	import fm "github.com/goptuna-fm/goptuna-fm/sampler"
//
//	study, err := goptuna.CreateStudy("tune",
//		goptuna.StudyOptionSampler(fm.NewSampler()))
//
// It takes the place of tpe.NewSampler(), with the same names for the options
// they share.
//
// # One suggestion
//
//  1. The trials of the study are read from storage, once per trial.
//  2. Those that have every parameter asked for so far give the space: which
//     parameters come, with which distributions. Where the value of one decides
//     about others, every other trial draws it at random.
//  3. During start-up the trial takes a point of a scrambled Sobol sequence.
//  4. Later a Gaussian process with the ModLap kernel is fitted to the finished
//     trials, starting from the hyperparameters stored with the last one.
//     Running trials count as evaluated at their predicted mean; failed and
//     pruned ones as no better than an average trial.
//  5. The point with the largest expected improvement over the mixed space is
//     the plan, given the values that are fixed already: on the best value, or
//     in two trials of three on one that is better by a margin. It is stored
//     with the trial and handed out parameter by parameter.
//
// A suggestion is a function of the seed, the trial's number and the history in
// storage: a restarted process goes on as the first would have.
//
// # Failures
//
// Distributions and options that make no sense are errors that name the
// parameter and the remedy. Numerical trouble never fails a trial: a fit that
// does not succeed is replaced by the previous one, by typical values under the
// prior, or by a random draw, and the study's logger is told once.
package sampler
