package sampler

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

// aims are the improvements, in standard deviations of the targets, that trials
// in turn look for. The expected improvement on the best value itself ends up
// polishing one optimum by ever smaller steps; a trial that wants a material
// improvement goes elsewhere (Jones, A taxonomy of global optimization methods
// based on response surfaces, 2001, method 7).
var aims = [...]float64{0, 0.03, 0.3}

const (
	// defaultModelTrials bounds the model, maxFit the search for hyperparameters:
	// where there are more observations, the best of them, a third of the bound,
	// and a fixed random choice of the others stand for all.
	defaultModelTrials = 1000
	maxFit             = 400
	// parallelObservations is the number of observations from which a second
	// goroutine saves more than it costs.
	parallelObservations = 100
	// firstStarts is the number of random starts of a fit without a
	// predecessor; later fits start from the last one, and a share of them from
	// one random point too.
	firstStarts  = 2
	restartShare = 0.25
	// muchNoise is the variance of the noise in a second start of each fit, unless
	// the first has about as much: then the second has little. A search does not
	// find its way from a function that follows every value to a smooth one with
	// noise, nor back.
	muchNoise = 0.1
	// refitShare is the share of new observations at which the hyperparameters
	// are fitted again.
	refitShare = 1.0 / 20
	// maxCensored bounds the number of trials without a value that the model
	// imagines one for: the latest.
	maxCensored = 300
	// uniformSD is the standard deviation of an input that fills [0, 1].
	uniformSD = 0.28867513459481287
)

// model fits the Gaussian process and maximises the acquisition function. An
// error, which may be a panic in a numerical library, means that there is no
// usable model.
func (t *task) model() (x fmkernel.Point, fit *storedFit, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("fm: %v", r)
		}
	}()
	kernel, err := t.space.Kernel(t.kernel)
	if err != nil {
		return x, nil, err
	}
	hyper, fitted, refit := t.lastHyper(kernel)
	base := t.learn(fitted)
	t.setTransform(kernel, hyper, refit)
	targets := t.transform.Targets(t.ys)
	t.forecast()
	if refit {
		hyper = t.fit(kernel, hyper, targets)
	}
	fit = newStoredFit(t.fitName(kernel), t.space, hyper, fitted)
	if t.learnOrder {
		fit = t.reviewOrder(kernel, hyper, targets, fit, refit)
	}
	fit.Transform = t.transform.Name()
	feasible := t.feasible(kernel, fit, refit)
	posts, err := t.posteriors(kernel, t.hypers(kernel, hyper, base), base, targets, feasible)
	if err != nil {
		return x, nil, err
	}

	branches := t.turn()
	doms := make([]*acquisition.Domain, len(branches))
	near := t.incumbents(targets, branches, doms)
	bests := make([]float64, len(posts))
	for i, post := range posts {
		bests[i] = t.best(post, near)
	}
	improvement := func() acquisition.Func {
		fs := make(acquisition.Average, len(posts))
		for i, post := range posts {
			fs[i] = acquisition.EI(post.Predictor(), bests[i]-aims[t.trial.Number%len(aims)])
		}
		if len(fs) == 1 {
			return feasible.times(fs[0])
		}
		return feasible.times(fs)
	}

	var settings acquisition.Settings
	if len(targets) >= parallelObservations {
		settings.Fork = improvement
	}
	c, ok := acquisition.Maximize(improvement(), doms, t.rng, settings)
	if !ok {
		t.warnExhausted()
		c.X = t.replicate(doms, posts[0], c.X)
	}
	if t.attributes && refit {
		t.report(kernel, posts[0], targets, bests[0], c.X)
	}
	return c.X, fit, nil
}

// lastHyper returns the hyperparameters stored with the last fit and the number
// of observations it saw, and whether a new fit is due: there is no last one, or
// not of all these parameters, or too much is new since. Then the number is that
// of all observations, and the hyperparameters are where the fit starts.
func (t *task) lastHyper(kernel *fmkernel.Kernel) (hyper gp.Hyper, fitted int, refit bool) {
	n := len(t.observed)
	hyper = t.prior(kernel).Typical(kernel)
	last := t.lastFit(kernel)
	if last == nil {
		return hyper, n, true
	}
	complete := last.apply(t.space, &hyper)
	age := float64(n - last.Trials)
	if !complete || age < 0 || age >= max(1, refitShare*float64(min(n, t.modelTrials))) {
		return hyper, n, true
	}
	return hyper, last.Trials, false
}

// learn sets the points and values of the model: of the first n observations as
// many as it takes, and all that came later. It returns how many are of the
// first. Between two fits they stay the same, so that the covariance can be
// extended.
func (t *task) learn(n int) (base int) {
	keep := subset(t.y[:n], t.modelTrials, t.seed)
	base = len(keep)
	for i := n; i < len(t.y); i++ {
		keep = append(keep, i)
	}
	t.xs, t.ys = pick(t.observed, keep), pick(t.y, keep)
	return base
}

// fit returns the most probable hyperparameters, or start where the search
// fails.
func (t *task) fit(kernel *fmkernel.Kernel, start gp.Hyper, targets []float64) gp.Hyper {
	settings := gp.FitSettings{Warm: &start, RandomStarts: firstStarts}
	if t.referenceFit {
		settings.RandomStarts = gp.ReferenceStarts - 1
	} else {
		if !t.deterministic {
			other := start.Clone()
			other.Noise = muchNoise
			if start.Noise > muchNoise/10 {
				other.Noise = t.prior(kernel).Typical(kernel).Noise
			}
			settings.Other = &other
		}
		if t.lastFit(kernel) != nil {
			settings.RandomStarts = 0
			if t.rng.Float64() < restartShare {
				settings.RandomStarts = 1
			}
		}
	}
	keep := subset(t.ys, maxFit, t.seed)
	hyper, _, err := gp.Fit(kernel, t.prior(kernel), pick(t.xs, keep), pick(targets, keep), t.rng, settings)
	if err != nil {
		t.warn(t.study, "the fit failed; the last hyperparameters are used", err)
		return start
	}
	return hyper
}

// prior returns the prior of the hyperparameters.
func (t *task) prior(kernel *fmkernel.Kernel) gp.Prior {
	if t.referenceFit {
		return gp.NewReferencePrior(kernel, uniformSD, t.deterministic)
	}
	d, p := t.varying()
	return gp.NewPrior(d, p, t.deterministic)
}

// varying returns the number of dimensions that vary in the largest branch, and
// that of graphs.
func (t *task) varying() (d, p int) {
	for _, b := range t.branches {
		n := 0
		for _, p := range t.space.Dims() {
			if t.space.BranchHas(b.Branch, p) {
				n++
			}
		}
		d = max(d, n)
	}
	return d, len(t.space.Vertices())
}

// fitName returns what is stored with the fits of a kernel, to tell them from
// those of another one, or with other priors, with which the study was begun.
func (t *task) fitName(kernel *fmkernel.Kernel) string {
	name := kernel.String()
	if t.referenceFit {
		return name + ", reference priors"
	}
	if name == "ModLap" {
		return ""
	}
	return name
}

// lastFit returns the hyperparameters stored with the latest finished trial
// that has some of this kernel, or with a running one that saw more: of many
// workers that ask at once, not all need to fit. Those of another kernel mean
// something else, and count as none.
func (t *task) lastFit(kernel *fmkernel.Kernel) *storedFit {
	return t.latestFit(func(fit *storedFit) bool { return fit.Kernel == t.fitName(kernel) })
}

// latestFit returns the latest fit that is wanted.
func (t *task) latestFit(wanted func(*storedFit) bool) *storedFit {
	var last *storedFit
	for i := len(t.Finished) - 1; i >= 0 && last == nil; i-- {
		if fit := t.planOf(t.Finished[i]).Fit; fit != nil && wanted(fit) {
			last = fit
		}
	}
	for _, r := range t.Running {
		if fit := t.planOf(r).Fit; fit != nil && wanted(fit) && (last == nil || fit.Trials > last.Trials) {
			last = fit
		}
	}
	return last
}

// covariance returns the factorised covariance of the model's points, for sample
// number i of the hyperparameters. While they stand, it is that of the first
// base points, extended by the later ones: in O(n²) where the last suggestion
// left one to extend, and with the same bits where it is built anew.
func (t *task) covariance(i int, kernel *fmkernel.Kernel, hyper gp.Hyper, base int) (*gp.Covariance, error) {
	key := fmt.Sprint(kernel, base, t.spaceKey(), hyper)
	for len(t.FMSampler.last.covariances) <= i {
		t.FMSampler.last.covariances = append(t.FMSampler.last.covariances, keyedCovariance{})
	}
	last := &t.FMSampler.last.covariances[i]
	if last.Covariance == nil || last.key != key || !isPrefix(last.Points(), t.xs) {
		c, err := gp.NewCovariance(kernel, hyper, t.xs[:base])
		if err != nil {
			return nil, err
		}
		*last = keyedCovariance{key, c}
	}
	c, err := last.Extended(t.xs[len(last.Points()):])
	if err != nil {
		return gp.NewCovariance(kernel, hyper, t.xs)
	}
	last.Covariance = c
	return c, nil
}

// spaceKey tells spaces apart.
func (t *task) spaceKey() string {
	var b strings.Builder
	for _, p := range t.space.Params() {
		fmt.Fprintf(&b, "%q%s", p.Name, fingerprint(p.Distribution))
		if p.Open != nil {
			fmt.Fprintf(&b, "%p", p.Graph) // depends on earlier distributions; kept in FMSampler.params
		}
	}
	fmt.Fprintf(&b, "%q", t.space.Groups())
	return b.String()
}

// isPrefix reports whether xs are the first of ys.
func isPrefix(xs, ys []fmkernel.Point) bool {
	return len(xs) <= len(ys) && slices.EqualFunc(xs, ys[:len(xs)], func(x, y fmkernel.Point) bool {
		return slices.Equal(x.C, y.C) && slices.Equal(x.V, y.V)
	})
}

// posteriors returns that of each of the hyperparameters, and an error when none
// has one.
func (t *task) posteriors(kernel *fmkernel.Kernel, hypers []gp.Hyper, base int, targets []float64, feasible *feasibility) (posts []*gp.Predictor, err error) {
	for i, hyper := range hypers {
		post, failed := t.posterior(i, kernel, hyper, base, targets, feasible)
		if failed != nil {
			err = failed
			continue
		}
		posts = append(posts, post)
	}
	if len(posts) == 0 {
		return nil, err
	}
	return posts, nil
}

// posterior conditions on the observations, and then on the configurations
// without a value: pending ones at their predicted mean, so that only the
// uncertainty about them goes; censored ones at least at the mean of all
// targets, so that the search does not return to them. A failed trial gets so
// much of that rise as it is to blame its place, so that one which failed by
// chance hides nothing.
func (t *task) posterior(i int, kernel *fmkernel.Kernel, hyper gp.Hyper, base int, targets []float64, feasible *feasibility) (*gp.Predictor, error) {
	covariance, err := t.covariance(i, kernel, hyper, base)
	if err != nil {
		return nil, err
	}
	if f := t.forecasts; len(f.xs) > 0 {
		if covariance, err = covariance.ExtendedNoisy(f.xs, f.variances); err != nil {
			return nil, err
		}
		targets = slices.Concat(targets, f.means)
	}
	model, err := covariance.Condition(targets)
	if err != nil {
		return nil, err
	}
	post := model.Predictor()
	others := t.forecasts.without[max(0, len(t.forecasts.without)-maxCensored):]
	imagined := slices.Clone(t.pending)
	for _, i := range others {
		imagined = append(imagined, t.censored[i])
	}
	if len(imagined) == 0 {
		return post, nil
	}
	means := make([]float64, len(imagined))
	post.PredictMeans(means, imagined)
	for k, i := range others {
		mean := &means[len(t.pending)+k]
		rise := math.Max(*mean, 0) - *mean
		if feasible != nil && failed(t.ended[i]) {
			rise *= feasible.blame[i]
		}
		*mean += rise
	}
	if covariance, err = covariance.Joined(imagined); err == nil {
		model, err = covariance.Condition(slices.Concat(targets, means))
	}
	if err != nil {
		t.warn(t.study, "running and failed trials are left out of the model", err)
		return post, nil
	}
	return model.Predictor(), nil
}

// subset returns the indices of at most limit of the values y, ascending: all,
// or the best third of limit and others by a hash of their index.
func subset(y []float64, limit int, seed uint64) []int {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	if len(order) <= limit {
		return order
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(y[i], y[j]) })
	slices.SortStableFunc(order[limit/3:], func(i, j int) int {
		return cmp.Compare(qmc.Mix(seed, uint64(i)), qmc.Mix(seed, uint64(j)))
	})
	keep := order[:limit]
	slices.Sort(keep)
	return keep
}

// pick returns the elements of s with the given indices.
func pick[T any](s []T, indices []int) []T {
	if len(indices) == len(s) {
		return s
	}
	picked := make([]T, len(indices))
	for i, k := range indices {
		picked[i] = s[k]
	}
	return picked
}
