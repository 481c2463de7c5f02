package insight

import (
	"cmp"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// interactionParams bounds the parameters whose pairs are looked at, those with
	// the largest shares, and interactionDraws the configurations of each pair.
	interactionParams = 8
	interactionDraws  = 256
)

// Interaction is the share of the variance that two parameters have together,
// beyond what each does by itself, where both are active: the superset importance
// of Liu and Owen, Estimating mean dimensionality of analysis of variance
// decompositions (2006).
type Interaction struct {
	X, Y  string
	Share float64
}

// Interactions returns the n strongest interactions, or fewer, the strongest
// first. Only those of the eight most important parameters are looked at.
func (m *Model) Interactions(n int) []Interaction {
	var params []*space.Param
	for _, share := range m.importance() {
		if p, err := m.param(share.Param); err == nil && len(params) < interactionParams {
			params = append(params, p)
		}
	}
	drawn := map[string]*contrast{} // by what has to be active
	var all []Interaction
	for i, y := range params {
		for _, x := range params[:i] {
			key := ""
			var active []*space.Param
			for _, p := range []*space.Param{x, y} {
				if m.problem.Space.Optional(p) {
					key += p.Name + "\x00"
					active = append(active, p)
				}
			}
			c := drawn[key]
			if c == nil {
				c = m.contrast(m.objective(), interactionDraws, active)
				drawn[key] = c
			}
			if c.variance > 0 {
				all = append(all, Interaction{x.Name, y.Name, c.together(x, y)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Interaction) int { return cmp.Compare(b.Share, a.Share) })
	return all[:max(0, min(n, len(all)))]
}

// together returns E[(f - f_x - f_y + f_xy)²]/4 as a share of the variance.
func (c *contrast) together(x, y *space.Param) float64 {
	fx, fy, both := c.withMoved(x), c.withMoved(y), c.at(c.moved(x, y))
	sum := 0.0
	for i, f := range c.fa {
		diff := f - fx[i] - fy[i] + both[i]
		sum += diff * diff
	}
	return sum / (4 * float64(len(c.fa)) * c.variance)
}

// withMoved returns what is predicted at as with one parameter as at bs: once, however
// many pairs the parameter is in.
func (c *contrast) withMoved(p *space.Param) []float64 {
	if c.alone[p] == nil {
		c.alone[p] = c.at(c.moved(p))
	}
	return c.alone[p]
}
