package space

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// Forms are what objectives ask for by the name of a parameter, where that follows from
// the value of another one, the decider. The distribution of the parameter is the union of
// theirs, see Union.
type Forms struct {
	Decider string            // the name that objectives ask by
	By      map[string]*Param // by the decider's value, see ValueText
}

// WithForms returns the parameter, which is asked for in these forms.
func (p *Param) WithForms(forms Forms) *Param {
	q := *p
	q.Forms = forms
	return &q
}

// ValueText returns a value of a distribution as a text, and false for an index without a
// choice.
func ValueText(distribution any, internal float64) (text string, ok bool) {
	if d, choice := distribution.(goptuna.CategoricalDistribution); choice {
		if i := int(internal); 0 <= i && i < len(d.Choices) {
			return d.Choices[i], true
		}
		return "", false
	}
	return fmt.Sprint(internal), true
}

// Union returns the distribution with the values of all: of choices, those of the longest
// list first, of ranges what reaches from the lowest to the highest. ok is false where they
// are of different kinds, or of grids that do not match.
func Union(all ...any) (union any, ok bool) {
	union = all[0]
	for _, d := range all[1:] {
		a, aChoice := union.(goptuna.CategoricalDistribution)
		b, bChoice := d.(goptuna.CategoricalDistribution)
		if aChoice && bChoice && len(b.Choices) > len(a.Choices) {
			union = d
		}
	}
	for _, d := range all {
		if union, ok = unionOf(union, d); !ok {
			return nil, false
		}
	}
	return union, true
}

func unionOf(a, b any) (union any, ok bool) {
	switch a := a.(type) {
	case goptuna.UniformDistribution:
		b, ok := b.(goptuna.UniformDistribution)
		return goptuna.UniformDistribution{Low: math.Min(a.Low, b.Low), High: math.Max(a.High, b.High)}, ok
	case goptuna.LogUniformDistribution:
		b, ok := b.(goptuna.LogUniformDistribution)
		return goptuna.LogUniformDistribution{Low: math.Min(a.Low, b.Low), High: math.Max(a.High, b.High)}, ok
	case goptuna.CategoricalDistribution:
		b, ok := b.(goptuna.CategoricalDistribution)
		return goptuna.CategoricalDistribution{Choices: withEarlier(a.Choices, []any{b})}, ok
	case goptuna.IntUniformDistribution:
		b, ok := b.(goptuna.IntUniformDistribution)
		return goptuna.IntUniformDistribution{Low: min(a.Low, b.Low), High: max(a.High, b.High)}, ok
	case goptuna.StepIntUniformDistribution:
		b, ok := b.(goptuna.StepIntUniformDistribution)
		if !ok || a.Step != b.Step || a.Step <= 0 || (a.Low-b.Low)%a.Step != 0 {
			return nil, false
		}
		// High is left out, but for the single value of an empty range.
		return goptuna.StepIntUniformDistribution{Low: min(a.Low, b.Low), High: max(a.High, b.High, a.Low+1, b.Low+1), Step: a.Step}, true
	case goptuna.DiscreteUniformDistribution:
		b, ok := b.(goptuna.DiscreteUniformDistribution)
		g, _ := gridOf(a)
		k := (b.Low - a.Low) / a.Q
		if !ok || a.Q != b.Q || !(math.Abs(k-math.Round(k)) <= g.tolerance()) {
			return nil, false
		}
		return goptuna.DiscreteUniformDistribution{Low: math.Min(a.Low, b.Low), High: math.Max(a.High, b.High), Q: a.Q}, true
	}
	return nil, false
}

// formSlack is by how much, relative to the ends of a range, rounding may lead a value out of
// it that comes from the coordinates of another form.
const formSlack = 1e-9

// Convert returns the representation of a value of another form of the parameter, and false
// where the parameter does not have it.
func (p *Param) Convert(value float64, from any) (float64, bool) {
	_, choice := from.(goptuna.CategoricalDistribution)
	switch d := p.Distribution.(type) {
	case goptuna.CategoricalDistribution:
		text, ok := ValueText(from, value)
		i := slices.Index(d.Choices, text)
		return float64(i), choice && ok && i >= 0
	case goptuna.UniformDistribution, goptuna.LogUniformDistribution, goptuna.DiscreteUniformDistribution:
		r := p.bounds()
		value = r.clipRounded(value, formSlack*(math.Abs(r.low)+math.Abs(r.high)))
	}
	return value, !choice && p.Contains(value)
}

// formed is a parameter of a space that is asked for in several forms.
type formed struct {
	param    *Param
	deciders []decider // several where the decider is several parameters by itself
}

// decider is a parameter on a graph that decides, and what it leaves of the other one.
type decider struct {
	param  *Param
	graph  int
	limits []*limit // by vertex, nil for all values
}

// limit is what one form leaves of the values of a parameter.
type limit struct {
	form  *Param
	open  []int           // vertices, ascending
	dim   acquisition.Dim // of a dimension
	low   float64         // its coordinates: the lowest, and the highest
	high  float64
	count float64
	key   string // tells limits apart
}

// setForms finds the deciders of the parameters that have forms. Deciders come first.
func (s *Space) setForms() {
	s.formedBy = map[*Param]*formed{}
	for _, p := range s.params {
		if p.Forms.By == nil {
			continue
		}
		f := &formed{param: p}
		for _, q := range s.graphs {
			if q.AskedName == p.Forms.Decider {
				f.deciders = append(f.deciders, newDecider(p, q, s.index[q]))
			}
		}
		s.formed = append(s.formed, f)
		s.formedBy[p] = f
	}
	depth := func(f *formed) int { return s.depth(f, len(s.formed)) }
	slices.SortStableFunc(s.formed, func(a, b *formed) int { return depth(a) - depth(b) })
}

// depth returns how many deciders of deciders a parameter has, most at most.
func (s *Space) depth(f *formed, most int) int {
	deepest := 0
	for _, d := range f.deciders {
		if above := s.formedBy[d.param]; above != nil && most > 0 {
			deepest = max(deepest, 1+s.depth(above, most-1))
		}
	}
	return deepest
}

func newDecider(p, q *Param, graph int) decider {
	d := decider{param: q, graph: graph, limits: make([]*limit, q.Graph.Order())}
	for v := range d.limits {
		if text, ok := ValueText(q.Distribution, q.Decode(float64(v))); ok {
			if form := p.Forms.By[text]; form != nil {
				d.limits[v] = newLimit(p, form)
			}
		}
	}
	return d
}

// newLimit returns what a form leaves of a parameter.
func newLimit(p, form *Param) *limit {
	l := &limit{form: form, count: form.Count()}
	at := func(value float64) float64 {
		u, _ := p.EncodeFrom(value, form.Distribution)
		return u
	}
	if p.Graph == nil && p.Positions == nil {
		low, high := form.ends()
		l.low, l.high = at(low), at(high)
		if p.Levels > 0 {
			l.low, l.high = p.Dim().Snap(l.low), p.Dim().Snap(l.high)
		}
		l.dim = p.Dim().Within(l.low, l.high)
		l.key = fmt.Sprint(l.low, l.high)
		return l
	}
	var us []float64
	for i := range int(l.count) {
		us = append(us, at(form.FromUnit((float64(i)+0.5)/l.count)))
	}
	slices.Sort(us)
	if l.key = fmt.Sprint(us); p.Graph == nil {
		l.dim = acquisition.Dim{Values: us}
		return l
	}
	for _, u := range us {
		l.open = append(l.open, int(u))
	}
	return l
}

// ends returns the least and the largest value of a range.
func (p *Param) ends() (low, high float64) {
	if math.IsInf(p.Count(), 1) {
		r := p.bounds()
		return r.low, r.high
	}
	return p.FromUnit(0), p.FromUnit(1)
}

// contains reports whether the form has the value with a coordinate.
func (l *limit) contains(u float64) bool {
	switch {
	case l.open != nil:
		return slices.Contains(l.open, int(u))
	case l.dim.Values != nil:
		return slices.Contains(l.dim.Values, u)
	}
	return l.low <= u && u <= l.high
}

// limitAt returns what the values at x leave of a parameter, nil for all of it.
func (s *Space) limitAt(x fmkernel.Point, p *Param) *limit {
	f := s.formedBy[p]
	if f == nil {
		return nil
	}
	for _, d := range f.deciders {
		if v := x.V[d.graph]; v < len(d.limits) && s.Active(x, d.param) {
			return d.limits[v]
		}
	}
	return nil
}

// Follows reports whether each value at x is one of the form that the others lead to.
func (s *Space) Follows(x fmkernel.Point) bool {
	return !slices.ContainsFunc(s.formed, func(f *formed) bool {
		l := s.limitAt(x, f.param)
		return l != nil && s.Active(x, f.param) && !l.contains(s.Coordinate(x, f.param))
	})
}

// count returns the number of values that a parameter has beside the others at x.
func (s *Space) count(x fmkernel.Point, p *Param) float64 {
	if l := s.limitAt(x, p); l != nil {
		return l.count
	}
	return p.Count()
}

// DecidersFirst returns the parameters, those in several forms after their deciders.
func (s *Space) DecidersFirst() []*Param {
	if len(s.formed) == 0 {
		return s.params
	}
	params := slices.DeleteFunc(slices.Clone(s.params), func(p *Param) bool { return s.formedBy[p] != nil })
	for _, f := range s.formed {
		params = append(params, f.param)
	}
	return params
}

// Form returns what a trial with the values asks for by the name of a parameter: the
// parameter itself where it has one form, or the values do not say.
func (s *Space) Form(values map[string]float64, p *Param) *Param {
	if f := s.formedBy[p]; f != nil {
		for _, d := range f.deciders {
			value, ok := values[d.param.Name]
			if v, known := d.param.Encode(value); ok && known && d.limits[int(v)] != nil {
				return d.limits[int(v)].form
			}
		}
	}
	return p
}

// FromForm returns the representation in the space of a value of what a trial with the
// values asks for. ok is false where that has no such value. Where the values do not say
// what it is, all forms that have the value must agree.
func (s *Space) FromForm(values map[string]float64, p *Param, value float64) (own float64, ok bool) {
	if p.Forms.By == nil {
		return value, p.Contains(value)
	}
	if form := s.Form(values, p); form != p {
		if own, ok = p.Convert(value, form.Distribution); ok {
			return own, form.Contains(value)
		}
		return value, false
	}
	for _, form := range p.Forms.By {
		if !form.Contains(value) {
			continue
		}
		other, known := p.Convert(value, form.Distribution)
		if !known || ok && other != own {
			return value, false
		}
		own, ok = other, true
	}
	return own, ok
}

// SetQuantiles sets the parameters with several forms at x to quantiles, of what is asked for
// beside their deciders.
func (s *Space) SetQuantiles(x fmkernel.Point, quantile func(p *Param) float64) {
	for _, f := range s.formed {
		if l := s.limitAt(x, f.param); l != nil && s.Active(x, f.param) {
			u, _ := f.param.EncodeFrom(l.form.FromUnit(quantile(f.param)), l.form.Distribution)
			s.SetCoordinate(x, f.param, u)
		}
	}
}

// MoveIntoForms moves values at x that do not follow from the others to some that do.
func (s *Space) MoveIntoForms(x fmkernel.Point) {
	for _, f := range s.formed {
		u := s.Coordinate(x, f.param)
		if l := s.limitAt(x, f.param); l != nil && s.Active(x, f.param) && !l.contains(u) {
			s.SetCoordinate(x, f.param, l.near(f.param, u))
		}
	}
}

// near returns the coordinate that is nearest to u, of unordered values any.
func (l *limit) near(p *Param, u float64) float64 {
	if l.open == nil {
		return l.dim.Snap(u)
	}
	if _, ordered := p.Graph.PathWeights(); !ordered {
		return float64(l.open[int(u)%len(l.open)])
	}
	return float64(slices.MinFunc(l.open, func(a, b int) int {
		return cmp.Compare(math.Abs(float64(a)-u), math.Abs(float64(b)-u))
	}))
}
