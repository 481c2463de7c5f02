package space

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Space is a set of parameters, in the order of their names. It is immutable.
type Space struct {
	params []*Param
	dims   []*Param // the params that are dimensions, in order
	graphs []*Param // the params that are graphs, in order
}

// New returns the space of the params that have more than one value.
func New(params []*Param) *Space {
	s := &Space{}
	for _, p := range params {
		if _, single := p.Single(); !single {
			s.params = append(s.params, p)
		}
	}
	slices.SortFunc(s.params, func(a, b *Param) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	for _, p := range s.params {
		if p.Graph != nil {
			s.graphs = append(s.graphs, p)
		} else {
			s.dims = append(s.dims, p)
		}
	}
	return s
}

// Params returns the parameters, not to be modified.
func (s *Space) Params() []*Param { return s.params }

// Dims returns the parameters that are dimensions, in the order of Point.C.
func (s *Space) Dims() []*Param { return s.dims }

// Vertices returns the parameters that are graphs, in the order of Point.V.
func (s *Space) Vertices() []*Param { return s.graphs }

// Kernel returns the ModLap kernel on the space.
func (s *Space) Kernel() (*fmkernel.Kernel, error) {
	gs := make([]*graphs.Graph, len(s.graphs))
	for i, p := range s.graphs {
		gs[i] = p.Graph
	}
	return fmkernel.NewModLap(len(s.dims), gs...)
}

// Values is a set of parameter values with the distributions they come from.
type Values struct {
	Internal      map[string]float64
	Distributions map[string]any
}

// farthest bounds the coordinates of values outside the range, which another
// range may have produced. Beyond it they tell nothing about values inside, and
// their squares need not be finite.
const farthest = 1e3

// Encode returns the point of the values, and false when one is missing, has no
// coordinate here, or lies farther away than all that matters.
func (s *Space) Encode(values Values) (fmkernel.Point, bool) {
	x := fmkernel.Point{C: make([]float64, len(s.dims)), V: make([]int, len(s.graphs))}
	at := func(p *Param) (float64, bool) {
		value, ok := values.Internal[p.Name]
		if !ok {
			return 0, false
		}
		return p.encode(value, values.Distributions[p.Name])
	}
	for i, p := range s.dims {
		u, ok := at(p)
		if !ok || !(math.Abs(u) <= farthest) {
			return x, false
		}
		x.C[i] = u
	}
	for i, p := range s.graphs {
		v, ok := at(p)
		if !ok {
			return x, false
		}
		x.V[i] = int(v)
	}
	return x, true
}

// Set moves x to a value of one parameter, which has a coordinate.
func (s *Space) Set(x fmkernel.Point, p *Param, value float64) {
	u, _ := p.Encode(value)
	if i := slices.Index(s.dims, p); i >= 0 {
		x.C[i] = u
	} else {
		x.V[slices.Index(s.graphs, p)] = int(u)
	}
}

// Decode returns the values at x, by name, each inside its distribution.
func (s *Space) Decode(x fmkernel.Point) map[string]float64 {
	values := make(map[string]float64, len(s.params))
	for i, p := range s.dims {
		values[p.Name] = p.decode(x.C[i])
	}
	for i, p := range s.graphs {
		values[p.Name] = p.decode(float64(x.V[i]))
	}
	return values
}

// Key identifies a configuration: points with equal keys have the same values,
// up to a billionth of the range of a continuous parameter.
func (s *Space) Key(x fmkernel.Point) string {
	const resolution = 1e9
	buf := make([]byte, 0, 8*(len(x.C)+len(x.V)))
	for i, p := range s.dims {
		at := x.C[i]
		switch {
		case p.Levels > 0:
			at = math.Round(at * (p.Levels - 1))
		case p.Positions == nil:
			at = math.Round(at * resolution)
		}
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(at+0)) // -0 is 0
	}
	for _, v := range x.V {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(v))
	}
	return string(buf)
}
