package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

const (
	// maxLimits is the number of constraints that are drawn: those that most trials violate.
	maxLimits = 6
	// logQuantities is the ratio of the largest to the smallest positive quantity from which its axis is logarithmic.
	logQuantities = 20
)

// A limit is a constraint in all trials that have measured it.
type limit struct {
	name            string
	at              []measured
	violated, alone int // how many violate it, and how many it alone
}

// measured is a trial with a quantity that has a limit.
type measured struct {
	goptuna.FrozenTrial
	history.Quantity
	value    float64  // of the objective, NaN if there is none
	exceeded []string // the constraints that the trial violates
}

// limited reports whether trials have measured what has a limit.
func (s *study) limited() bool {
	return slices.ContainsFunc(s.trials, func(t goptuna.FrozenTrial) bool { return len(history.MeasurementOf(t.SystemAttrs).Quantities) > 0 })
}

// limitsDepend says on which parameters each limit depends, as far as there are models.
func (s *study) limitsDepend(h *history.History, options []insight.Option) map[string]string {
	var limits []insight.LimitImportance
	switch {
	case s.model != nil:
		limits = s.model.LimitImportance()
	case errors.Is(s.why, insight.ErrNoValue) && s.limited():
		limits, _ = insight.LimitsOf(h, options...) // without, the report is shorter
	}
	depends := map[string]string{}
	for _, l := range limits {
		depends[l.Limit] = together(l.String())
	}
	return depends
}

// limits says which constraints rule trials out, and what the values beyond are.
func (s *study) limits() *section {
	limits, violations, trials := s.measuredLimits()
	if len(limits) == 0 {
		return nil
	}
	section := &section{ID: "limits", Title: "Limits", Table: &table{Head: []string{"limit", "violated", "violated alone"}}}
	history.ScaleViolations(violations)
	sums := history.SumViolations(violations)
	within, nearest := 0, -1
	for i, t := range trials {
		if hasValue(t) {
			within++
		} else if infeasible(t) && (nearest < 0 || sums[i] < sums[nearest]) {
			nearest = i
		}
	}
	section.Text = []string{fmt.Sprintf("Within all limits: %d of %s.", within, words.Count(len(trials), "trial"))}
	if within == 0 && nearest >= 0 {
		t := trials[nearest]
		section.Text = []string{"No trial is within all limits.", fmt.Sprintf("Trial %d comes nearest: %s.", t.Number, t.UserAttrs[history.LimitsAttr])}
	}
	for _, e := range s.edits {
		section.Text = append(section.Text, fmt.Sprintf("From trial %d on %s may be %s, for %s before: all trials are shown as they are within the new limit.",
			e.Number, e.Name, e.New.Bound(), e.Old.Bound()))
	}
	if len(s.depends) > 0 {
		section.Table.Head = append(section.Table.Head, "depends on")
		section.Text = append(section.Text, "The last column has the parameters that what was measured depends on, with their shares of its variation over the whole space.")
	}
	for i, l := range limits {
		row := []string{l.String(), fmt.Sprintf("%d of %d", l.violated, len(l.at)), fmt.Sprint(l.alone)}
		if len(s.depends) > 0 {
			row = append(row, cmp.Or(s.depends[l.name], "not known"))
		}
		section.Table.Rows = append(section.Table.Rows, row)
		if i >= maxLimits || l.violated == 0 {
			continue
		}
		if f, ok := s.limitFigure(l); ok {
			section.Figures = append(section.Figures, f)
		}
	}
	if len(section.Figures) > 0 {
		section.Text = append(section.Text, "The value of a trial that is beyond one limit alone is what a looser one would allow.")
	}
	return section
}

// measuredLimits returns the constraints, those first that more trials violate, and the trials that have measured any, with
// their violations.
func (s *study) measuredLimits() (limits []*limit, violations []history.Violations, trials []goptuna.FrozenTrial) {
	of := map[string]*limit{}
	for _, t := range s.trials {
		m := history.MeasurementOf(t.SystemAttrs)
		if !t.State.IsFinished() || len(m.Quantities) == 0 {
			continue
		}
		value := math.NaN()
		if m.Value != nil {
			value = *m.Value
		}
		v := m.Violations()
		exceeded := v.Exceeded()
		violations, trials = append(violations, v), append(trials, t)
		for name, q := range m.Quantities {
			if of[name] == nil {
				of[name] = &limit{name: name}
			}
			l := of[name]
			l.at = append(l.at, measured{t, q, value, exceeded})
			if v[name] > 0 {
				l.violated++
				if len(exceeded) == 1 {
					l.alone++
				}
			}
		}
	}
	limits = slices.SortedFunc(maps.Values(of), func(a, b *limit) int {
		return cmp.Or(cmp.Compare(b.violated, a.violated), cmp.Compare(a.name, b.name))
	})
	return limits, violations, trials
}

// constant reports whether all trials have the same limit.
func (l *limit) constant() bool {
	return !slices.ContainsFunc(l.at, func(m measured) bool { return m.Limit != l.at[0].Limit || m.Least != l.at[0].Least })
}

// String names the constraint, with its limit if it has one.
func (l *limit) String() string {
	if !l.constant() {
		return l.name
	}
	return l.name + " " + l.at[0].Bound()
}

// limitFigure shows the value against what was measured, beside the limit. It reports false where no trial has a value.
func (s *study) limitFigure(l *limit) (f figure, ok bool) {
	line, at := l.at[0].Limit, func(m measured) float64 { return m.Measured }
	c := &chart.Chart{Title: "Value against " + l.name, X: chart.Scale{Label: l.name}}
	if !l.constant() {
		line, at, c.X.Label = 0, func(m measured) float64 { return m.Violation() }, l.name+", beyond its limit"
	}
	var quantities, values []float64
	inside := chart.Points{Entry: chart.Entry{Style: chart.Trial, Name: "within all limits"}}
	alone := chart.Points{Entry: chart.Entry{Style: chart.Bad, Name: "beyond this limit alone"}}
	others := chart.Points{Entry: chart.Entry{Style: chart.Pruned, Name: "beyond another"}}
	for _, m := range l.at {
		if math.IsNaN(m.value) {
			continue
		}
		x, to := at(m), &inside
		switch {
		case slices.Equal(m.exceeded, []string{l.name}):
			to = &alone
		case len(m.exceeded) > 0:
			to = &others
		}
		to.Add(x, m.value, fmt.Sprintf("trial %d: %s, %s = %s", m.Number, chart.Number(m.value), l.name, chart.Number(m.Measured)))
		quantities, values = append(quantities, x), append(values, m.value)
	}
	if len(values) == 0 {
		return f, false
	}
	c.X, f.Caption = quantityScale(c.X, quantities, line)
	var note string
	if c.Y, note = s.valueScale(values); note != "" {
		f.Caption = strings.TrimSpace(f.Caption + " " + note)
	}
	for _, points := range []chart.Points{inside, others, alone} {
		if len(points.X) > 0 {
			c.Marks = append(c.Marks, points)
		}
	}
	c.Marks = append(c.Marks, chart.Line{Entry: chart.Entry{Style: chart.Rule, Name: "the limit"}, X: []float64{line, line}, Y: []float64{c.Y.Low, c.Y.High}})
	f.Title, f.Chart = l.name, c
	return f, true
}

// quantityScale returns the axis of a quantity, which has its limit and ends before what is far beyond most others, as the
// note says then.
func quantityScale(axis chart.Scale, quantities []float64, line float64) (scale chart.Scale, note string) {
	slices.Sort(quantities)
	n := len(quantities)
	scale = axis
	scale.Low, scale.High = min(quantities[0], line), max(quantities[n-1], line)
	if scale.Low > 0 && scale.High/scale.Low > logQuantities {
		scale.Kind = chart.Log
	}
	to, from := laidOut(scale.Kind)
	least, most := to(quantities[n/10]), to(quantities[n*9/10])
	if room := most - least; room > 0 {
		if to(scale.Low) < least-cutFrom*room {
			scale.Low = min(from(least-room), line)
		}
		if to(scale.High) > most+cutFrom*room {
			scale.High = max(from(most+room), line)
		}
	}
	beyond := 0
	for _, x := range quantities {
		if x < scale.Low || x > scale.High {
			beyond++
		}
	}
	if beyond > 0 {
		note = fmt.Sprintf("What %s measured, far beyond most, is drawn at the edge.", words.Count(beyond, "trial"))
	}
	return widened(scale), note
}
