package insight

import (
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
	space   *space.Space
	regions []observe.Region
	absent  []fmkernel.Point // by region: a point without its active parameters
}

func newCube(p *observe.Problem) *cube {
	c := &cube{space: p.Space, regions: p.Regions}
	for _, r := range p.Regions {
		c.absent = append(c.absent, r.Domain().Fixed)
	}
	return c
}

// point returns the configuration at u, and false where it leads into a branch in
// which all trials have failed.
func (c *cube) point(u []float64) (x fmkernel.Point, ok bool) { return c.at(c.decode(u)) }

// decode returns the values of all parameters at u, active or not.
func (c *cube) decode(u []float64) map[string]float64 {
	values := make(map[string]float64, len(u))
	for i, p := range c.space.Params() {
		values[p.Name] = p.FromUnit(u[i])
	}
	return values
}

// at returns the configuration of values, of which only those that are active
// count.
func (c *cube) at(values map[string]float64) (x fmkernel.Point, ok bool) {
	for i, r := range c.regions {
		taken, ok := r.Take(values)
		if !ok {
			continue
		}
		x = c.absent[i].Clone()
		for _, p := range c.space.Params() {
			if value, active := taken[p.Name]; active {
				c.space.Set(x, p, value)
			}
		}
		return x, true
	}
	return x, false
}

// maxRejected is how many points of the cube are drawn for each that is wanted.
const maxRejected = 200

// pairs returns n pairs of independent points of the cube, or fewer where they are
// rare, at which all of the parameters are active. Together they are the halves of
// a scrambled Sobol sequence.
func (c *cube) pairs(n int, seed uint64, active ...*space.Param) (as, bs [][]float64) {
	d := len(c.space.Params())
	seeds := make([]uint64, 2*d)
	for i := range seeds {
		seeds[i] = qmc.Mix(qmc.HashString(seed, c.space.Params()[i%d].Name), uint64(i/d))
	}
	seq := qmc.New(seeds)
	for range maxRejected * n {
		u := make([]float64, 2*d)
		seq.PointTo(u)
		seq.Next()
		for _, half := range []struct {
			us *[][]float64
			u  []float64
		}{{&as, u[:d]}, {&bs, u[d:]}} {
			if x, ok := c.point(half.u); ok && len(*half.us) < n && c.allActive(x, active) {
				*half.us = append(*half.us, half.u)
			}
		}
		if len(as) == n && len(bs) == n {
			break
		}
	}
	n = min(len(as), len(bs))
	return as[:n], bs[:n]
}

func (c *cube) allActive(x fmkernel.Point, params []*space.Param) bool {
	for _, p := range params {
		if !c.space.Active(x, p) {
			return false
		}
	}
	return true
}

// index returns the coordinate of a parameter in the cube.
func (c *cube) index(param *space.Param) int {
	for i, p := range c.space.Params() {
		if p == param {
			return i
		}
	}
	panic("insight: a parameter of another space")
}

// points returns the configurations at us, each of which leads to one.
func (c *cube) points(us [][]float64) []fmkernel.Point {
	xs := make([]fmkernel.Point, len(us))
	for i, u := range us {
		xs[i], _ = c.point(u)
	}
	return xs
}
