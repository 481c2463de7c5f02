package report

import (
	"fmt"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

// history shows the value of every trial, and the best so far.
func (s *study) history() *section {
	c := &chart.Chart{
		Title: "The value of each trial, and the best so far",
		X:     chart.Scale{Label: "trial", Low: -0.5, High: 0.5, Whole: true},
		Y:     s.scale,
	}
	if n := len(s.trials); n > 0 {
		c.X.High = float64(s.trials[n-1].Number) + 0.5
	}
	worst := s.scale.High // where trials without a value are
	if s.sign < 0 {
		worst = s.scale.Low
	}
	complete := chart.Points{Entry: chart.Entry{Style: chart.Trial, Name: "a trial"}}
	pruned := chart.Points{Entry: chart.Entry{Style: chart.Pruned, Name: "pruned, at the edge"}}
	bad := chart.Points{Entry: chart.Entry{Style: chart.Bad, Name: s.badStates() + ", at the edge"}}
	best := chart.Line{Entry: chart.Entry{Style: chart.Best, Name: "best so far"}}
	for _, t := range s.trials {
		x := float64(t.Number)
		switch stateOf(t) {
		case "complete":
			complete.Add(x, t.Value, describe(t))
			n := len(best.Y)
			if n > 0 && s.sign*t.Value >= s.sign*best.Y[n-1] {
				continue
			}
			if n > 0 {
				best.Add(x, best.Y[n-1]) // a step
			}
			best.Add(x, t.Value)
		case "pruned":
			pruned.Add(x, worst, describe(t))
		case "failed", "infeasible":
			bad.Add(x, worst, describe(t))
		}
	}
	for _, points := range []chart.Points{complete, pruned, bad} {
		if len(points.X) > 0 {
			c.Marks = append(c.Marks, points)
		}
	}
	if n := len(best.Y); n > 0 {
		best.Add(c.X.High, best.Y[n-1])
		c.Marks = append(c.Marks, best)
	}
	if len(complete.X) == 0 { // there is no axis of values, and other sections have the trials
		return nil
	}
	section := &section{ID: "history", Title: "History", Figures: []figure{{Wide: true, Chart: c, Caption: s.note}}}
	if t, ok := s.best(); ok {
		section.Text = []string{fmt.Sprintf("The best value, %s, was found in trial %d; %s came after it.",
			s.written(t.Value), t.Number, words.Count(s.trials[len(s.trials)-1].Number-t.Number, "trial"))}
	}
	return section
}
