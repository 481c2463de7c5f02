package space_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// node is a deterministic objective: it asks for a parameter, and goes on by its
// value. nil is its end.
type node struct {
	name   string
	values []node // by value; one for a continuum
	end    bool
}

// pool is what random objectives ask for.
var pool = map[string]any{
	"a": letters(2), "b": letters(3), "c": goptuna.IntUniformDistribution{Low: 0, High: 1},
	"d": goptuna.IntUniformDistribution{Low: 0, High: 2}, "e": letters(2),
	"f": goptuna.CategoricalDistribution{Choices: []string{"1", "2", "5"}},
	"u": unit, "w": goptuna.IntUniformDistribution{Low: 0, High: 24}, // levels of a dimension
}

// number returns the number of values of a parameter, 0 for a continuum.
func number(name string) int {
	switch d := pool[name].(type) {
	case goptuna.IntUniformDistribution:
		return d.High - d.Low + 1
	case goptuna.CategoricalDistribution:
		return len(d.Choices)
	}
	return 0
}

// randomTree returns an objective over the names, which asks for each at most once.
func randomTree(rng *rand.Rand, names []string, depth int) node {
	if len(names) == 0 || depth == 0 || depth < 4 && rng.IntN(4) == 0 {
		return node{end: true}
	}
	i := rng.IntN(len(names))
	n := node{name: names[i]}
	rest := slices.Delete(slices.Clone(names), i, i+1)
	same := rng.IntN(3) == 0 // the value decides about nothing
	for v := range max(1, number(n.name)) {
		if same && v > 0 {
			n.values = append(n.values, n.values[0])
		} else {
			n.values = append(n.values, randomTree(rng, rest, depth-1))
		}
	}
	return n
}

// next returns what follows a value.
func (n node) next(value float64) node {
	if len(n.values) == 1 {
		return n.values[0]
	}
	return n.values[int(value)]
}

// run returns what a trial is asked for and gets: the given values, and others from
// get.
func (n node) run(given map[string]float64, get func(name string) float64) map[string]float64 {
	values := map[string]float64{}
	for !n.end {
		value, ok := given[n.name]
		if !ok {
			value = get(n.name)
		}
		values[n.name] = value
		n = n.next(value)
	}
	return values
}

// exhausted reports whether a trial that is given the values repeats one of the
// tried configurations, whatever else it gets.
func (n node) exhausted(given map[string]float64, tried map[string]bool) bool {
	return n.walk(given, map[string]float64{}, tried)
}

func (n node) walk(given, got map[string]float64, tried map[string]bool) bool {
	if n.end {
		return tried[fmt.Sprint(got)]
	}
	follow := func(value float64) bool {
		got := maps.Clone(got)
		got[n.name] = value
		return n.next(value).walk(given, got, tried)
	}
	if value, ok := given[n.name]; ok {
		return follow(value)
	}
	if number(n.name) == 0 {
		return false
	}
	for v := range number(n.name) {
		if !follow(float64(v)) {
			return false
		}
	}
	return true
}

// draw returns a random value: one of a few of a continuum.
func draw(rng *rand.Rand, name string) float64 {
	if n := number(name); n > 0 {
		return float64(rng.IntN(n))
	}
	return float64(rng.IntN(3)) / 4
}

// triedStudy is a random objective and its trials.
type triedStudy struct {
	tree  node
	space *space.Space
	xs    []fmkernel.Point
	tried map[string]bool // the trials' values
	set   *space.Tried
}

func newTriedStudy(t *testing.T, rng *rand.Rand) triedStudy {
	t.Helper()
	names := []string{"a", "b", "c", "d", "e", "f"}
	for _, dim := range []string{"u", "w"} {
		if rng.IntN(3) == 0 {
			names = append(names, dim)
		}
	}
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	st := triedStudy{tree: randomTree(rng, names[:3+rng.IntN(len(names)-3)], 4), tried: map[string]bool{}}
	for st.tree.end {
		st.tree = randomTree(rng, names, 4)
	}
	// Few trials, or so many that most configurations are tried.
	n := 1 + rng.IntN(8)
	if rng.IntN(2) == 0 {
		n = 20 + rng.IntN(300)
	}
	st.space, st.xs = history(t, pool, func(_ int, get func(string) float64) {
		values := st.tree.run(nil, get)
		st.tried[fmt.Sprint(values)] = true
	}, n, rng.Uint64())
	if rng.IntN(2) == 0 {
		st.space, st.xs = withParents(t, st.space, st.xs)
	}
	st.set = st.space.NewTried()
	for _, x := range st.xs {
		st.set.Add(x, true)
	}
	return st
}

// withParents returns the space in which a parameter on a graph shows, where one
// does, which others are active.
func withParents(t *testing.T, s *space.Space, xs []fmkernel.Point) (*space.Space, []fmkernel.Point) {
	t.Helper()
	var groups []space.Group
	for _, names := range s.Groups() {
		g := space.Group{Names: names}
		for _, p := range s.Graphs() {
			active := map[float64]bool{}
			decides := true
			for _, x := range xs {
				values := s.Decode(x)
				value, ok := values[p.Name]
				_, is := values[names[0]]
				before, known := active[value]
				decides = decides && ok && (!known || before == is)
				active[value] = is
			}
			if decides {
				g.Parent = p.Name
				for value, is := range active {
					if v, ok := p.Encode(value); ok && is {
						g.Activating = append(g.Activating, int(v))
					}
				}
			}
		}
		groups = append(groups, g)
	}
	with, err := space.New(s.Params(), groups...)
	if err != nil {
		t.Fatal(err)
	}
	again := make([]fmkernel.Point, len(xs))
	for i, x := range xs {
		again[i] = encode(t, with, s.Decode(x), pool)
	}
	return with, again
}
