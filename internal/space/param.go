package space

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// MaxPathOrder is the largest number of ordered values that become a path
// graph. With more, neighbouring values are so alike that a continuous
// dimension says the same, and costs less.
const MaxPathOrder = 20

// Param is one parameter with its distribution: what its values are and which
// coordinate they have. It is immutable.
type Param struct {
	// Name tells parameters of a space apart. It is what objectives ask by, AskedName,
	// unless several parameters have the same: see As.
	Name, AskedName string

	Distribution any
	Fingerprint  string // tells distributions apart
	// Forms are what it is asked for as, where that differs from the Distribution.
	Forms Forms

	codec
	// Graph is the graph of a discrete parameter, nil for a dimension.
	Graph *graphs.Graph
	// Open holds the vertices whose values the distribution has, ascending; nil
	// means all. Others are values that earlier distributions had.
	Open []int
	dim  acquisition.Dim // of a parameter without a graph
}

// NewParam maps a distribution. user is a graph of the user's, whose vertices are the
// values of a discrete parameter in order, or nil. Values of earlier
// distributions, which have no place in this one, get vertices too where that is
// possible: choices that were removed, and what a short grid has lost at its ends.
// Errors name the parameter and the remedy; a distribution that Goptuna does not
// know gives goptuna.ErrUnknownDistribution.
func NewParam(name string, distribution any, user *graphs.Graph, earlier ...any) (*Param, error) {
	if err := check(name, distribution, user); err != nil {
		return nil, err
	}
	p := &Param{Name: name, AskedName: name, Distribution: distribution, Fingerprint: fingerprint(distribution)}
	var err error
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		p.codec = linear{interval{d.Low, d.High}}
	case goptuna.LogUniformDistribution:
		p.codec = logarithmic{interval{d.Low, d.High}, interval{math.Log(d.Low), math.Log(d.High)}}
	case goptuna.CategoricalDistribution:
		err = p.setCategorical(d.Choices, user, earlier)
	default:
		g, _ := gridOf(distribution)
		err = p.setGrid(g, user, earlier)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// As returns the parameter by another name.
func (p *Param) As(name string) *Param {
	q := *p
	q.Name = name
	return &q
}

// fingerprint returns a short text that tells distributions apart as they are stored.
func fingerprint(distribution any) string {
	stored, _ := rounded(distribution)
	stored, _ = inUTF8(stored)
	h := fnv.New32a()
	fmt.Fprintf(h, "%#v", stored)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// Key identifies what NewParam returns, the graph of the user aside.
func Key(name string, distribution any, earlier ...any) string {
	lost := ""
	if d, ok := distribution.(goptuna.CategoricalDistribution); ok {
		lost = fmt.Sprintf("%q", withEarlier(d.Choices, earlier)[len(d.Choices):])
	} else if g, ok := gridOf(distribution); ok && g.count <= MaxPathOrder {
		g.widen(earlier)
		lost = fmt.Sprint(g.shift, g.order)
	}
	return fmt.Sprintf("%q %#v %s", name, distribution, lost)
}

// OnGraph reports whether a parameter with the distribution has a graph, as a rule: a few
// values, or a choice.
func OnGraph(distribution any) bool {
	if _, ok := distribution.(goptuna.CategoricalDistribution); ok {
		return true
	}
	g, ok := gridOf(distribution)
	return ok && g.count <= MaxPathOrder
}

// Count returns the number of values of the distribution, +Inf for a continuum.
func (p *Param) Count() float64 {
	switch {
	case p.Open != nil:
		return float64(len(p.Open))
	case p.Graph != nil:
		return float64(p.Graph.Order())
	}
	return p.dim.Count()
}

// Dim returns the dimension of a parameter that has no graph.
func (p *Param) Dim() acquisition.Dim { return p.dim }

// cell returns which value has the coordinate u, or one that cannot be
// told from it.
func (p *Param) cell(u float64) float64 {
	const resolution = 1e9
	switch {
	case p.dim.Levels > 0:
		u = math.Round(u * (p.dim.Levels - 1))
	case p.Graph == nil && p.dim.Values == nil:
		u = math.Round(u * resolution)
	}
	return u + 0 // -0 is 0
}

// hasCoordinate reports whether u is the coordinate of a value of the
// distribution.
func (p *Param) hasCoordinate(u float64) bool {
	switch {
	case p.Open != nil:
		return slices.Contains(p.Open, int(u))
	case p.Graph != nil:
		return u < float64(p.Graph.Order())
	case !p.dim.Contains(u):
		return false
	case p.dim.Levels > 0:
		k := u * (p.dim.Levels - 1)
		return math.Abs(k-math.Round(k)) <= p.codec.(grid).tolerance()
	}
	return true
}

// Encode returns the coordinate of a value of the parameter's own distribution.
func (p *Param) Encode(value float64) (u float64, ok bool) {
	return p.EncodeFrom(value, p.Distribution)
}

// Clip returns the value of the distribution that is next to one of the distribution
// as it is stored, whose ends may lie beyond.
func (p *Param) Clip(value float64) float64 {
	if g, ok := p.codec.(grid); ok {
		return g.clip(value)
	}
	return value
}

// Contains reports whether value is a value of the parameter's distribution.
func (p *Param) Contains(value float64) bool {
	return isFinite(value) && p.contains(value)
}

// FromUnit returns the value at quantile u in [0, 1): each of finitely many
// values has the same share.
func (p *Param) FromUnit(u float64) float64 {
	if p.Graph == nil {
		return p.Decode(p.dim.FromUnit(u))
	}
	v := min(int(u*p.Count()), int(p.Count())-1)
	if p.Open != nil {
		v = p.Open[v]
	}
	return p.Decode(float64(v))
}
