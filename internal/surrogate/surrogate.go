package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/repeats"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
)

// Settings are what of a surrogate the user decides.
type Settings struct {
	Kernel        func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)
	Seed          uint64
	ModelTrials   int  // bound of the observations that are used
	ReferenceFit  bool // whether to fit as the paper's implementation does
	Samples       int  // of the hyperparameters; 0 means the most probable ones alone
	Deterministic bool // whether observations have no noise
	// From is a fit to start from in place of the last one of the problem; nil
	// means that one. What is fitted then is new.
	From *plan.Fit
}

// DefaultModelTrials is the bound of the observations where the user gives none.
const DefaultModelTrials = 1000

// DefaultSettings are those of a user who decides nothing.
func DefaultSettings() Settings {
	return Settings{Kernel: fmkernel.NewModLap, ModelTrials: DefaultModelTrials}
}

// Warn logs what went wrong and was handled.
type Warn func(kind string, fields ...any)

// Surrogate is what was learned of a problem. Its answers do not change; Beside, Linear and
// Skill use the cache of the study, and are not safe for concurrent use.
type Surrogate struct {
	// Fit is what is to be stored with the trial. IsNew says that the hyperparameters
	// are new.
	Fit   *plan.Fit
	IsNew bool
	First bool // whether there was no fit to start from
	// Its Observations are those that it learned from, with their targets after Transform.
	conditions
	Transform   *Transform
	Constraints []Constraint // that were measured, by name

	fitting     fitting
	models      []*gp.Model // by sample of the hyperparameters; equal weights
	limits      feasibility // of the constraints alone
	feasibility feasibility
	holds       func() []bool  // by observation: see computeHolds
	repeatModel *repeats.Model // nil where no value repeats another
}

// Fit learns from the observations of a problem, at least one. Where a parameter has one value
// left, it learns from the trials with that value alone if these are predicted better so, or are
// many. An error means that there is no usable model.
func Fit(p *observe.Problem, s Settings, cache *Cache, warn Warn) (*Surrogate, error) {
	alone := p.Alone()
	switch {
	case s.ReferenceFit || alone == nil || len(alone.Y) < minSkill || len(alone.FeasibleY) == 0:
		return fit(p, s, cache, warn)
	case len(alone.Y) > maxSkill:
		return fit(alone, s, cache, warn)
	}
	all, err := fit(p, s, cache, warn)
	own, ownErr := fit(alone, s, &Cache{}, warn)
	if err == nil && (ownErr != nil || !own.predictsBetter(all)) {
		return all, nil
	}
	return own, ownErr
}

func fit(p *observe.Problem, s Settings, cache *Cache, warn Warn) (*Surrogate, error) {
	kernel, err := p.Space.Kernel(s.Kernel)
	if err != nil {
		return nil, err
	}
	name := s.fitName(kernel)
	if !s.ReferenceFit {
		kernel = kernel.Normalized()
	}
	last, first := s.lastFit(p, name)
	repeatModel := s.repeatModel(p)
	f := fitting{Settings: s, problem: p, squared: kernel, idle: idle(repeatModel), warn: warn, cache: cache}
	f = f.withMetric(last.Metric).withPrior(last.Wide)
	start := f.start(last)
	outliers := f.knownOutliers(start)
	data, transform := f.observations(start, outliers)
	hyper := start.hyper
	if start.due {
		// What a new fit chooses, in this order: prior, metric, hyperparameters, outliers.
		f, start = f.withLeadingPrior(start, data)
		f = f.withMetric(f.mostProbableMetric(data, start.hyper))
		hyper = f.mostProbable(data, start.hyper)
		if found, without := f.outliers(data, hyper); len(found) > 0 {
			outliers = found
			data, transform = f.observations(start, outliers)
			hyper = f.refined(data, without)
		}
	}
	rival, lead := f.rival(start, data)
	failures, failureHyper := f.failures(start)
	constraints, constraintHypers := f.constraints(start)
	fit := &plan.Fit{
		Kernel: name, Trials: start.trials, Hyper: f.toStored(hyper), Rival: rival, Lead: lead,
		Transform: transform.name, Metric: f.metric, Outliers: outliers,
		Infeasible: p.Infeasible, Alone: p.IsAlone(), Failures: failureHyper, Constraints: constraintHypers,
	}
	on := conditions{data, p.Pending, failures.weigh(p.Valueless)}
	models, err := f.models(f.samples(data, transform.name, hyper), on)
	if err != nil {
		return nil, err
	}
	learned := &Surrogate{
		Fit: fit, IsNew: start.due, First: first, conditions: on, Transform: transform,
		Constraints: constraints, fitting: f, models: models, repeatModel: repeatModel,
	}
	for _, c := range constraints {
		learned.limits = append(learned.limits, c.Model)
	}
	learned.feasibility = append(failures.latent, learned.limits...)
	learned.holds = sync.OnceValue(learned.computeHolds)
	return learned, nil
}

// Beside returns what was learned of the same problem where other trials run. An error means
// that there is no usable model.
func (s *Surrogate) Beside(p *observe.Problem) (*Surrogate, error) {
	if alone := p.Alone(); alone != nil && s.fitting.problem.IsAlone() {
		p = alone
	}
	if p == s.fitting.problem {
		return s, nil
	}
	beside := *s
	beside.fitting.problem, beside.pending = p, p.Pending
	hypers := make([]gp.Hyper, len(s.models))
	for i, model := range s.models {
		hypers[i] = model.Hyper()
	}
	models, err := beside.fitting.models(hypers, beside.conditions)
	beside.models = models
	return &beside, err
}

// fitting is what the parts of a fit share. Nothing in it changes but the cache, which
// saves time only.
type fitting struct {
	Settings
	problem *observe.Problem
	squared *fmkernel.Kernel // with the distance of the paper
	kernel  *fmkernel.Kernel // with that of the metric
	metric  string
	prior   gp.Prior
	wide    bool    // whether that is the wide prior
	idle    gp.Idle // what does nothing
	warn    Warn
	cache   *Cache
}

// stream returns random numbers of the trial.
func (f fitting) stream(purpose string) *rand.Rand {
	return stream.Trial{Seed: f.Seed, Number: f.problem.Number}.Rand(purpose)
}

// Reference is what a trial has to improve on: observations, by their index, and
// configurations whose values are predicted.
type Reference struct {
	Observed []int
	Points   []fmkernel.Point
}

// IsFeasible reports whether observation i violates no constraint.
func (s *Surrogate) IsFeasible(i int) bool { return s.fitting.problem.IsFeasible(s.Trials[i]) }

// Observed returns the indices of the feasible observations that satisfy a condition: of those
// that would probably be feasible if they were measured again, or of all where none would. Near
// a limit, with noise, the best of them was lucky, and nothing within the limit improves on it.
func (s *Surrogate) Observed(of func(x fmkernel.Point) bool) (indices []int) {
	for i, x := range s.X {
		if s.IsFeasible(i) && of(x) {
			indices = append(indices, i)
		}
	}
	if len(s.fitting.problem.Constraints()) == 0 {
		return indices
	}
	holds := s.holds()
	holding := slices.DeleteFunc(slices.Clone(indices), func(i int) bool { return !holds[i] })
	if len(holding) == 0 {
		return indices
	}
	return holding
}

// computeHolds returns whether each feasible observation would probably hold its constraints
// again. That others fail by chance, which it did not, says nothing of that.
func (s *Surrogate) computeHolds() []bool {
	holds, within := make([]bool, len(s.X)), s.Within()
	for i, x := range s.X {
		holds[i] = s.IsFeasible(i) && within(x) >= 0.5
	}
	return holds
}

// Improvement returns a function that makes acquisition functions, one for each goroutine: the
// expected improvement on the best prediction at the reference, less a margin in standard
// deviations of the targets, times the probability that the configuration is feasible, and that
// its value is none that was observed. It is the best prediction, and not the best target, which
// carries noise. Running trials are in the reference (see observe.Problem.Promised) because, where
// one is expected to be the best, its neighbours would look as good to everybody who asks meanwhile.
func (s *Surrogate) Improvement(ref Reference, margin float64) func() acquisition.Func {
	bests := make([]float64, len(s.models))
	for i := range s.models {
		bests[i] = s.best(i, ref)
	}
	return func() acquisition.Func {
		fs := make(acquisition.Average, len(s.models))
		for i, model := range s.models {
			fs[i] = acquisition.EI(model.Predictor(), bests[i]-margin)
		}
		if len(fs) == 1 {
			return s.distinct(s.feasibility.times(fs[0]))
		}
		return s.distinct(s.feasibility.times(fs))
	}
}

// best returns the best prediction of model i at the reference.
func (s *Surrogate) best(i int, ref Reference) float64 {
	var means []float64
	if len(ref.Observed) > 0 {
		fitted := make([]float64, len(s.X))
		s.models[i].FittedTo(fitted)
		means = pick(fitted, ref.Observed)
	}
	predicted := make([]float64, len(ref.Points))
	s.models[i].Predictor().PredictMeans(predicted, ref.Points)
	return slices.Min(append(means, predicted...))
}

// Deterministic reports whether observations have no noise, as the user says.
func (s *Surrogate) Deterministic() bool { return s.fitting.Deterministic }

// Kernel returns the kernel that it was fitted with.
func (s *Surrogate) Kernel() *fmkernel.Kernel { return s.fitting.kernel }

// Model returns the model under the most probable hyperparameters, or the first
// sample of them.
func (s *Surrogate) Model() *gp.Model { return s.models[0] }

// NoiseSD returns the standard deviation of the noise in Model, in units of the
// targets.
func (s *Surrogate) NoiseSD() float64 { return math.Sqrt(s.Model().Hyper().Noise) }

// Means returns the predictions of Model.
func (s *Surrogate) Means(xs []fmkernel.Point) []float64 {
	means := make([]float64, len(xs))
	s.Model().Predictor().PredictMeans(means, xs)
	return means
}
