package report

import (
	"fmt"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
)

// history shows the value of every trial, and the best so far.
func (s *study) history() *section {
	scale, note := s.valueScale()
	c := &chart.Chart{
		Title: "The value of each trial, and the best so far",
		X:     chart.Scale{Label: "trial", Low: -0.5, High: 0.5, Whole: true},
		Y:     scale,
	}
	if n := len(s.trials); n > 0 {
		c.X.High = float64(s.trials[n-1].Number) + 0.5
	}
	worst := scale.High // where trials without a value are
	if s.sign < 0 {
		worst = scale.Low
	}
	complete, pruned, bad := chart.Points{}, chart.Points{}, chart.Points{}
	best := chart.Line{Entry: chart.Entry{Style: chart.Best, Name: "best so far"}}
	var least float64
	for _, t := range s.trials {
		to, y := &bad, worst
		switch {
		case hasValue(t):
			to, y = &complete, t.Value
			if len(best.X) == 0 || s.sign*y < s.sign*least {
				if len(best.X) > 0 {
					best.X, best.Y = append(best.X, float64(t.Number)), append(best.Y, least)
				}
				least = y
				best.X, best.Y = append(best.X, float64(t.Number)), append(best.Y, least)
			}
		case t.State == goptuna.TrialStatePruned:
			to = &pruned
		case !failed(t):
			continue
		}
		to.X, to.Y, to.Titles = append(to.X, float64(t.Number)), append(to.Y, y), append(to.Titles, describe(t))
	}
	if len(best.X) > 0 {
		best.X, best.Y = append(best.X, c.X.High), append(best.Y, least)
	}
	for _, kind := range []struct {
		points *chart.Points
		entry  chart.Entry
	}{
		{&complete, chart.Entry{Style: chart.Trial, Name: "a trial"}},
		{&pruned, chart.Entry{Style: chart.Pruned, Name: "pruned, at the edge"}},
		{&bad, chart.Entry{Style: chart.Bad, Name: "failed, at the edge"}},
	} {
		if len(kind.points.X) > 0 {
			kind.points.Entry = kind.entry
			c.Marks = append(c.Marks, *kind.points)
		}
	}
	c.Marks = append(c.Marks, best)
	section := &section{ID: "history", Title: "History", Figures: []figure{{Wide: true, Chart: c, Caption: note}}}
	if t, ok := s.best(); ok {
		section.Text = []string{fmt.Sprintf("The best value, %s, was found in trial %d; %s came after it.",
			chart.Number(t.Value), t.Number, count(s.trials[len(s.trials)-1].Number-t.Number, "trial"))}
	}
	return section
}
