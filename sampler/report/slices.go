package report

import (
	"math"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

const (
	// maxSlices is the number of parameters, numbers and choices each, of which slices are shown: the most important ones.
	maxSlices = 12
	// maxNamed is the number of parameters that are named where all are listed.
	maxNamed = 30
)

// slices shows the predicted value against each parameter that is a number.
func (s *study) slices() *section {
	return s.against(&section{
		ID: "parameters", Title: "Value against each number",
		Text: []string{"What the model predicts at each value, averaged over all other parameters: the line, with a band that holds 90 %. " +
			"A trial may be off the line because of its other parameters. The most important parameter comes first."},
	}, false)
}

// choices shows the predicted value of each choice.
func (s *study) choices() *section {
	return s.against(&section{
		ID: "choices", Title: "Value of each choice",
		Text: []string{"What the model predicts for each choice, averaged over all other parameters, with an interval that holds 90 %."},
	}, true)
}

// against adds the slices of the most important parameters: of others nothing is predicted, only their names are listed.
func (s *study) against(to *section, choices bool) *section {
	if s.model == nil {
		return nil
	}
	var left []string
	for _, share := range s.model.Importance() {
		if of, err := s.model.Scale(share.Param); err != nil || (of == insight.Choices) != choices {
			continue
		}
		if len(to.Figures) == maxSlices {
			if share.Active > 0 {
				left = append(left, share.Param)
			}
			continue
		}
		d, err := s.model.PartialDependence(share.Param)
		if err != nil { // it is active nowhere any more
			continue
		}
		c := s.slice(d)
		if choices {
			c = turned(c)
		}
		to.Figures = append(to.Figures, figure{Title: d.Param, Chart: c})
	}
	if len(left) > 0 {
		names := strings.Join(left[:min(maxNamed, len(left))], ", ")
		if more := len(left) - maxNamed; more > 0 {
			names += " and " + words.Count(more, "other")
		}
		to.Text = append(to.Text, "Of less importance: "+names+".")
	}
	if len(to.Figures) == 0 {
		return nil
	}
	if s.allNote != "" {
		to.Text = append(to.Text, s.allNote)
	}
	return to
}

// slice draws the value against a parameter.
func (s *study) slice(d *insight.Dependence) *chart.Chart {
	c := &chart.Chart{Title: "Value against " + d.Param, X: axis(d.Axis), Y: s.all}
	c.Y.Label = "value"
	interval := chart.Band{Entry: chart.Entry{Style: chart.Model, Name: "90 %"}}
	line := chart.Line{Entry: chart.Entry{Style: chart.Model, Name: "predicted"}}
	dots := chart.Points{Entry: line.Entry}
	for i, p := range d.At {
		at := position(d.Axis, d.Values[i])
		interval.X, interval.Low, interval.High = append(interval.X, at), append(interval.Low, p.Low), append(interval.High, p.High)
		line.Add(at, p.Value)
		dots.Add(at, p.Value, "predicted: "+chart.Number(p.Value))
	}
	if d.Scale == insight.Choices {
		c.Marks = append(s.observed(d.Axis), chart.Whiskers(interval.Entry, interval.X, interval.Low, interval.High, false), dots)
	} else {
		c.Marks = append(append([]chart.Mark{interval}, s.observed(d.Axis)...), line)
	}
	if value, ok := s.model.Value(d.Param, s.recommended.Params); ok {
		if at := position(d.Axis, value); !math.IsNaN(at) { // of many choices, the axis has some only
			pick := chart.Points{Entry: chart.Entry{Style: chart.Pick, Name: "recommended"}}
			pick.Add(at, s.recommended.Objective.Value, "recommended: "+brief(value))
			c.Marks = append(c.Marks, pick)
		}
	}
	return c
}

// observed returns the trials that have the parameter and a value, and those that have measured one beyond a limit. Those of
// one choice lie side by side.
func (s *study) observed(a insight.Axis) (marks []chart.Mark) {
	within := chart.Points{Entry: chart.Entry{Style: chart.Trial, Name: "a trial"}}
	beyond := chart.Points{Entry: chart.Entry{Style: chart.Pruned, Name: "beyond a limit"}}
	for _, t := range s.trials {
		value, ok := s.model.Value(a.Param, t.Params)
		if !ok || !hasValue(t) && !hasMeasured(t) {
			continue
		}
		points := &within
		if hasMeasured(t) {
			points = &beyond
		}
		if at := position(a, value) + aside(a, t.Number, math.Phi); !math.IsNaN(at) {
			points.Add(at, valueOf(t), describe(t)+", "+a.Param+" = "+brief(value))
		}
	}
	if len(beyond.X) > 0 {
		marks = append(marks, beyond)
	}
	return append(marks, within)
}

// axis returns the axis of a parameter.
func axis(a insight.Axis) chart.Scale {
	scale := chart.Scale{Label: a.Param}
	if a.Scale == insight.Choices {
		scale.Kind = chart.Choices
		for _, value := range a.Values {
			scale.Choices = append(scale.Choices, words.Value(value))
		}
		return scale
	}
	if a.Scale == insight.Log {
		scale.Kind = chart.Log
	}
	_, scale.Whole = a.Values[0].(int)
	scale.Low, scale.High = position(a, a.Values[0]), position(a, a.Values[len(a.Values)-1])
	return scale
}

// position returns the place of a value on the axis of its parameter, NaN if it has none.
func position(a insight.Axis, value any) float64 {
	if a.Scale == insight.Choices {
		if i := slices.Index(a.Values, value); i >= 0 {
			return float64(i)
		}
		return math.NaN()
	}
	at, _ := number(value)
	first, _ := number(a.Values[0])
	last, _ := number(a.Values[len(a.Values)-1])
	if at < first || at > last { // of an earlier range
		return math.NaN()
	}
	return at
}

// turned returns a chart with the axes the other way round, so that the names of choices are easy to read.
func turned(c *chart.Chart) *chart.Chart {
	t := &chart.Chart{Title: c.Title, X: c.Y, Y: c.X}
	t.Y.Label = ""
	for _, m := range c.Marks {
		switch m := m.(type) {
		case chart.Points:
			m.X, m.Y = m.Y, m.X
			t.Marks = append(t.Marks, m)
		case chart.Line:
			m.X, m.Y = m.Y, m.X
			t.Marks = append(t.Marks, m)
		}
	}
	return t
}
