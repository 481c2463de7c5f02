package sampler

import (
	"cmp"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// incumbentPoints is the number of best observations that spray points are
	// drawn around.
	incumbentPoints = 10
	// maxVertices is the largest complete graph whose vertices are all
	// searched. On a larger one, vertices without data are alike.
	maxVertices = 24
	// freshVertices is the number of vertices without data that stand for all.
	freshVertices = 4
)

// domain returns the part of the space to search in a branch, given what is fixed
// and what is used.
func (t *task) domain(b branch) *acquisition.Domain {
	dom := &acquisition.Domain{
		Excluded: func(x fmkernel.Point) bool {
			return t.used[t.space.Key(x)] || !t.space.Contains(b.Branch, x)
		},
	}
	dom.Fixed, dom.FixedC, dom.FixedV, dom.Vertices = t.space.Coordinates(b.Branch)
	dom.Dims = make([]acquisition.Dim, len(dom.Fixed.C))
	for i, p := range t.space.Dims() {
		dom.Dims[i] = acquisition.Dim{Levels: p.Levels, Values: p.Positions}
		if value, ok := t.fixed[p.Name]; ok && !dom.FixedC[i] {
			dom.Fixed.C[i], dom.FixedC[i] = p.Encode(value)
		}
	}
	for i, p := range t.space.Vertices() {
		dom.Graphs = append(dom.Graphs, p.Graph)
		if value, ok := t.fixed[p.Name]; ok && !dom.FixedV[i] {
			v, _ := p.Encode(value)
			dom.Fixed.V[i], dom.FixedV[i] = int(v), true
		}
		if !dom.FixedV[i] {
			if some := t.representatives(i, p, dom.Vertices[i]); some != nil {
				dom.Vertices[i] = some
			}
		}
	}
	return dom
}

// representatives returns the vertices of a large complete graph, of those that
// are allowed (nil for all), that need to be searched: those with data, and a few
// of the others, which the model cannot tell apart. It returns nil when all are
// to be searched.
func (t *task) representatives(graph int, p *space.Param, allowed []int) []int {
	n := p.Graph.Order()
	if p.Graph.Shape() != graphs.ShapeComplete || n <= maxVertices || allowed != nil && len(allowed) <= maxVertices {
		return nil
	}
	if allowed == nil {
		for v := range n {
			allowed = append(allowed, v)
		}
	}
	seen := map[int]bool{}
	for _, xs := range [][]fmkernel.Point{t.observed, t.pending, t.censored} {
		for _, x := range xs {
			seen[x.V[graph]] = true
		}
	}
	unseen := 0
	for _, v := range allowed {
		if !seen[v] {
			unseen++
		}
	}
	for fresh := min(freshVertices, unseen); fresh > 0; {
		if v := t.rng.IntN(n); !seen[v] && slices.Contains(allowed, v) {
			seen[v] = true
			fresh--
		}
	}
	return slices.DeleteFunc(slices.Clone(allowed), func(v int) bool { return !seen[v] })
}

// incumbents fills in the domains of the branches, with the best observations in
// each. Where not all is open, it returns the observations there, and what others
// evaluate there, moved to what is fixed.
func (t *task) incumbents(targets []float64, branches []branch, doms []*acquisition.Domain) (near []fmkernel.Point) {
	order := make([]int, len(targets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(targets[i], targets[j]) })
	restricted := len(t.fixed) > 0 || len(branches) < len(t.branches)
	for k, b := range branches {
		doms[k] = t.domain(b)
		for _, i := range order {
			if !t.space.Alike(b.Branch, t.xs[i]) {
				continue
			}
			if len(doms[k].Incumbents) < incumbentPoints {
				doms[k].Incumbents = append(doms[k].Incumbents, t.xs[i])
			}
			if restricted {
				near = append(near, doms[k].Moved(t.xs[i]))
			}
		}
		for _, x := range t.pending {
			if restricted && t.space.Alike(b.Branch, x) {
				near = append(near, doms[k].Moved(x))
			}
		}
	}
	return near
}

// best returns the value that the trial has to improve on: the best prediction
// at the observations, or at what others evaluate. Predictions, not targets: those
// carry noise. Where a running trial is expected to be the best, its neighbours
// would look as good to everybody who asks meanwhile.
func (t *task) best(post *gp.Predictor, near []fmkernel.Point) float64 {
	// What the rest of a trial has to improve on is the best that can be had
	// there: where nothing can beat the best of the whole space, all points look
	// alike, and the most uncertain one would win.
	means := make([]float64, len(t.xs)+len(t.pending))
	post.FittedTo(means[:len(t.xs)])
	post.PredictMeans(means[len(t.xs):], t.pending)
	if len(near) > 0 {
		means = make([]float64, len(near))
		post.PredictMeans(means, near)
	}
	return slices.Min(means)
}

// replicate returns the observed point with the best prediction that satisfies
// the conditions, or x when none does.
func (t *task) replicate(doms []*acquisition.Domain, post *gp.Predictor, x fmkernel.Point) fmkernel.Point {
	means := make([]float64, len(t.xs))
	post.PredictMeans(means, t.xs)
	best := math.Inf(1)
	for i, at := range t.xs {
		in := slices.ContainsFunc(doms, func(dom *acquisition.Domain) bool { return dom.Satisfies(at) })
		if in && means[i] < best {
			best, x = means[i], at
		}
	}
	return x
}
