package simulation

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"
)

// node is a parameter of a space, which comes up under a condition.
type node struct {
	name         string
	distribution any
	parent       string // none for a parameter that always comes up
	when         condition
}

// condition tells for which values of its parent a parameter comes up.
type condition struct {
	salt      int     // decides about texts
	threshold float64 // numbers from it on, or
	modulus   int     // numbers whose remainder is not 0, if positive
	otherwise bool    // for all other values instead
}

func (c condition) holds(value any) bool {
	if c.otherwise {
		c.otherwise = false
		return !c.holds(value)
	}
	x := 0.0
	switch v := value.(type) {
	case string:
		h := fnv.New32a()
		fmt.Fprint(h, c.salt, v)
		return h.Sum32()%2 == 0
	case int:
		if c.modulus > 0 {
			return v%c.modulus != 0
		}
		x = float64(v)
	case float64:
		x = v
	}
	return x >= c.threshold
}

// space is what an objective asks for, parents first. It is not changed: an edit
// makes another one.
type space struct {
	nodes []node
	names int // how many names were given out
}

// flat reports whether every parameter always comes up.
func (s *space) flat() bool {
	return !slices.ContainsFunc(s.nodes, func(n node) bool { return n.parent != "" })
}

// isTwin reports whether another parameter has the name of n.
func (s *space) isTwin(n node) bool {
	return slices.ContainsFunc(s.nodes, func(other node) bool { return other.name == n.name && other.when != n.when })
}

// isActive reports whether the parameter comes up beside the given values.
func (n node) isActive(values map[string]any) bool {
	if n.parent == "" {
		return true
	}
	value, ok := values[n.parent]
	return ok && n.when.holds(value)
}

// next returns the first parameter that comes up and has no value yet.
func (s *space) next(values map[string]any) (node, bool) {
	for _, n := range s.nodes {
		if _, ok := values[n.name]; !ok && n.isActive(values) {
			return n, true
		}
	}
	return node{}, false
}

// kinds of spaces, the finite ones first.
const (
	finiteFlat = iota
	finiteTree
	usual
	extreme
	wide
)

// randomSpace draws a space of the given kind.
func randomSpace(rng *rand.Rand, kind int) *space {
	s := &space{}
	roots, depth := 1+rng.IntN(3), 0
	switch kind {
	case finiteTree:
		roots, depth = 1+rng.IntN(2), 2
	case usual, extreme:
		roots, depth = 1+rng.IntN(4), rng.IntN(3)
	case wide:
		if roots = 20 + rng.IntN(30); chance(rng, 0.1) {
			roots = 300
		}
	}
	for range roots {
		s.add(rng, kind, "", nil, depth)
	}
	return s
}

// add adds a parameter and, down to the depth, some that come up with it.
func (s *space) add(rng *rand.Rand, kind int, parent string, of any, depth int) {
	n := node{name: fmt.Sprintf("p%d", s.names), parent: parent}
	s.names++
	switch {
	case kind <= finiteTree || kind == usual && depth > 0:
		n.distribution = smallDistribution(rng)
	case kind == extreme && chance(rng, 0.7):
		n.distribution = extremeDistribution(rng)
	default:
		n.distribution = usualDistribution(rng)
	}
	if parent != "" {
		n.when = condition{salt: rng.IntN(1000), threshold: 1}
		if x, err := goptuna.ToExternalRepresentation(of, draw(rng, of)); err == nil {
			switch x := x.(type) {
			case int:
				n.when.threshold = float64(x)
			case float64:
				n.when.threshold = x
			}
		}
		if chance(rng, 0.3) {
			n.when.modulus = 2 + rng.IntN(2)
		}
	}
	s.nodes = append(s.nodes, n)
	if parent != "" && chance(rng, 0.3) { // with another distribution otherwise
		n.distribution, n.when.otherwise = smallDistribution(rng), true
		s.nodes = append(s.nodes, n)
	}
	if depth > 0 {
		for range rng.IntN(3) {
			s.add(rng, kind, n.name, n.distribution, depth-1)
		}
	}
}

// edits of a space.
const (
	editRange = iota
	editDrop
	editAdd
)

// edited returns the space after an edit, and what was edited.
func (s *space) edited(rng *rand.Rand, kind int) (edited *space, what int) {
	e := &space{nodes: slices.Clone(s.nodes), names: s.names}
	i := rng.IntN(len(e.nodes))
	switch rng.IntN(5) {
	case 0:
		if len(e.nodes) > 1 {
			gone := map[string]bool{e.nodes[i].name: true}
			rest := slices.DeleteFunc(e.nodes, func(n node) bool {
				gone[n.name] = gone[n.name] || gone[n.parent]
				return gone[n.name]
			})
			if len(rest) > 0 {
				e.nodes = rest
				return e, editDrop
			}
			e.nodes = slices.Clone(s.nodes)
		}
	case 1:
		if chance(rng, 0.5) {
			e.add(rng, kind, "", nil, 0)
		} else {
			e.add(rng, kind, e.nodes[i].name, e.nodes[i].distribution, 0)
		}
		return e, editAdd
	}
	e.nodes[i].distribution = changed(rng, e.nodes[i].distribution)
	return e, editRange
}

// size returns how many configurations the space has: infinite stands for more
// than can be enumerated, and known is false where nobody can say.
func (s *space) size() (n int, infinite, known bool) {
	known = true
	var count func(parent string, value any) int
	count = func(parent string, value any) int {
		product := 1
		for _, child := range s.nodes {
			if child.parent != parent || parent != "" && !child.when.holds(value) {
				continue
			}
			values, unbounded, ok := valuesOf(child.distribution)
			infinite, known = infinite || unbounded, known && ok
			if unbounded || !ok {
				continue
			}
			sum := 0
			for _, v := range values {
				sum = min(sum+count(child.name, v), maxConfigurations)
			}
			product = min(product*sum, maxConfigurations)
		}
		return product
	}
	n = count("", nil)
	return n, infinite || n >= maxConfigurations, known
}

// maxConfigurations is the number from which on a space counts as infinite.
const maxConfigurations = 1 << 20

// key returns the configuration of a trial, and false when it is none of the
// space.
func (s *space) key(trial goptuna.FrozenTrial) (string, bool) {
	var key strings.Builder
	active := 0
	values := map[string]any{}
	for _, n := range s.nodes {
		if !n.isActive(values) {
			continue
		}
		internal, ok := trial.InternalParams[n.name]
		if !ok {
			return "", false
		}
		value, ok := among(trial.Distributions[n.name], internal, n.distribution)
		if !ok {
			return "", false
		}
		values[n.name] = value
		active++
		if d, ok := n.distribution.(goptuna.DiscreteUniformDistribution); ok && d.Q > 1e-6 && d.High < 1e6 {
			// The same on grids that begin elsewhere.
			value = math.Round(value.(float64)*1e9)/1e9 + 0
		}
		fmt.Fprintf(&key, "%s=%v;", n.name, value)
	}
	return key.String(), active == len(trial.InternalParams)
}

// among returns the value that one distribution gives as another one has it.
func among(from any, internal float64, to any) (any, bool) {
	if d, ok := from.(goptuna.CategoricalDistribution); ok && !contains(d, internal) {
		return nil, false
	}
	value, err := goptuna.ToExternalRepresentation(from, internal)
	if err != nil {
		return nil, false
	}
	if reflect.DeepEqual(from, to) {
		return value, true
	}
	switch v := value.(type) {
	case string:
		d, ok := to.(goptuna.CategoricalDistribution)
		return v, ok && slices.Contains(d.Choices, v)
	case int:
		internal = float64(v)
	case float64:
		internal = v
	}
	if _, choices := to.(goptuna.CategoricalDistribution); choices || !contains(to, internal) {
		return nil, false
	}
	value, err = goptuna.ToExternalRepresentation(to, internal)
	if d, ok := to.(goptuna.DiscreteUniformDistribution); ok && err == nil && math.Abs(value.(float64)-internal) > 1e-3*d.Q && d.Q > 1e-6 && d.High < 1e6 {
		return nil, false // between two values of the grid
	}
	return value, err == nil
}
