package sampler

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// aims are the improvements, in standard deviations of the targets, that trials
// in turn look for. The expected improvement on the best value itself ends up
// polishing one optimum by ever smaller steps; a trial that wants a material
// improvement goes elsewhere (Jones, A taxonomy of global optimization methods
// based on response surfaces, 2001, method 7).
var aims = [...]float64{0, 0.03, 0.3}

const (
	// maxObservations bounds the model: with more, the best third of it and a
	// fixed random choice of the others stand for all.
	maxObservations = 600
	// firstStarts is the number of random starts of a fit without a
	// predecessor; later fits start from the last one, and a share of them from
	// one random point too.
	firstStarts  = 2
	restartShare = 0.25
	// refitShare is the share of new observations at which the hyperparameters
	// are fitted again.
	refitShare = 1.0 / 20
	// incumbentPoints is the number of best observations that spray points are
	// drawn around.
	incumbentPoints = 10
	// maxVertices is the largest complete graph whose vertices are all
	// searched. On a larger one, vertices without data are alike.
	maxVertices = 24
	// freshVertices is the number of vertices without data that stand for all.
	freshVertices = 4
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
	t.limit()
	targets := history.Targets(t.y)
	kernel, err := t.space.Kernel()
	if err != nil {
		return x, nil, err
	}
	hyper, trials := t.fit(kernel, targets)
	post, err := t.posterior(kernel, hyper, targets)
	if err != nil {
		return x, nil, err
	}

	order := make([]int, len(targets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(targets[i], targets[j]) })
	var incumbents []fmkernel.Point
	for _, i := range order[:min(incumbentPoints, len(order))] {
		incumbents = append(incumbents, t.observed[i])
	}
	best := math.Inf(1)
	means, variances := make([]float64, len(targets)), make([]float64, len(targets))
	post.PredictBatch(means, variances, t.observed)
	for _, mean := range means { // not the targets: those carry noise
		best = math.Min(best, mean)
	}
	best -= aims[t.trial.Number%len(aims)]

	dom := t.domain()
	c, ok := acquisition.Maximize(post, best, dom, incumbents, t.rng, acquisition.Settings{})
	if !ok {
		t.warnExhausted()
		c.X = t.replicate(dom, means, c.X)
	}
	return c.X, newStoredFit(t.space, hyper, trials), nil
}

// fit returns hyperparameters and the number of observations they were fitted
// to: those of the last fit while it is recent, else the most probable ones, or
// where the search fails the last or the prior medians.
func (t *task) fit(kernel *fmkernel.Kernel, targets []float64) (hyper gp.Hyper, trials int) {
	n := len(targets)
	d, p := kernel.Dims()
	prior := gp.NewPrior(d, p, t.deterministic)
	warm := prior.Median(d, p)
	settings := gp.FitSettings{Warm: &warm, RandomStarts: firstStarts}
	if last := t.lastFit(); last != nil {
		complete := last.apply(t.space, &warm)
		if age := n - last.Trials; complete && age >= 0 && float64(age) < max(1, refitShare*float64(n)) {
			return warm, last.Trials
		}
		settings.RandomStarts = 0
		if t.rng.Float64() < restartShare {
			settings.RandomStarts = 1
		}
	}
	hyper, _, err := gp.Fit(kernel, prior, t.observed, targets, t.rng, settings)
	if err != nil {
		t.warn(t.study, "the fit failed; the last hyperparameters are used", err)
		return warm, n
	}
	return hyper, n
}

// lastFit returns the hyperparameters stored with the latest finished trial
// that has some.
func (t *task) lastFit() *storedFit {
	for i := len(t.Finished) - 1; i >= 0; i-- {
		if fit := decodePlan(t.Finished[i].SystemAttrs).Fit; fit != nil {
			return fit
		}
	}
	return nil
}

// posterior conditions on the observations, and then on the configurations
// without a value: pending ones at their predicted mean, so that only the
// uncertainty about them goes; censored ones at least at the mean of all
// targets, so that the search does not return to them, and not so high that one
// failure hides a good region.
func (t *task) posterior(kernel *fmkernel.Kernel, hyper gp.Hyper, targets []float64) (*gp.Predictor, error) {
	model, err := gp.Condition(kernel, hyper, t.observed, targets)
	if err != nil {
		return nil, err
	}
	post := model.Predictor()
	imagined := slices.Concat(t.pending, t.censored)
	if len(imagined) == 0 {
		return post, nil
	}
	means, variances := make([]float64, len(imagined)), make([]float64, len(imagined))
	post.PredictBatch(means, variances, imagined)
	for i := len(t.pending); i < len(imagined); i++ {
		means[i] = math.Max(means[i], 0)
	}
	model, err = gp.Condition(kernel, hyper, slices.Concat(t.observed, imagined), slices.Concat(targets, means))
	if err != nil {
		t.warn(t.study, "running and failed trials are left out of the model", err)
		return post, nil
	}
	return model.Predictor(), nil
}

// replicate returns the observed point with the best prediction that satisfies
// the conditions, or x when none does.
func (t *task) replicate(dom *acquisition.Domain, means []float64, x fmkernel.Point) fmkernel.Point {
	best := math.Inf(1)
	for i, at := range t.observed {
		if means[i] < best && dom.Satisfies(at) {
			best, x = means[i], at
		}
	}
	return x
}

// limit keeps maxObservations of the observations.
func (t *task) limit() {
	if len(t.y) <= maxObservations {
		return
	}
	order := make([]int, len(t.y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(t.y[i], t.y[j]) })
	rest := order[maxObservations/3:]
	// A hash of its index decides about a trial, so that the choice changes
	// little from one suggestion to the next.
	slices.SortStableFunc(rest, func(i, j int) int {
		return cmp.Compare(qmc.Mix(t.seed, uint64(i)), qmc.Mix(t.seed, uint64(j)))
	})
	keep := order[:maxObservations]
	slices.Sort(keep)
	observed, y := make([]fmkernel.Point, len(keep)), make([]float64, len(keep))
	for i, k := range keep {
		observed[i], y[i] = t.observed[k], t.y[k]
	}
	t.observed, t.y = observed, y
}

// representatives returns the vertices of a large complete graph that need to
// be searched: those with data, and a few of the others, which the model cannot
// tell apart. It returns nil when all are to be searched.
func (t *task) representatives(graph int, p *space.Param) []int {
	n := p.Graph.Order()
	if p.Graph.Shape() != graphs.ShapeComplete || n <= maxVertices {
		return nil
	}
	seen := map[int]bool{}
	for _, xs := range [][]fmkernel.Point{t.observed, t.pending, t.censored} {
		for _, x := range xs {
			seen[x.V[graph]] = true
		}
	}
	fresh := min(freshVertices, n-len(seen))
	for fresh > 0 {
		if v := t.rng.IntN(n); !seen[v] {
			seen[v] = true
			fresh--
		}
	}
	var vs []int
	for v := range n {
		if seen[v] {
			vs = append(vs, v)
		}
	}
	return vs
}
