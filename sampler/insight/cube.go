package insight

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// cube maps the unit cube, with a coordinate for each parameter, onto the
// configurations of a study: each value of a parameter has the same share, and
// coordinates of parameters that are not active do not count. Under the uniform
// distribution on the cube, a branch is as probable as the values that lead to it.
type cube struct {
	space  *space.Space
	params []*space.Param
	parts  []part
}

// part is a region of the space.
type part struct {
	observe.Region
	active []bool         // by parameter
	needs  []need         // all of them lead into the region
	absent fmkernel.Point // what its points have in common
	share  float64        // of the cube
}

// need is a condition on the parameter of an index. Of one on a range, low and high are the
// ends as quantiles of the parameter's values.
type need struct {
	space.Condition
	index     int
	low, high float64
}

func newCube(sp *space.Space, regions []observe.Region) *cube {
	c := &cube{space: sp, params: sp.Params()}
	for _, r := range regions {
		p := part{Region: r, absent: r.Domain().Fixed, share: 1}
		for _, param := range c.params {
			p.active = append(p.active, r.Active(param))
		}
		for _, condition := range r.Conditions() {
			n := need{Condition: condition, index: c.index(condition.Param), high: 1}
			if n.Vertices == nil {
				n.low, n.high = quantileOf(n.Param, n.Lower), quantileOf(n.Param, n.Upper)
				p.share *= n.high - n.low
			} else {
				p.share *= float64(len(n.Vertices)) / n.Param.Count()
			}
			p.needs = append(p.needs, n)
		}
		c.parts = append(c.parts, p)
	}
	return c
}

// quantileOf returns the least quantile whose value has a coordinate of at least u,
// 1 if none has.
func quantileOf(p *space.Param, u float64) float64 {
	if coordinate(p, 0) >= u {
		return 0
	}
	low, high := 0.0, 1.0
	for range 40 {
		if middle := (low + high) / 2; coordinate(p, middle) >= u {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// index returns the coordinate of a parameter in the cube.
func (c *cube) index(p *space.Param) int { return slices.Index(c.params, p) }

// coordinate returns that of a quantile of the values of a parameter.
func coordinate(p *space.Param, quantile float64) float64 {
	at, _ := p.Encode(p.FromUnit(quantile))
	return at
}

// point returns the configuration with some coordinates, and false where they lead
// into a branch in which all trials have failed. A value that does not follow from the
// others is moved to one that does.
func (c *cube) point(at []float64) (x fmkernel.Point, ok bool) {
	for _, part := range c.parts {
		if !slices.ContainsFunc(part.needs, func(n need) bool { return !n.Holds(at[n.index]) }) {
			x = c.at(part, at)
			c.space.MoveIntoForms(x)
			return x, true
		}
	}
	return x, false
}

// at returns the point of a region with the coordinates.
func (c *cube) at(part part, at []float64) fmkernel.Point {
	x := part.absent.Clone()
	for i, p := range c.params {
		if part.active[i] {
			c.space.SetCoordinate(x, p, at[i])
		}
	}
	return x
}

// keeps reports whether a configuration has a coordinate that was set, and that its other
// values may have moved.
func (c *cube) keeps(x fmkernel.Point, set coordinateOf) bool {
	p := c.params[set.index]
	return p.Forms.By == nil || !c.space.Active(x, p) || c.space.Coordinate(x, p) == set.at
}

// points returns the configurations with some coordinates, each of which leads to
// one.
func (c *cube) points(ats [][]float64) []fmkernel.Point {
	xs := make([]fmkernel.Point, len(ats))
	for i, at := range ats {
		xs[i], _ = c.point(at)
	}
	return xs
}

// pairs returns the coordinates of n pairs of independent points at which all of the
// parameters are active, none where there is no branch with them. Together they are
// the halves of a scrambled Sobol sequence.
func (c *cube) pairs(n int, seed uint64, active ...*space.Param) (as, bs [][]float64) {
	parts, sum := c.partsWith(active)
	if len(parts) == 0 {
		return nil, nil
	}
	d := len(c.params) + 1 // one coordinate chooses the part
	seeds := make([]uint64, 2*d)
	for i := range seeds {
		name := ""
		if i%d < len(c.params) {
			name = c.params[i%d].Name
		}
		seeds[i] = qmc.Mix(qmc.HashString(seed, name), uint64(i/d))
	}
	seq, u := qmc.New(seeds), make([]float64, 2*d)
	for range n {
		seq.PointTo(u)
		seq.Next()
		as, bs = append(as, c.draw(parts, sum, u[:d])), append(bs, c.draw(parts, sum, u[d:]))
	}
	return as, bs
}

// partsWith returns the parts of the space where all of the parameters are active, and
// the sum of their shares.
func (c *cube) partsWith(active []*space.Param) (parts []part, sum float64) {
	for _, p := range c.parts {
		if !slices.ContainsFunc(active, func(param *space.Param) bool { return !p.Active(param) }) {
			parts, sum = append(parts, p), sum+p.share
		}
	}
	return parts, sum
}

// draw returns the coordinates of a point of one of the parts, which the last
// entry of u chooses by their shares.
func (c *cube) draw(parts []part, sum float64, u []float64) []float64 {
	last := len(u) - 1
	left := u[last] * sum
	k := 0
	for ; k < len(parts)-1 && left >= parts[k].share; k++ {
		left -= parts[k].share
	}
	at := make([]float64, last)
	for i, p := range c.params {
		at[i] = coordinate(p, u[i])
	}
	for _, n := range parts[k].needs {
		if n.Vertices != nil {
			at[n.index] = float64(n.Vertices[min(int(u[n.index]*float64(len(n.Vertices))), len(n.Vertices)-1)])
		} else {
			at[n.index] = coordinate(n.Param, n.low+u[n.index]*(n.high-n.low))
		}
	}
	c.setForms(parts[k], at, u)
	return at
}

// setForms sets the coordinates of parameters with several forms to quantiles of what is
// asked for beside the others, but for those that lead into the part.
func (c *cube) setForms(part part, at, u []float64) {
	x := c.at(part, at)
	c.space.SetQuantiles(x, func(p *space.Param) float64 { return u[c.index(p)] })
	for i, p := range c.params {
		leads := slices.ContainsFunc(part.needs, func(n need) bool { return n.index == i })
		if p.Forms.By != nil && part.active[i] && !leads {
			at[i] = c.space.Coordinate(x, p)
		}
	}
}
