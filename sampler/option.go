package sampler

import (
	"fmt"
	"time"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// SamplerOption customises an FMSampler.
type SamplerOption func(*FMSampler)

// nilOption says which argument of a function is a nil option.
func nilOption(function string, index int) string {
	return fmt.Sprintf("fm: option %d of %s is nil (omit it)", index+1, function)
}

// SamplerOptionSeed sets the seed, 0 by default. Two studies with the same seed
// and objective get the same trials, in any storage, as long as trials run one
// after the other; so does one that is stopped and continued.
func SamplerOptionSeed(seed int64) SamplerOption {
	return func(s *FMSampler) { s.fitting.Seed = uint64(seed) }
}

// SamplerOptionNumberOfStartupTrials sets how many trials must have finished with a
// value before the model takes over. Without the option there are
//
//   - 6 where constraints are measured, or else
//   - 8 where there are at most twelve parameters, each a choice or a number of up to
//     twenty values, or else
//   - 10,
//
// and up to 15 where choices have many unordered values: until a dozen of these at most
// are left untried. Every two trials that failed or were pruned make it one less, down to
// four.
//
// Until then trials fill the space evenly. A parameter of a few values has each of them in
// turn. What is likely to fail, by the trials that did, is avoided. Trials that other
// workers are running count, too, once four have finished with a value. A model that
// predicts values no better than their mean does not take over. The option panics when n
// is below 1.
func SamplerOptionNumberOfStartupTrials(n int) SamplerOption {
	if n < 1 {
		panic(fmt.Sprintf("fm: number of startup trials is %d; need at least 1 (omit the option for as many as the space needs)", n))
	}
	return func(s *FMSampler) { s.startupTrials = n }
}

// SamplerOptionNumberOfModelTrials bounds the number of finished trials that the
// model uses, 1,000 by default: beyond it, the best third of the bound and a
// fixed random choice of the others. The time of a suggestion grows with the
// square of the bound, its memory too. It panics when n is below 1.
func SamplerOptionNumberOfModelTrials(n int) SamplerOption {
	if n < 1 {
		panic(fmt.Sprintf("fm: number of model trials is %d; need at least 1 (omit the option for %d)", n, surrogate.DefaultModelTrials))
	}
	return func(s *FMSampler) { s.fitting.ModelTrials = n }
}

// SamplerOptionGraph says which values of a discrete parameter are alike: its
// vertices are the choices, or the values of an int or of a float with a step, in
// order; of its weights only the ratios count. graphs.Cycle makes an int periodic.
// Without it, choices that all read as numbers form a path in their order, and
// others a complete graph; graphs.Complete(n) makes numbers nominal. It panics
// when g is nil. A graph whose order is not the number of values is an error of
// the trial.
func SamplerOptionGraph(paramName string, g *graphs.Graph) SamplerOption {
	if g == nil {
		panic(fmt.Sprintf("fm: the graph of parameter %q is nil; build one with package graphs (or omit the option)", paramName))
	}
	g = g.Normalized()
	return func(s *FMSampler) { s.graphs[paramName] = g }
}

// SamplerOptionKernel sets the kernel: a constructor of package fmkernel, which
// offers those of the paper's comparison,
//
//	fm.NewSampler(fm.SamplerOptionKernel(fmkernel.NewProdLap))
//
// or a closure around fmkernel.New with a modulator of one's own. The default is
// fmkernel.NewModLap. The kernel is used Normalized and Saturated, or Weighted or Rough
// where that makes the values more probable. A study may be continued with another
// kernel: what was fitted with the last one is not used.
//
// It panics when build is nil, or does not make a kernel on the dimensions and
// graphs it is given.
func SamplerOptionKernel(build func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)) SamplerOption {
	const remedy = "pass a constructor such as fmkernel.NewProdLap, or a closure that hands its arguments to fmkernel.New (or omit the option)"
	if build == nil {
		panic("fm: the kernel's constructor is nil; " + remedy)
	}
	k, err := build(1, graphs.Complete(2))
	if err != nil {
		panic(fmt.Sprintf("fm: the kernel's constructor fails: %v; %s", err, remedy))
	}
	if k == nil {
		panic("fm: the kernel's constructor returns nil; " + remedy)
	}
	if d, p := k.Dims(); d != 1 || p != 1 {
		panic(fmt.Sprintf("fm: the kernel's constructor was given 1 dimension and 1 graph, and returns a kernel on %d and %d; %s", d, p, remedy))
	}
	return func(s *FMSampler) { s.fitting.Kernel = build }
}

// SamplerOptionReferenceFit says whether the hyperparameters of the model are
// fitted as in the paper's own implementation: under its priors (half-horseshoe
// on α and β, inverse gamma on lengthscales and noise, log-normal on the scale)
// and by ten searches, nine of them from random starts, of the kernel as it is. The
// default is false: log-normal priors on all, and mostly one search, from the last
// fit, of the kernel Normalized and Saturated, Weighted or Rough.
func SamplerOptionReferenceFit(reference bool) SamplerOption {
	return func(s *FMSampler) { s.fitting.ReferenceFit = reference }
}

// SamplerOptionSliceSampling says that the expected improvement is averaged over
// n samples of the hyperparameters, drawn by slice sampling from their posterior
// distribution, in place of its value at the most probable ones; the paper's
// implementation has 10 in its other mode. A suggestion then takes more than n
// times as long, and n times the memory; one with new samples, which come with
// each new fit, takes longer still. The default is 0: no sampling. It panics
// when n is negative.
func SamplerOptionSliceSampling(n int) SamplerOption {
	if n < 0 {
		panic(fmt.Sprintf("fm: number of slice samples is %d; need at least 1, or 0 for none (the paper's implementation has 10)", n))
	}
	return func(s *FMSampler) { s.fitting.Samples = n }
}

// SamplerOptionDeterministicObjective says that the objective returns the same
// value whenever it is given the same parameters, and measures the same for its
// constraints, so that the models need not learn how noisy they are, and leave out
// no value as an outlier. The default is false.
func SamplerOptionDeterministicObjective(deterministic bool) SamplerOption {
	return func(s *FMSampler) { s.fitting.Deterministic = deterministic }
}

// SamplerOptionRunningTimeout says how long a running trial counts as being
// evaluated: after that its worker is taken to be gone, and its configuration
// may be suggested again. By default a trial counts for five times as long as
// the longest finished one took, and for a minute at least; until one has finished that
// has not failed, without a limit. It panics when d is not positive.
func SamplerOptionRunningTimeout(d time.Duration) SamplerOption {
	if d <= 0 {
		panic(fmt.Sprintf("fm: running timeout is %v; need a positive duration (omit the option for five times the longest finished trial)", d))
	}
	return func(s *FMSampler) { s.runningTimeout = d }
}

// SamplerOptionStudyAttributes says whether the sampler keeps study user
// attributes up to date, which Goptuna's dashboard shows: what the model is
// fitted to, how well it predicts, how important each parameter is (where there
// are no more than 96) and what is expected of the next ten trials, in the words
// of package insight. The default is
// true; it costs four writes with each new fit: with every trial at first, later
// whenever a tenth of the trials is new.
func SamplerOptionStudyAttributes(on bool) SamplerOption {
	return func(s *FMSampler) { s.attributes = on }
}
