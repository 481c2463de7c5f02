package sampler

import (
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// minOrdered is the number of choices from which an order says anything, and
	// orderTrials that of observations.
	minOrdered, orderTrials = 3, 20
	// orderMargin is by how much, as a logarithm, the other graph must be more
	// probable.
	orderMargin = 3.0
)

// ordered returns the parameters whose choices were found to be ordered.
func (t *task) ordered() map[string]bool {
	names := map[string]bool{}
	if !t.learnOrder {
		return names
	}
	if fit := t.latestFit(func(*storedFit) bool { return true }); fit != nil {
		for _, name := range fit.Ordered {
			names[name] = true
		}
	}
	return names
}

// mayBeOrdered reports whether the order of a parameter's choices is to be found
// out.
func (t *task) mayBeOrdered(p *space.Param) bool {
	_, categorical := p.Distribution.(goptuna.CategoricalDistribution)
	return categorical && t.graphs[p.Name] == nil && p.Open == nil && p.Graph != nil &&
		p.Graph.Shape() == graphs.ShapeComplete && p.Graph.Order() >= minOrdered && p.Graph.Order() <= space.MaxPathOrder
}

// inOrder returns the parameter with a path in place of the complete graph. Its
// values keep their vertices.
func inOrder(p *space.Param) (*space.Param, error) {
	return space.NewParam(p.Name, p.Distribution, graphs.Path(p.Graph.Order()))
}

// reviewOrder compares, with a new fit, the two graphs that the choices of one
// parameter may have, and returns the fit to be stored: where the other graph is
// more probable, that with it.
func (t *task) reviewOrder(kernel *fmkernel.Kernel, hyper gp.Hyper, targets []float64, fit *storedFit, refit bool) *storedFit {
	ordered := t.ordered()
	var open []int
	for i, p := range t.space.Vertices() {
		if plain, err := t.param(p.Name, p.Distribution); err == nil && p.Open == nil && t.mayBeOrdered(plain) {
			open = append(open, i)
		}
	}
	store := func(fit *storedFit) *storedFit {
		for name, is := range ordered {
			if is {
				fit.Ordered = append(fit.Ordered, name)
			}
		}
		slices.Sort(fit.Ordered)
		return fit
	}
	if !refit || len(open) == 0 || len(targets) < orderTrials {
		return store(fit)
	}
	i := open[t.trial.Number%len(open)]
	p := t.space.Vertices()[i]
	other, err := t.otherKernel(i, ordered[p.Name])
	if err != nil {
		return store(fit)
	}
	keep := subset(t.ys, maxFit, t.seed)
	xs, y := pick(t.xs, keep), pick(targets, keep)
	start := hyper.Clone()
	start.Params.Beta[i] = t.prior(other).Typical(other).Params.Beta[i]
	_, now, err := gp.Fit(kernel, t.prior(kernel), xs, y, t.rng, gp.FitSettings{Warm: &hyper})
	if err != nil {
		return store(fit)
	}
	better, then, err := gp.Fit(other, t.prior(other), xs, y, t.rng, gp.FitSettings{Warm: &start})
	if err != nil || then > now-orderMargin {
		return store(fit)
	}
	ordered[p.Name] = !ordered[p.Name]
	return store(newStoredFit(t.fitName(other), t.space, better, fit.Trials))
}

// otherKernel returns the kernel with the other graph for parameter i on a graph:
// a complete one where it is ordered, or else a path.
func (t *task) otherKernel(i int, ordered bool) (*fmkernel.Kernel, error) {
	gs := slices.Clone(t.space.Graphs())
	order := t.space.Vertices()[i].Graph.Order()
	other := graphs.Path(order)
	if ordered {
		other = graphs.Complete(order)
	}
	if gs[i].Order() > order { // it may be absent
		var err error
		if other, err = other.Cone(); err != nil {
			return nil, err
		}
	}
	gs[i] = other
	d, _ := t.space.Size()
	return t.kernel(d, gs...)
}
