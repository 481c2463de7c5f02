package space

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// Regions learns from the configurations xs, the earliest first, which parameters
// are active together, and returns the regions that the next trial can take. One
// value decides about others where all trials that have it ask for the same ones:
// the regions are the leaves of the decision tree that describes what each trial
// asked for in the fewest bits. Together they hold every configuration.
func (s *Space) Regions(xs []fmkernel.Point) []Region {
	l := &learner{Space: s, xs: xs, active: make([]Activity, len(xs)), label: make([]int, len(xs))}
	index := map[Activity]int{}
	for i, x := range xs {
		a := s.Activity(x)
		if _, ok := index[a]; !ok {
			index[a] = len(index)
		}
		l.active[i], l.label[i] = a, index[a]
	}
	l.labels = len(index)
	l.grow(s.Root(), listed(nil, len(xs)))
	return l.leaves
}

// learner grows a decision tree over configurations, whose label is the number of
// their activity.
type learner struct {
	*Space
	xs     []fmkernel.Point
	active []Activity
	label  []int
	labels int
	leaves []Region
}

// split is a way to part the configurations of a region.
type split struct {
	cost    float64 // description length of the labels, in bits
	parts   [][]int
	regions []Region // of the parts; one more is of values without a configuration
}

// grow adds the leaves of the tree for the configurations at, and returns the bits that it
// takes to describe them.
func (l *learner) grow(r Region, at []int) (bits float64) {
	best := split{cost: l.cost(at)}
	if len(at) == 0 || !l.impure(at) {
		l.leaves = append(l.leaves, l.leaf(r, at))
		return best.cost
	}
	for _, s := range l.splits(r, at) {
		if s.cost < best.cost {
			best = s
		}
	}
	last, moment := l.cutByTime(at)
	earlier := at[:len(at)-len(last)]
	if moment < best.cost && l.adds(earlier, last) {
		// The objective was edited: all trials have the parameters that were added.
		l.grow(r, last)
		return moment
	}
	from := len(l.leaves)
	bits = l.growSplit(r, at, best)
	if when := 1 + math.Log2(float64(len(at))) + removalBits; when < bits && l.removes(earlier, last) {
		// It may have been edited: no trial has the parameters that were taken away.
		grown := slices.Clone(l.leaves[from:])
		l.leaves = l.leaves[:from]
		edited := when + l.grow(r, earlier)
		l.leaves = l.leaves[:from]
		if edited += l.grow(r, last); edited < bits {
			return edited
		}
		l.leaves = append(l.leaves[:from], grown...)
	}
	l.merge(from)
	return bits
}

// growSplit adds the leaves of a split, or one leaf where it has no parts.
func (l *learner) growSplit(r Region, at []int, s split) (bits float64) {
	bits = s.cost
	if s.parts == nil {
		l.leaves = append(l.leaves, l.leaf(r, at))
		return bits
	}
	for i, part := range s.parts {
		bits += l.grow(s.regions[i], part) - l.cost(part)
	}
	for _, rest := range s.regions[len(s.parts):] {
		rest.Activity = l.combined(at, Activity.intersection) // nobody knows, see Region.Seen
		l.leaves = append(l.leaves, rest)
	}
	return bits
}

// combined returns the union, or the intersection, of the activities of configurations.
func (l *learner) combined(at []int, combine func(a, b Activity) Activity) Activity {
	a := l.active[at[0]]
	for _, i := range at[1:] {
		a = combine(a, l.active[i])
	}
	return a
}

// leaf returns the region with the parameters that most configurations at have; those
// of the latest one where they differ evenly.
func (l *learner) leaf(r Region, at []int) Region {
	r.Seen, r.activities = at, map[Activity]bool{}
	if len(at) == 0 {
		return r
	}
	for _, i := range at {
		r.activities[l.active[i]] = true
	}
	at = l.sinceEdit(at)
	count := make([]int, l.labels)
	most := at[len(at)-1]
	for _, i := range at {
		count[l.label[i]]++
	}
	for _, i := range slices.Backward(at) {
		if count[l.label[i]] > count[l.label[most]] {
			most = i
		}
	}
	r.Activity = l.active[most]
	return r
}

// That an edit of the objective took parameters away has a price, in bits, beside that of its
// moment: other explanations are as good. Within a leaf, where no value explains which trials
// have them, it is editBits: the border of a region may not be known well. Where the edit takes
// the place of a whole subtree it is removalBits: trials may come sorted by the values that
// decide.
const editBits, removalBits = 5, 10

// sinceEdit returns the last of the configurations at: those since an edit, where
// that explains them most cheaply.
func (l *learner) sinceEdit(at []int) []int {
	if l.impure(at) {
		if last, cost := l.cutByTime(at); cost+editBits < l.cost(at) {
			return last
		}
	}
	return at
}

// cutByTime returns the last of the configurations at, those after the moment that
// parts them in two most cheaply, and what that costs.
func (l *learner) cutByTime(at []int) (last []int, cost float64) {
	cost = math.Inf(1)
	below, above := make([]float64, l.labels), make([]float64, l.labels)
	for _, k := range at {
		above[l.label[k]]++
	}
	n := float64(len(at))
	for m, k := range at[:len(at)-1] {
		below[l.label[k]]++
		above[l.label[k]]--
		if c := l.bits(below, float64(m+1)) + l.bits(above, n-float64(m+1)); c < cost {
			last, cost = at[m+1:], c
		}
	}
	return last, cost + 1 + math.Log2(n)
}

// adds reports whether every one of the later configurations has what each of the
// earlier ones has, and more.
func (l *learner) adds(earlier, later []int) bool {
	before, after := l.combined(earlier, Activity.union), l.combined(later, Activity.intersection)
	return after != before && after.Includes(before)
}

// removes reports whether none of the later configurations has something that each of the
// earlier ones has.
func (l *learner) removes(earlier, later []int) bool {
	before, after := l.combined(earlier, Activity.intersection), l.combined(later, Activity.union)
	return !after.Includes(before)
}

// merge joins leaves from the given one on that differ in one graph only.
func (l *learner) merge(from int) {
	for i := from; i < len(l.leaves); i++ {
		for j := len(l.leaves) - 1; j > i; j-- {
			a, b := &l.leaves[i], l.leaves[j]
			if a.unmade != b.unmade || a.Activity != b.Activity || !slices.Equal(a.lower, b.lower) || !slices.Equal(a.upper, b.upper) {
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
			joined := slices.Concat(a.vertices[graph], b.vertices[graph])
			slices.Sort(joined)
			*a = a.withVertices(graph, slices.Compact(joined))
			a.Seen = slices.Concat(a.Seen, b.Seen)
			a.activities = maps.Clone(a.activities)
			maps.Copy(a.activities, b.activities)
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

// splits returns the ways to part the configurations at by a parameter that all of
// them have.
func (l *learner) splits(r Region, at []int) (all []split) {
	for _, p := range slices.Concat(l.graphs, l.dims) {
		if l.Optional(p) && slices.ContainsFunc(at, func(i int) bool { return !l.Active(l.xs[i], p) }) {
			continue
		}
		if p.Graph != nil {
			all = append(all, l.byVertex(r, at, p))
			if _, ordered := p.Graph.PathWeights(); !ordered || p.Graph.Order() <= 2 {
				continue
			}
		}
		all = append(all, l.byThreshold(r, at, p))
	}
	return all
}

// byVertex parts the configurations at by the vertex of a parameter.
func (l *learner) byVertex(r Region, at []int, p *Param) split {
	i := l.index[p]
	part := map[int][]int{}
	for _, k := range at {
		v := l.xs[k].V[i]
		part[v] = append(part[v], k)
	}
	var s split
	var rest []int
	allowed := r.listedVertices(i)
	for _, v := range slices.Sorted(maps.Keys(part)) {
		if !slices.Contains(allowed, v) { // of an earlier distribution: it decided as well as others do
			s.cost += l.cost(part[v])
		}
	}
	for _, v := range allowed {
		if part[v] == nil {
			rest = append(rest, v)
			continue
		}
		s.parts, s.regions = append(s.parts, part[v]), append(s.regions, r.withVertices(i, []int{v}))
		s.cost += l.cost(part[v])
	}
	if s.parts == nil {
		s.cost = math.Inf(1)
	}
	if rest != nil {
		others := r.withVertices(i, rest)
		others.unmade = i
		s.regions = append(s.regions, others)
	}
	return s
}

// byThreshold parts the configurations at in two by the coordinate of a parameter, at
// the place where that is cheapest. To say where costs bits too, counted from the
// nearer end or not, and one for being a threshold at all.
func (l *learner) byThreshold(r Region, at []int, p *Param) split {
	of := make([]float64, len(l.xs))
	for _, k := range at {
		of[k] = l.Coordinate(l.xs[k], p)
	}
	sorted := slices.Clone(at)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(of[a], of[b]) })
	below, above := make([]float64, l.labels), make([]float64, l.labels)
	for _, k := range sorted {
		above[l.label[k]]++
	}
	n, cut, best := len(sorted), 0, math.Inf(1)
	for m, k := range sorted[:n-1] {
		below[l.label[k]]++
		above[l.label[k]]--
		if of[k] == of[sorted[m+1]] || l.label[k] == l.label[sorted[m+1]] {
			continue
		}
		if cost := l.bits(below, float64(m+1)) + l.bits(above, float64(n-m-1)) + place(m+1, n); cost < best {
			cut, best = m+1, cost
		}
	}
	if cut == 0 {
		return split{cost: best}
	}
	parts := [][]int{slices.Clone(sorted[:cut]), slices.Clone(sorted[cut:])}
	slices.Sort(parts[0]) // by trial number again
	slices.Sort(parts[1])
	lower, upper := sorted[cut-1], sorted[cut]
	share := l.borderShare(lower, upper)
	return split{best + 1, parts, r.cutAt(p, (1-share)*of[lower]+share*of[upper])}
}

// cautiousShare is the part of the gap between two regions that goes to the one
// with more parameters.
const cautiousShare = 0.1

// borderShare returns the part of the gap between two configurations that goes to
// the region of the first. A trial that is planned with parameters that it then is
// not asked for is wasted; one that is asked for more plans again. And where a
// region is good, its model expects most at its border.
func (l *learner) borderShare(first, second int) float64 {
	switch a, b := l.active[first], l.active[second]; {
	case a.Includes(b):
		return cautiousShare
	case b.Includes(a):
		return 1 - cautiousShare
	}
	return 0.5
}

// place returns the bits that say where n numbers are cut, after the first m:
// one of n places, or so many from the nearer end (Elias gamma code). A trial just
// outside a region that was thought to be larger so moves its border at once.
func place(m, n int) float64 {
	return math.Min(math.Log2(float64(n)), 2*math.Log2(float64(min(m, n-m)))+1)
}
