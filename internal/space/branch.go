package space

import (
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// Branch is a part of the space whose configurations have the same parameters:
// a leaf of a decision tree.
type Branch struct {
	// Trials is the number of configurations that were seen in it. Where it is
	// zero, a choice was never made, and nobody knows what follows it: then the
	// branch has what all its siblings share.
	Trials int

	has          []bool    // by group
	vertices     [][]int   // by graph: values that lead here, nil for all
	lower, upper []float64 // by dimension: values that lead here, upper not included
}

// BranchHas reports whether configurations in the branch have the parameter.
func (s *Space) BranchHas(b Branch, p *Param) bool {
	g, optional := s.groupOf[p.Name]
	return !optional || b.has[g]
}

// With returns the branch with the parameter in it, and all that come with that.
func (s *Space) With(b Branch, p *Param) Branch {
	if g, optional := s.groupOf[p.Name]; optional && !b.has[g] {
		b.has = slices.Clone(b.has)
		b.has[g] = true
	}
	return b
}

// Root returns the branch of all configurations, with none of the optional
// parameters.
func (s *Space) Root() Branch {
	b := Branch{
		has: make([]bool, len(s.groups)), vertices: make([][]int, len(s.graphs)),
		lower: make([]float64, len(s.dims)), upper: make([]float64, len(s.dims)),
	}
	for d := range s.dims {
		b.lower[d], b.upper[d] = math.Inf(-1), math.Inf(1)
	}
	return b
}

// Allows reports whether a coordinate of parameter p leads into the branch, as
// far as p decides.
func (s *Space) Allows(b Branch, p *Param, u float64) bool {
	if i := slices.Index(s.dims, p); i >= 0 {
		return b.lower[i] <= u && u < b.upper[i]
	}
	vs := b.vertices[slices.Index(s.graphs, p)]
	return vs == nil || slices.Contains(vs, int(u))
}

// Alike reports whether a point has the parameters that the branch has.
func (s *Space) Alike(b Branch, x fmkernel.Point) bool {
	for g, has := range b.has {
		if s.hasGroup(x, g) != has {
			return false
		}
	}
	return true
}

// Contains reports whether a point lies in the branch.
func (s *Space) Contains(b Branch, x fmkernel.Point) bool {
	if !s.Alike(b, x) {
		return false
	}
	for d := range s.dims {
		if !(b.lower[d] <= x.C[d] && x.C[d] < b.upper[d]) {
			return false
		}
	}
	for i, vs := range b.vertices {
		if vs != nil && !slices.Contains(vs, x.V[i]) {
			return false
		}
	}
	return true
}

// Coordinates returns what is fixed in the branch, and the vertices that each
// graph may take where not all of those of its parameter are allowed.
func (s *Space) Coordinates(b Branch) (fixed fmkernel.Point, fixedC, fixedV []bool, vertices [][]int) {
	fixed = s.newPoint()
	fixedC, fixedV = make([]bool, len(fixed.C)), make([]bool, len(fixed.V))
	vertices = make([][]int, len(fixed.V))
	for g, has := range b.has {
		if c := s.groups[g].presence; c >= 0 {
			fixedC[c] = true
			if has {
				fixed.C[c] = 1
			}
		}
	}
	for d, p := range s.dims {
		if !s.BranchHas(b, p) {
			fixed.C[d], fixedC[d] = middle, true
		}
	}
	for i, p := range s.graphs {
		n := p.Graph.Order()
		switch {
		case !s.BranchHas(b, p):
			fixed.V[i], fixedV[i] = n, true
		case b.vertices[i] != nil:
			vertices[i] = b.vertices[i]
		default:
			vertices[i] = p.Open
		}
	}
	return fixed, fixedC, fixedV, vertices
}

// Branches learns from the configurations xs of trials with ascending numbers
// which parameters come together, and returns the branches that the next trial
// can take. One value decides about others where all trials that have it ask for
// the same ones: the branches are the leaves of the decision tree that tells
// most shortly what each trial asked for. Time is one of the things that decide,
// since objectives are edited.
func (s *Space) Branches(xs []fmkernel.Point, numbers []int) []Branch {
	l := &learner{Space: s, xs: xs, numbers: numbers, label: make([]int, len(xs))}
	index := map[string]int{}
	for i, x := range xs {
		key := make([]byte, len(s.groups))
		for g := range s.groups {
			if s.hasGroup(x, g) {
				key[g] = 1
			}
		}
		if _, ok := index[string(key)]; !ok {
			index[string(key)] = len(index)
		}
		l.label[i] = index[string(key)]
	}
	l.labels = len(index)
	all := make([]int, len(xs))
	for i := range all {
		all[i] = i
	}
	l.grow(s.Root(), all)
	return l.leaves
}

// learner grows a decision tree over configurations, whose label is the set of
// groups they have.
type learner struct {
	*Space
	xs      []fmkernel.Point
	numbers []int
	label   []int
	labels  int
	leaves  []Branch
}

// split is a way to part configurations.
type split struct {
	cost  float64 // description length of the labels, in bits
	parts [][]int
	into  []func(*Branch) // narrows a branch to each part
	rest  func(*Branch)   // to values without a configuration, nil if none
	last  bool            // only the last part can be taken from now on
}

// grow adds the leaves of the tree for the configurations at.
func (l *learner) grow(b Branch, at []int) {
	best := split{cost: l.cost(at)}
	if len(at) > 0 && l.impure(at) {
		l.splits(b, at, func(s split) {
			if s.cost < best.cost {
				best = s
			}
		})
	}
	if best.parts == nil {
		l.leaves = append(l.leaves, l.leaf(b, at))
		return
	}
	from := len(l.leaves)
	for i, part := range best.parts {
		if best.last && i < len(best.parts)-1 {
			continue
		}
		child := b.clone()
		best.into[i](&child)
		l.grow(child, part)
	}
	if best.rest != nil {
		child := b.clone()
		best.rest(&child)
		l.leaves = append(l.leaves, l.unseen(child, at))
	}
	l.merge(from)
}

func (b Branch) clone() Branch {
	b.vertices, b.lower, b.upper = slices.Clone(b.vertices), slices.Clone(b.lower), slices.Clone(b.upper)
	return b
}

// unseen returns the branch without configurations, with the groups that all of
// its siblings at have.
func (l *learner) unseen(b Branch, at []int) Branch {
	b.has = make([]bool, len(l.groups))
	for g := range b.has {
		b.has[g] = !slices.ContainsFunc(at, func(i int) bool { return !l.hasGroup(l.xs[i], g) })
	}
	return b
}

// leaf returns the branch with the groups that most configurations at have;
// those of the latest one where they differ evenly.
func (l *learner) leaf(b Branch, at []int) Branch {
	b.has = make([]bool, len(l.groups))
	b.Trials = len(at)
	if len(at) == 0 {
		return b
	}
	count := make([]int, l.labels)
	most := at[len(at)-1]
	for _, i := range at {
		count[l.label[i]]++
	}
	for k := len(at) - 1; k >= 0; k-- {
		if i := at[k]; count[l.label[i]] > count[l.label[most]] {
			most = i
		}
	}
	for g := range b.has {
		b.has[g] = l.hasGroup(l.xs[most], g)
	}
	return b
}

// merge joins leaves from the given one on that differ in one graph only.
func (l *learner) merge(from int) {
	for i := from; i < len(l.leaves); i++ {
		for j := len(l.leaves) - 1; j > i; j-- {
			a, b := &l.leaves[i], l.leaves[j]
			if (a.Trials == 0) != (b.Trials == 0) || !slices.Equal(a.has, b.has) ||
				!slices.Equal(a.lower, b.lower) || !slices.Equal(a.upper, b.upper) {
				continue
			}
			differ, graph := 0, 0
			for g := range a.vertices {
				if !slices.Equal(a.vertices[g], b.vertices[g]) {
					differ, graph = differ+1, g
				}
			}
			if differ != 1 || a.vertices[graph] == nil || b.vertices[graph] == nil {
				continue
			}
			joined := append(slices.Clone(a.vertices[graph]), b.vertices[graph]...)
			slices.Sort(joined)
			a.vertices = slices.Clone(a.vertices)
			a.vertices[graph] = slices.Compact(joined)
			a.Trials += b.Trials
			l.leaves = slices.Delete(l.leaves, j, j+1)
		}
	}
}

func (l *learner) impure(at []int) bool {
	return slices.ContainsFunc(at, func(i int) bool { return l.label[i] != l.label[at[0]] })
}

// cost returns the number of bits that tell the labels of the configurations
// at: one label for all of them, and their entropy where they differ.
func (l *learner) cost(at []int) float64 {
	count := make([]float64, l.labels)
	for _, i := range at {
		count[l.label[i]]++
	}
	return l.bits(count, float64(len(at)))
}

func (l *learner) bits(count []float64, n float64) float64 {
	bits := math.Log2(float64(l.labels) + 1)
	for _, c := range count {
		if c > 0 {
			bits -= c * math.Log2(c/n)
		}
	}
	return bits
}

// splits calls yield with every way to part the configurations at by a
// parameter that all of them have, or by time.
func (l *learner) splits(b Branch, at []int, yield func(split)) {
	for i, p := range l.graphs {
		if !l.all(at, p) {
			continue
		}
		yield(l.byVertex(b, at, i))
		if _, ordered := p.Graph.PathWeights(); ordered && p.Graph.Order() > 2 {
			l.byThreshold(at, func(k int) float64 { return float64(l.xs[k].V[i]) }, func(s split, t float64) {
				allowed := l.allowed(b, i)
				s.into = []func(*Branch){
					func(b *Branch) {
						b.vertices[i] = slices.DeleteFunc(allowed(), func(v int) bool { return float64(v) >= t })
					},
					func(b *Branch) {
						b.vertices[i] = slices.DeleteFunc(allowed(), func(v int) bool { return float64(v) < t })
					},
				}
				yield(s)
			})
		}
	}
	for d, p := range l.dims {
		if !l.all(at, p) {
			continue
		}
		l.byThreshold(at, func(k int) float64 { return l.xs[k].C[d] }, func(s split, t float64) {
			s.into = []func(*Branch){func(b *Branch) { b.upper[d] = t }, func(b *Branch) { b.lower[d] = t }}
			yield(s)
		})
	}
	l.byThreshold(at, func(k int) float64 { return float64(l.numbers[k]) }, func(s split, _ float64) {
		s.into, s.last = []func(*Branch){func(*Branch) {}, func(*Branch) {}}, true
		yield(s)
	})
}

// all reports whether all configurations at have the parameter.
func (l *learner) all(at []int, p *Param) bool {
	return !l.optional(p) || !slices.ContainsFunc(at, func(i int) bool { return !l.Has(l.xs[i], p) })
}

// allowed returns a function that lists the values of graph i in the branch.
func (l *learner) allowed(b Branch, i int) func() []int {
	vs := b.vertices[i]
	return func() []int {
		if vs != nil {
			return slices.Clone(vs)
		}
		if open := l.graphs[i].Open; open != nil {
			return slices.Clone(open)
		}
		all := make([]int, l.graphs[i].Graph.Order())
		for v := range all {
			all[v] = v
		}
		return all
	}
}

// byVertex parts the configurations at by the value of graph i.
func (l *learner) byVertex(b Branch, at []int, i int) split {
	part := map[int][]int{}
	for _, k := range at {
		v := l.xs[k].V[i]
		part[v] = append(part[v], k)
	}
	var s split
	var rest []int
	for _, v := range l.allowed(b, i)() {
		if part[v] == nil {
			rest = append(rest, v)
			continue
		}
		s.parts = append(s.parts, part[v])
		s.into = append(s.into, func(b *Branch) { b.vertices[i] = []int{v} })
		s.cost += l.cost(part[v])
	}
	if rest != nil {
		s.rest = func(b *Branch) { b.vertices[i] = rest }
	}
	return s
}

// byThreshold parts the configurations at in two by a number that each has, at
// every place where that changes, and yields the cheapest. To say where costs
// bits too, and one for being a threshold at all.
func (l *learner) byThreshold(at []int, of func(k int) float64, yield func(s split, threshold float64)) {
	sorted := slices.Clone(at)
	slices.SortStableFunc(sorted, func(a, b int) int {
		switch x, y := of(a), of(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	below, above := make([]float64, l.labels), make([]float64, l.labels)
	for _, k := range sorted {
		above[l.label[k]]++
	}
	n, cut, best := len(sorted), 0, math.Inf(1)
	for m, k := range sorted[:n-1] {
		below[l.label[k]]++
		above[l.label[k]]--
		if of(k) == of(sorted[m+1]) || l.label[k] == l.label[sorted[m+1]] {
			continue
		}
		if cost := l.bits(below, float64(m+1)) + l.bits(above, float64(n-m-1)); cost < best {
			cut, best = m+1, cost
		}
	}
	if cut == 0 {
		return
	}
	parts := [][]int{slices.Clone(sorted[:cut]), slices.Clone(sorted[cut:])}
	slices.Sort(parts[0]) // by trial number again
	slices.Sort(parts[1])
	yield(split{cost: best + 1 + math.Log2(float64(n)), parts: parts}, (of(sorted[cut-1])+of(sorted[cut]))/2)
}
