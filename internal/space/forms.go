package space

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// Forms are what objectives ask for by the name of a parameter, where that follows from
// the value of another one, its parent. The distribution of the parameter is the union of
// theirs, see Union. No parameter is above itself, as a parent, one of a parent, and so on.
type Forms struct {
	Parent string            // the name that objectives ask by
	By     map[string]*Param // by the parent's value, see ValueText
}

// WithForms returns the parameter, which is asked for in these forms.
func (p *Param) WithForms(forms Forms) *Param {
	q := *p
	q.Forms = forms
	return &q
}

// ValueText returns a value of a distribution as a text, and false for an index without a
// choice. Of a number that is no integer it has 15 digits: steps are added up with rounding
// errors, and 0.30000000000000004 is 0.3 to those who write a configuration.
func ValueText(distribution any, internal float64) (text string, ok bool) {
	if d, choice := distribution.(goptuna.CategoricalDistribution); choice {
		if i, ok := choiceAt(internal, len(d.Choices)); ok {
			return d.Choices[i], true
		}
		return "", false
	}
	if internal != math.Trunc(internal) {
		internal, _ = strconv.ParseFloat(strconv.FormatFloat(internal, 'g', 15, 64), 64)
	}
	return fmt.Sprint(internal), true
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

// parent is a parameter on a graph whose value decides about the form of another one, the
// child. A child has several parents where objectives ask for several parameters by the
// parent's name: then one at most is active.
type parent struct {
	param *Param
	graph int
	forms []*form // of the child, by vertex; nil where it may have all of its values
}

// form is a form of a parameter, and the coordinates that its values have in the space, which
// are those of the parameter.
type form struct {
	asked *Param          // what objectives ask for
	open  []int           // the vertices, ascending, of a parameter on a graph
	dim   acquisition.Dim // of a parameter that is a dimension
	key   string          // the same where two forms have the same coordinates
}

// setForms finds the parents of the parameters that have forms.
func (s *Space) setForms() {
	s.parents = map[*Param][]parent{}
	for _, p := range s.params {
		if p.Forms.By == nil {
			continue
		}
		s.multiform = append(s.multiform, p)
		for _, q := range s.graphs {
			if q.AskedName == p.Forms.Parent {
				s.parents[p] = append(s.parents[p], newParent(q, p, s.index[q]))
			}
		}
	}
	slices.SortStableFunc(s.multiform, func(a, b *Param) int { return s.depth(a) - s.depth(b) })
}

// depth returns how many generations of parents above a parameter have forms.
func (s *Space) depth(p *Param) int {
	deepest := 0
	for _, q := range s.parents[p] {
		if q.param.Forms.By != nil {
			deepest = max(deepest, 1+s.depth(q.param))
		}
	}
	return deepest
}

func newParent(p, child *Param, graph int) parent {
	q := parent{param: p, graph: graph, forms: make([]*form, p.Graph.Order())}
	for v := range q.forms {
		if text, ok := ValueText(p.Distribution, p.Decode(float64(v))); ok {
			if asked := child.Forms.By[text]; asked != nil {
				q.forms[v] = newForm(child, asked)
			}
		}
	}
	return q
}

// newForm returns the form of a parameter that objectives ask for.
func newForm(p, asked *Param) *form {
	f := &form{asked: asked}
	at := func(value float64) float64 {
		u, _ := p.EncodeFrom(value, asked.Distribution)
		return u
	}
	if p.Graph == nil && p.dim.Values == nil {
		low, high := asked.ends()
		low, high = p.dim.Snap(at(low)), p.dim.Snap(at(high))
		f.dim, f.key = p.dim.Within(low, high), fmt.Sprint(low, high)
		return f
	}
	var us []float64
	n := asked.Count()
	for i := range int(n) {
		us = append(us, at(asked.FromUnit((float64(i)+0.5)/n)))
	}
	slices.Sort(us)
	f.key = fmt.Sprint(us)
	if p.Graph == nil {
		f.dim = acquisition.Dim{Values: us}
		return f
	}
	for _, u := range us {
		f.open = append(f.open, int(u))
	}
	return f
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
func (f *form) contains(u float64) bool {
	if f.open != nil {
		return slices.Contains(f.open, int(u))
	}
	return f.dim.Contains(u)
}

// formAt returns the form of a parameter that follows from the other values at x; nil where
// it may have all of its values, or is not active.
func (s *Space) formAt(x fmkernel.Point, p *Param) *form {
	for _, q := range s.parents[p] {
		if v := x.V[q.graph]; v < len(q.forms) && s.Active(x, q.param) && s.Active(x, p) {
			return q.forms[v]
		}
	}
	return nil
}

// FitsForms reports whether each value at x is one of the form that the others lead to.
func (s *Space) FitsForms(x fmkernel.Point) bool {
	return !slices.ContainsFunc(s.multiform, func(p *Param) bool {
		f := s.formAt(x, p)
		return f != nil && !f.contains(s.Coordinate(x, p))
	})
}

// count returns the number of values that a parameter has beside the others at x.
func (s *Space) count(x fmkernel.Point, p *Param) float64 {
	if f := s.formAt(x, p); f != nil {
		return f.asked.Count()
	}
	return p.Count()
}

// ParentsFirst returns the parameters, those with forms after their parents.
func (s *Space) ParentsFirst() []*Param {
	if len(s.multiform) == 0 {
		return s.params
	}
	params := slices.DeleteFunc(slices.Clone(s.params), func(p *Param) bool { return p.Forms.By != nil })
	return append(params, s.multiform...)
}

// Form returns what a trial with the values asks for by the name of a parameter: the
// parameter itself where it has one form, or the values do not say.
func (s *Space) Form(values map[string]float64, p *Param) *Param {
	for _, q := range s.parents[p] {
		value, ok := values[q.param.Name]
		if v, known := q.param.Encode(value); ok && known && q.forms[int(v)] != nil {
			return q.forms[int(v)].asked
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

// SetQuantiles sets the parameters with forms at x to quantiles, of what is asked for
// beside their parents.
func (s *Space) SetQuantiles(x fmkernel.Point, quantile func(p *Param) float64) {
	for _, p := range s.multiform {
		if f := s.formAt(x, p); f != nil {
			u, _ := p.EncodeFrom(f.asked.FromUnit(quantile(p)), f.asked.Distribution)
			s.SetCoordinate(x, p, u)
		}
	}
}

// MoveIntoForms moves values at x that do not follow from the others to some that do.
func (s *Space) MoveIntoForms(x fmkernel.Point) {
	for _, p := range s.multiform {
		u := s.Coordinate(x, p)
		if f := s.formAt(x, p); f != nil && !f.contains(u) {
			s.SetCoordinate(x, p, f.nearest(p, u))
		}
	}
}

// nearest returns the coordinate of the form, which is one of p, that is nearest to u; of
// unordered values any.
func (f *form) nearest(p *Param, u float64) float64 {
	if f.open == nil {
		return f.dim.Snap(u)
	}
	if _, ordered := p.Graph.PathWeights(); !ordered {
		return float64(f.open[int(u)%len(f.open)])
	}
	return float64(slices.MinFunc(f.open, func(a, b int) int {
		return cmp.Compare(math.Abs(float64(a)-u), math.Abs(float64(b)-u))
	}))
}
