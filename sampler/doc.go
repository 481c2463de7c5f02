// Package sampler is a Goptuna sampler that plans each trial as a whole, with a
// Gaussian process on mixed variables under the frequency modulated kernel of
// Oh, Gavves and Welling (UAI 2021). Import it as fm:
//
//	import fm "github.com/goptuna-fm/goptuna-fm/sampler"
//
//	study, err := goptuna.CreateStudy("tune",
//		goptuna.StudyOptionSampler(fm.NewSampler()))
//	if err != nil { ... }
//	err = fm.Optimize(ctx, study, objective, 100)
//
// where the objective asks for its parameters and returns a value to be minimised:
//
//	func objective(ctx context.Context, trial goptuna.Trial) (float64, error) {
//		rate, err := trial.SuggestLogFloat("rate", 1e-4, 1)
//		...
//		return loss, err
//	}
//
// NewSampler takes the place of tpe.NewSampler(), with the same names for the
// options they share. Optimize takes that of study.Optimize, which works too: here
// an error, a panic or a NaN fails one trial, and no study. Ask and Tell are for programs
// without such a loop. A study lasts, and is shared by processes, in a storage of package
// cachedrdb.
//
// # One suggestion
//
//  1. The trials of the study are read from storage, once per trial.
//  2. All parameters that trials have asked for make one space, in which a
//     parameter may be absent. Which of them are active together is learned: the
//     regions that a trial may end in.
//  3. During start-up the trial takes a point of a scrambled Sobol sequence.
//  4. Later a Gaussian process with the ModLap kernel is fitted to the finished
//     trials, starting from the hyperparameters stored with the last one. While it
//     predicts values no better than their mean, the start-up goes on.
//     Running trials count as evaluated at their predicted mean, pruned ones as
//     no better than most. A second process learns where trials fail, if some do,
//     and one for each constraint where it holds.
//  5. The point with the largest expected improvement over all regions is the
//     plan, given the values that are fixed already. It is stored with the trial and
//     handed out parameter by parameter; where the objective asks for something else,
//     the rest is planned again.
//
// Some trials look elsewhere:
//
//   - Two of three want to improve on the best value by a margin, which is at most as
//     large as the noise where a parameter is continuous. Where next to nothing is
//     expected any more, or was found lately, these may go to a part of the space that
//     the best point is not in.
//   - While the search finds nothing, every second one may go to a value of a choice
//     that was tried little, on a plateau, or has always failed.
//   - While many values of choices are untried, one of three takes some of these.
//   - In one of two, a region that lags far behind the others in trials is the only
//     one to choose from.
//
// A suggestion is a function of the seed, the trial's number and the history in
// storage: a restarted process goes on as the first would have.
// docs/how-it-works.md in the repository shows the model in pictures.
//
// # Failures
//
// What an objective measures beside its value may have limits: see Constrained.
//
// Distributions and options that make no sense are errors that name the
// parameter and the remedy. (A range whose ends are swapped, a step that is not
// positive and an empty list of choices are refused by Goptuna, before the sampler
// is asked, with an error that does not name the parameter.) Numerical trouble
// never fails a trial: a fit that does not succeed is replaced by the previous one,
// by typical values under the prior, or by a random draw, and a warning is logged
// once.
package sampler
