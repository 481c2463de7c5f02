package space

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Space is a set of parameters, in the order of their names. It is immutable.
//
// Optional parameters may be absent from a configuration. A graph then has one
// more vertex, the apex of its cone; a dimension stands in the middle. Where no
// vertex shows whether it is active, a coordinate of its own does: 1 or 0. Absence
// thus is a point of R^D × V_1 × … × V_P like any other, so that an FM kernel
// remains positive semi-definite.
type Space struct {
	params       []*Param
	dims         []*Param        // the params that are dimensions, in order
	coordinates  int             // of a Point.C: the dimensions, and the presence of groups
	graphs       []*Param        // the params that are graphs, in order
	index        map[*Param]int  // in graphs, or else in dims
	kernelGraphs []*graphs.Graph // of those, with an apex where the parameter is optional

	distributions map[string]any // of the params, by name

	groups  []group
	groupOf map[string]int // by name of an optional parameter
	none    Activity       // that of no group

	multiform []*Param // the params with Forms, parents first
	parents   map[*Param][]parent
}

// Group is a set of optional parameters that are active together or not at all.
type Group struct {
	Names []string
	// Parent is a parameter on a graph whose value decides whether they are
	// active, and Activating holds the vertices that make them so; "" where there
	// is none. It counts where none of them is on a graph itself.
	Parent     string
	Activating []int
}

// group is a Group of the parameters in a space.
type group struct {
	names    []string
	presence int    // index of the coordinate in Point.C, -1 when a graph shows it
	graph    int    // index in Point.V of the graph that shows it, -1 if none
	active   []bool // whether the group is active, by vertex of that graph and its apex
}

// New returns the space of the params that have, or had, more than one value. Those named
// in a group are optional, and active together. The error is that of a graph whose
// spectrum cannot be computed.
func New(params []*Param, groups ...Group) (*Space, error) {
	s := &Space{groupOf: map[string]int{}, index: map[*Param]int{}, distributions: map[string]any{}}
	for _, p := range params {
		if _, single := p.Single(); !single || p.Open != nil {
			s.params = append(s.params, p)
		}
	}
	slices.SortFunc(s.params, func(a, b *Param) int { return cmp.Compare(a.Name, b.Name) })
	for _, p := range s.params {
		s.distributions[p.Name] = p.Distribution
		if p.Graph != nil {
			s.index[p] = len(s.graphs)
			s.graphs = append(s.graphs, p)
		} else {
			s.index[p] = len(s.dims)
			s.dims = append(s.dims, p)
		}
	}
	s.coordinates = len(s.dims)
	for _, from := range groups {
		g := group{presence: -1, graph: -1}
		for _, name := range from.Names {
			if slices.ContainsFunc(s.params, func(p *Param) bool { return p.Name == name }) {
				g.names = append(g.names, name)
				s.groupOf[name] = len(s.groups)
			}
		}
		if len(g.names) == 0 {
			continue
		}
		slices.Sort(g.names)
		s.setPresence(&g, from)
		s.groups = append(s.groups, g)
	}
	s.none = newActivity(len(s.groups), func(int) bool { return false })
	for _, p := range s.graphs {
		g := p.Graph
		if s.Optional(p) {
			var err error
			if g, err = g.Cone(); err != nil {
				return nil, fmt.Errorf("fm: the graph of parameter %q: %w", p.Name, err)
			}
		}
		s.kernelGraphs = append(s.kernelGraphs, g)
	}
	s.setForms()
	return s, nil
}

// setPresence finds what shows whether the group is active: the first member on a
// graph, the parent, or else a coordinate.
func (s *Space) setPresence(g *group, from Group) {
	for _, name := range g.names {
		if g.graph = s.graphNamed(name); g.graph >= 0 {
			apex := s.graphs[g.graph].Graph.Order()
			g.active = make([]bool, apex+1)
			for v := range apex {
				g.active[v] = true
			}
			return
		}
	}
	if parent := s.graphNamed(from.Parent); from.Parent != "" && parent >= 0 { // a parameter may have the name ""
		g.graph = parent
		g.active = make([]bool, s.graphs[g.graph].Graph.Order()+1)
		for _, v := range from.Activating {
			g.active[v] = true
		}
		return
	}
	g.presence = s.coordinates
	s.coordinates++
}

// graphNamed returns the index in Point.V of a parameter, -1 if it has none.
func (s *Space) graphNamed(name string) int {
	return slices.IndexFunc(s.graphs, func(p *Param) bool { return p.Name == name })
}

// Optional reports whether the parameter may be absent.
func (s *Space) Optional(p *Param) bool {
	_, ok := s.groupOf[p.Name]
	return ok
}

// Params returns the parameters, not to be modified.
func (s *Space) Params() []*Param { return s.params }

// Dims returns the parameters that are dimensions, in the order of Point.C,
// where presence coordinates follow them.
func (s *Space) Dims() []*Param { return s.dims }

// Continuous reports whether a parameter is a dimension: a float, or an int of more
// than MaxPathOrder values.
func (s *Space) Continuous() bool { return len(s.dims) > 0 }

// Graphs returns the parameters that are graphs, in the order of Point.V.
func (s *Space) Graphs() []*Param { return s.graphs }

// Groups returns the optional parameters, those together that are active together.
func (s *Space) Groups() [][]string {
	var names [][]string
	for _, g := range s.groups {
		names = append(names, g.names)
	}
	return names
}

// Presence returns the names of the groups that have a presence coordinate, in
// the order in which these follow the dimensions in Point.C.
func (s *Space) Presence() [][]string {
	var names [][]string
	for _, g := range s.groups {
		if g.presence >= 0 {
			names = append(names, g.names)
		}
	}
	return names
}

func (s *Space) newPoint() fmkernel.Point {
	return fmkernel.Point{C: make([]float64, s.coordinates), V: make([]int, len(s.graphs))}
}

// Kernel returns the kernel that build makes on the dimensions and graphs of the
// space.
func (s *Space) Kernel(build func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)) (*fmkernel.Kernel, error) {
	return build(s.coordinates, s.kernelGraphs...)
}

// Values is a set of parameter values with the distributions they come from.
type Values struct {
	Internal      map[string]float64
	Distributions map[string]any
}

// Values returns values of the parameters' own distributions.
func (s *Space) Values(internal map[string]float64) Values { return Values{internal, s.distributions} }

// farthest bounds the coordinates of values outside the range, which another
// range may have produced. Beyond it they tell nothing about values inside, and
// their squares need not be finite.
const farthest = 1e3

// Encode returns the point of the values. It returns the parameter that spoils
// it when one is missing that is not optional, has no coordinate here, or lies
// farther away than all that matters.
func (s *Space) Encode(values Values) (x fmkernel.Point, bad *Param) {
	x = s.newPoint()
	here := make([]bool, len(s.groups))
	for i, g := range s.groups {
		for _, name := range g.names {
			_, ok := values.Internal[name]
			here[i] = here[i] || ok
		}
		if g.presence >= 0 && here[i] {
			x.C[g.presence] = 1
		}
	}
	for _, p := range s.params {
		if g, optional := s.groupOf[p.Name]; optional && !here[g] {
			s.SetCoordinate(x, p, p.absent())
			continue
		}
		value, given := values.Internal[p.Name] // of a group that came in part, what did not come is not known
		u, ok := p.EncodeFrom(value, values.Distributions[p.Name])
		if !given || !ok || p.Graph == nil && !(math.Abs(u) <= farthest) {
			return x, p
		}
		s.SetCoordinate(x, p, u)
	}
	return x, nil
}

// Decode returns the values of the parameters that are active at x, by name,
// each inside its distribution.
func (s *Space) Decode(x fmkernel.Point) map[string]float64 {
	values := make(map[string]float64, len(s.params))
	for _, p := range s.params {
		if s.Active(x, p) {
			values[p.Name] = p.Decode(s.Coordinate(x, p))
		}
	}
	return values
}

// Key identifies a configuration: points with equal keys have the same values,
// up to a billionth of the range of a continuous parameter.
func (s *Space) Key(x fmkernel.Point) string {
	return s.keyOn(x, s.Activity(x))
}

// keyOn identifies the values at x of the parameters of an activity.
func (s *Space) keyOn(x fmkernel.Point, a Activity) string {
	buf := make([]byte, 0, 8*(len(x.C)+len(x.V))+len(a))
	for _, p := range s.params {
		if s.activeIn(a, p) {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(p.cell(s.Coordinate(x, p))))
		}
	}
	return string(append(buf, a...))
}

// agree reports whether two configurations have the same values of all parameters that
// both have.
func (s *Space) agree(x, z fmkernel.Point) bool {
	for _, p := range s.params {
		if p.cell(s.Coordinate(x, p)) != p.cell(s.Coordinate(z, p)) && s.Active(x, p) && s.Active(z, p) {
			return false
		}
	}
	return true
}

// Coordinate returns that of one parameter at x: a number, or that of a vertex.
func (s *Space) Coordinate(x fmkernel.Point, p *Param) float64 {
	if p.Graph != nil {
		return float64(x.V[s.index[p]])
	}
	return x.C[s.index[p]]
}

// SetCoordinate sets the coordinate of one parameter at x.
func (s *Space) SetCoordinate(x fmkernel.Point, p *Param, u float64) {
	if p.Graph != nil {
		x.V[s.index[p]] = int(u)
	} else {
		x.C[s.index[p]] = u
	}
}

// absent returns the coordinate where the parameter is not active.
func (p *Param) absent() float64 {
	if p.Graph != nil {
		return float64(p.Graph.Order())
	}
	return 0.5
}

// attainable reports whether all values at x are values of the present
// distributions.
func (s *Space) attainable(x fmkernel.Point) bool {
	return s.FitsForms(x) && !slices.ContainsFunc(s.params, func(p *Param) bool { return s.Active(x, p) && !p.hasCoordinate(s.Coordinate(x, p)) })
}

// hasValues reports whether x has the given values, where it has the parameters.
func (s *Space) hasValues(x fmkernel.Point, values map[string]float64) bool {
	for _, p := range s.params {
		if value, ok := values[p.Name]; ok && s.Active(x, p) {
			if u, _ := p.Encode(value); u != s.Coordinate(x, p) {
				return false
			}
		}
	}
	return true
}
