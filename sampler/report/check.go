package report

import (
	"fmt"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

// check shows each observed value against what the model predicts for it from all other trials.
func (s *study) check() *section {
	if s.model == nil {
		return nil
	}
	c := &chart.Chart{Title: "Observed against predicted values", X: s.all, Y: s.all}
	c.X.Label, c.Y.Label = "predicted from all other trials", "observed"
	inside := chart.Points{Entry: chart.Entry{Style: chart.Trial, Name: "a trial"}}
	outside := chart.Points{Entry: chart.Entry{Style: chart.Bad, Name: "outside of its interval"}}
	var at, lo, hi []float64
	left := s.model.LeaveOneOut()
	for _, l := range left {
		to := &inside
		if !l.Inside() {
			to = &outside
		}
		to.Add(l.Predicted.Value, l.Observed, fmt.Sprintf("trial %d: %s observed, %s predicted (90 %%: %s to %s)", l.Number,
			chart.Number(l.Observed), chart.Number(l.Predicted.Value), chart.Number(l.Predicted.Low), chart.Number(l.Predicted.High)))
		at, lo, hi = append(at, l.Observed), append(lo, l.Predicted.Low), append(hi, l.Predicted.High)
	}
	ends := []float64{s.all.Low, s.all.High}
	c.Marks = []chart.Mark{
		chart.Line{Entry: chart.Entry{Style: chart.Rule, Name: "as predicted"}, X: ends, Y: ends},
		chart.Whiskers(chart.Entry{Style: chart.Whisker, Name: "90 %"}, at, lo, hi, true),
		inside,
	}
	if len(outside.X) > 0 {
		c.Marks = append(c.Marks, outside)
	}
	section := &section{
		ID: "predictions", Title: "How well the model predicts",
		Text: []string{sentence(s.model.String()), sentence(s.model.Skill().String()), fmt.Sprintf("The intervals drawn are the adjusted ones: %d of %s lie outside of theirs.",
			len(outside.X), words.Count(len(left), "trial"))},
		Figures: []figure{{Chart: c, Caption: s.allNote}},
	}
	if noise := s.model.NoiseSummary(); noise != "" {
		section.Text = append(section.Text, sentence(noise))
	}
	return section
}
