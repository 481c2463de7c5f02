package surrogate

import (
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
)

const (
	// mostFitted bounds the observations of a search for hyperparameters, and fitWork
	// their square times the number of parameters, which is what a step of it costs:
	// where there are more observations, the best of them, a third of the bound, and
	// a fixed random choice of the others stand for all.
	mostFitted, leastFitted = 300, 50
	fitWork                 = 6 * mostFitted * mostFitted
	// The search over more than roughFit observations begins where one over so many
	// ends, and has fineIterations.
	roughFit       = 150
	fineIterations = 10
	// restartShare is the share of fits that start from a random point, too.
	restartShare = 0.25
	// highNoise is the variance of the noise in a second start of each fit, unless
	// the first has about as much: then the second has little. The likelihood has a
	// mode that interpolates and one that smooths (Rasmussen and Williams, 5.4.1),
	// and a search does not find its way from one to the other.
	highNoise = 0.1
	// The hyperparameters are fitted again when refitShare of the observations
	// beyond the first refitAlways are new, and with each of these.
	refitAlways = 20
	refitShare  = 1.0 / 10
	// uniformSD is the standard deviation of an input that fills [0, 1].
	uniformSD = 0.28867513459481287
)

// start is where the hyperparameters of a model come from.
type start struct {
	last *plan.Fit
	// due says that a new fit is due: there is no last one, or not of all these
	// parameters, or too much is new since, or the user has given one to start from.
	due    bool
	hyper  gp.Hyper // of the last fit; where a new one is due, its search starts there
	trials int      // observations that they are, or will be, fitted to
}

// lastFit returns the fit of a kernel, by the name that is stored with it, from which a new one
// starts; first says that there is none, so that nothing is known.
func (s Settings) lastFit(p *observe.Problem, kernel string) (last *plan.Fit, first bool) {
	last = s.From
	if last == nil {
		last = p.LastFit(kernel)
	}
	switch {
	case last == nil:
		return &plan.Fit{}, true
	case last.Infeasible != p.Infeasible || last.Alone != p.IsAlone(): // it was fitted to other values: a new fit is due
		return &plan.Fit{Hyper: last.Hyper, Failures: last.Failures, Constraints: last.Constraints}, false
	}
	return last, false
}

// start returns the start from the last fit.
func (f fitting) start(last *plan.Fit) start {
	n := len(f.problem.Y)
	hyper, complete := f.storedHyper(&last.Hyper)
	age := float64(n - last.Trials)
	if !complete || age < 0 || age >= max(1, refitShare*float64(min(n, f.ModelTrials)-refitAlways)) || f.From != nil {
		return start{last, true, hyper, n}
	}
	return start{last, false, hyper, last.Trials}
}

// storedHyper returns stored hyperparameters, with typical ones of their prior for those
// that are missing, and whether none is.
func (f fitting) storedHyper(h *plan.Hyper) (hyper gp.Hyper, complete bool) {
	prior := f.withPrior(h.Wide).prior
	hyper = prior.Typical(f.kernel)
	complete = h.Apply(f.problem.Space, &hyper)
	return prior.Adapt(f.kernel, hyper), complete
}

// toStored is the inverse of storedHyper.
func (f fitting) toStored(hyper gp.Hyper) plan.Hyper {
	h := plan.NewHyper(f.problem.Space, hyper)
	h.Wide = f.wide
	return h
}

// mostProbable returns the most probable hyperparameters, or start where the search
// fails. Of many observations, some choose among the starts.
func (f fitting) mostProbable(data Observations, start gp.Hyper) gp.Hyper {
	rng := f.stream("fit")
	settings := f.searchFrom(start, rng)
	limit := f.maxFit()
	if rough := min(limit, roughFit); len(data.Y) > rough && !f.ReferenceFit {
		if fitted, err := f.search(data, rough, rng, settings); err == nil {
			settings = gp.FitSettings{Warm: &fitted, MaxIterations: fineIterations}
		}
	}
	fitted, err := f.search(data, limit, rng, settings)
	if err != nil {
		f.warn("the fit failed; the last hyperparameters are used", err)
		return start
	}
	return fitted
}

// refined returns hyperparameters some steps from those that were fitted to other
// observations, or to other targets.
func (f fitting) refined(data Observations, hyper gp.Hyper) gp.Hyper {
	fitted, err := f.search(data, f.maxFit(), nil, gp.FitSettings{Warm: &hyper, MaxIterations: fineIterations})
	if err != nil {
		return hyper
	}
	return fitted
}

// search returns the most probable hyperparameters as so many of the observations
// have it.
func (f fitting) search(data Observations, limit int, rng *rand.Rand, settings gp.FitSettings) (gp.Hyper, error) {
	some := data.pick(subset(data.Y, limit, f.Seed))
	fitted, _, err := gp.Fit(f.kernel, f.prior, some.X, some.Targets, rng, settings)
	return fitted, err
}

// maxFit returns the number of observations of a search for hyperparameters.
func (f fitting) maxFit() int {
	params := max(1, len(f.problem.Space.Params()))
	return min(mostFitted, max(leastFitted, int(math.Sqrt(float64(fitWork/params)))))
}

// searchFrom returns the settings of a search from start: where else it starts, too.
func (f fitting) searchFrom(start gp.Hyper, rng *rand.Rand) gp.FitSettings {
	settings := gp.FitSettings{Warm: &start}
	if f.ReferenceFit {
		settings.RandomStarts = gp.ReferenceStarts - 1
		return settings
	}
	settings.Other = f.otherNoise(start, f.prior)
	if rng.Float64() < restartShare {
		settings.RandomStarts = 1
	}
	return settings
}

// otherNoise returns the second start of a search, in the other mode of the likelihood than the
// first; nil where the noise is given, or a prior expects much.
func (f fitting) otherNoise(start gp.Hyper, prior gp.Prior) *gp.Hyper {
	typical := prior.Typical(f.kernel).Noise
	if f.Deterministic || typical >= highNoise {
		return nil
	}
	other := start.Clone()
	other.Noise = highNoise
	if start.Noise > highNoise/10 {
		other.Noise = typical
	}
	return &other
}

// withPrior returns the fitting under the default prior, or the wide one.
func (f fitting) withPrior(wide bool) fitting {
	dims, graphs := varying(f.problem)
	f.wide, f.prior = wide, gp.NewPrior(dims, graphs, f.Deterministic).WithIdle(f.idle)
	switch {
	case f.ReferenceFit:
		f.prior = gp.NewReferencePrior(f.kernel, uniformSD, f.Deterministic)
	case wide:
		f.prior = f.prior.Wide()
	}
	return f
}

// varying returns the number of dimensions that vary in the largest region, and
// that of graphs.
func varying(p *observe.Problem) (dims, graphs int) {
	for _, r := range p.Regions {
		dims = max(dims, r.NumActive(p.Space.Dims()))
	}
	return dims, len(p.Space.Graphs())
}

// fitName returns what is stored with the fits of a kernel, to tell them from
// those of another one, or with other priors, with which the study was begun.
func (s Settings) fitName(kernel *fmkernel.Kernel) string {
	name := kernel.String()
	if s.ReferenceFit {
		return name + ", reference priors"
	}
	if name == "ModLap" {
		return ""
	}
	return name
}

// samples returns the hyperparameters whose models are averaged: the most probable
// ones alone, or samples. Samples are a function of the seed, the prior, the last fit and
// the observations that it saw: like the fit they stand until the next one, and a
// process that continues the study draws the same.
func (f fitting) samples(data Observations, transform string, fitted gp.Hyper) []gp.Hyper {
	if f.Samples == 0 {
		return []gp.Hyper{fitted}
	}
	xs, ys := data.fitted().X, data.fitted().Y
	key := f.sampleKey(transform, fitted)
	return f.cache.samples.get(key, xs, ys, func() []gp.Hyper {
		keep := subset(ys, f.maxFit(), f.Seed)
		rng := stream.Trial{Seed: f.Seed, Number: data.base}.Rand("slice sampling")
		samples, err := gp.Sample(f.kernel, f.prior, pick(xs, keep), targetsOf(transform, pick(ys, keep)), rng, fitted, f.Samples)
		if err != nil {
			f.warn("the hyperparameters cannot be sampled; the most probable ones are used", err)
			return []gp.Hyper{fitted}
		}
		return samples
	})
}
