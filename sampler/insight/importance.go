package insight

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// maxDraws bounds the number of pairs of configurations that importances are
// estimated from.
const maxDraws = 2048

// Importance is how much of the variance of the objective, as the model predicts it
// over the whole space, is due to one parameter: Sobol's indices, which functional
// ANOVA estimates too.
type Importance struct {
	Param string
	// Main is the share that is due to the parameter alone, and Total that which it
	// has a part in, alone or with others. Those of a parameter that is not always
	// active are shares of the variance where it is.
	Main, Total float64
	// Active is the share of the space where the parameter is active, and Overall
	// the total share of the variance over the whole space: Total, if it always is.
	Active, Overall float64
	// Good is Overall for what makes the best quarter of the space better: of
	// min(f, q), where q is the quartile of the objective f. Where a choice makes
	// everything bad, it has most of Overall, and Good says what matters besides
	// (Marrel and Chabridon, Statistical developments for target and conditional
	// sensitivity analysis, 2021).
	Good float64
}

// Importance returns the importance of every parameter, the largest first. The
// space is filled uniformly, as by a random search: each value of a parameter has
// the same share of where it is active.
//
// Main is estimated as by Janon et al., Asymptotic normality and efficiency of two
// Sobol index estimators (2014), and Total as by Jansen, Analysis of variance
// designs for model output (1999), with quasi-random numbers. Standard errors are
// about 0.01 for ten parameters.
func (m *Model) Importance() []Importance { return slices.Clone(m.importance()) }

// A response is what importances are of: predictions to be minimised, on the scale on which they
// are compared, and their quartile over the space.
type response struct {
	at       func(xs []fmkernel.Point) []float64
	quartile float64
}

// objective returns the response that is the value.
func (m *Model) objective() response {
	o := m.overview()
	return response{m.grades, o.grading.of(quantile(0.25, o.ys))}
}

// importanceOf returns the importances for a response, from about as many predictions as the
// effort has.
func (m *Model) importanceOf(r response) []Importance {
	params := m.problem.Space.Params()
	if len(params) == 0 {
		return nil
	}
	groups := m.byActivity()
	n := powerOfTwo(min(max(m.effort.predictions/(len(params)+2*len(groups)), m.effort.pairs), maxDraws))
	whole := m.contrast(r, n, nil)
	var all []Importance
	for _, group := range groups {
		c := whole
		if m.problem.Space.Optional(group[0]) {
			c = m.contrast(r, n, group[:1])
		}
		for _, p := range group {
			share := Importance{Param: p.Name, Active: whole.active(p)}
			if c.variance > 0 && whole.variance > 0 {
				var part, good float64 // of the variances
				share.Main, part, good = c.indices(p)
				share.Total = min(part/c.variance, 1)
				share.Main = min(share.Main, share.Total) // two estimates of what cannot be more
				share.Overall = min(share.Active*part/whole.variance, 1)
				if whole.good > 0 {
					share.Good = min(share.Active*good/whole.good, 1)
				}
			}
			all = append(all, share)
		}
	}
	slices.SortStableFunc(all, func(a, b Importance) int { return cmp.Compare(b.Overall, a.Overall) })
	return all
}

// powerOfTwo returns the largest power of two up to n, at which a Sobol sequence is
// balanced.
func powerOfTwo(n int) int {
	p := 1
	for 2*p <= n {
		p *= 2
	}
	return p
}

// byActivity returns groups of parameters: those that are always active, if there are
// such, and of the others those that are active together.
func (m *Model) byActivity() [][]*space.Param {
	sp := m.problem.Space
	var always []*space.Param
	for _, p := range sp.Params() {
		if !sp.Optional(p) {
			always = append(always, p)
		}
	}
	var groups [][]*space.Param
	if len(always) > 0 {
		groups = append(groups, always)
	}
	for _, names := range sp.Groups() {
		var group []*space.Param
		for _, p := range sp.Params() {
			if slices.Contains(names, p.Name) {
				group = append(group, p)
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// contrast holds pairs of independent configurations where some parameters are
// active, and what is predicted there.
type contrast struct {
	*Model
	response
	as, bs   [][]float64
	xs       []fmkernel.Point // at as
	fa, fb   []float64
	variance float64
	good     float64                    // the variance of what is at most the quartile, and of that elsewhere
	alone    map[*space.Param][]float64 // of withMoved
}

func (m *Model) contrast(r response, n int, active []*space.Param) *contrast {
	c := &contrast{Model: m, response: r, alone: map[*space.Param][]float64{}}
	c.as, c.bs = m.cube.pairs(n, m.random.Seed, active...)
	c.xs = m.cube.points(c.as)
	c.fa, c.fb = c.at(c.xs), c.at(m.cube.points(c.bs))
	if len(c.as) > 1 {
		all := slices.Concat(c.fa, c.fb)
		c.variance = stat.PopVariance(all, nil)
		for i, f := range all {
			all[i] = min(f, c.quartile)
		}
		c.good = stat.PopVariance(all, nil)
	}
	return c
}

// active returns the share of the configurations where a parameter is active.
func (c *contrast) active(p *space.Param) float64 {
	n := 0.0
	for _, x := range c.xs {
		if c.problem.Space.Active(x, p) {
			n++
		}
	}
	return n / float64(len(c.xs))
}

// indices returns the main share of a parameter, and the parts of the variance, and of that
// of what is good, that it has a total share in.
func (c *contrast) indices(p *space.Param) (main, part, good float64) {
	fab := c.at(c.moved(p))
	n := float64(len(fab))
	var product, sum, squares float64
	for i, f := range fab {
		diff := c.fa[i] - f
		part += diff * diff / (2 * n) // Jansen: E[Var(f | all others)]
		diff = min(c.fa[i], c.quartile) - min(f, c.quartile)
		good += diff * diff / (2 * n)
		product += c.fb[i] * f / n
		sum += (c.fb[i] + f) / (2 * n)
		squares += (c.fb[i]*c.fb[i] + f*f) / (2 * n)
	}
	if spread := squares - sum*sum; spread > 0 {
		main = min(max(0, (product-sum*sum)/spread), 1) // Janon: Var(E[f | p]) / Var(f)
	}
	return main, part, good
}

// moved returns the configurations at as with some parameters as at bs; where that
// leads into a branch in which all trials have failed, as at as.
func (c *contrast) moved(params ...*space.Param) []fmkernel.Point {
	xs := make([]fmkernel.Point, len(c.as))
	for i, at := range c.as {
		at = slices.Clone(at)
		for _, p := range params {
			k := c.cube.index(p)
			at[k] = c.bs[i][k]
		}
		var ok bool
		if xs[i], ok = c.cube.point(at); !ok {
			xs[i] = c.xs[i]
		}
	}
	return xs
}

// grades returns the predicted values on the scale on which they are compared. They stay
// between the smallest and the largest value that was observed: under a logarithm a model
// that extrapolates predicts any size, and one corner would have all of the variance.
func (m *Model) grades(xs []fmkernel.Point) []float64 {
	lo, hi := slices.Min(m.problem.Y), slices.Max(m.problem.Y)
	values := make([]float64, len(xs))
	m.observed.Predictor().PredictMeans(values, xs)
	for i, mean := range values {
		values[i] = m.overview().grading.of(min(max(lo, m.surrogate.Transform.Value(mean)), hi))
	}
	return values
}
