package report

import (
	"fmt"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
)

// importance shows what share of the variation each parameter explains.
func (s *study) importance() *section {
	if s.model == nil {
		return nil
	}
	c := &chart.Chart{
		Title: "The share of the variation that each parameter explains",
		X:     chart.Scale{Label: "share of the variation, %", High: 1},
		Y:     chart.Scale{Kind: chart.Choices},
	}
	alone := chart.Boxes{Entry: chart.Entry{Style: chart.Share, Name: "alone"}}
	joint := chart.Boxes{Entry: chart.Entry{Style: chart.Joint, Name: "together with others"}}
	good := chart.Points{Entry: chart.Entry{Style: chart.Pick, Name: "of what makes the best quarter better"}}
	shares := s.model.Importance()
	if len(shares) == 0 || shares[0].Overall == 0 { // as with one trial
		return &section{ID: "importance", Title: "Which parameters matter", Text: []string{sentence(s.model.ImportanceSummary())}}
	}
	for i, share := range shares[:min(maxNamed, len(shares))] {
		c.Y.Choices = append(c.Y.Choices, share.Param)
		// Of a parameter that is not always active, its part in the whole.
		main, whole := 0.0, share.Overall
		if share.Total > 0 {
			main = share.Main / share.Total * whole
		}
		title := fmt.Sprintf("%s: %.0f %% alone, %.0f %% with others", share.Param, 100*main, 100*whole)
		at := float64(i)
		if main > 0 {
			alone.Boxes = append(alone.Boxes, chart.Box{X0: 0, X1: 100 * main, Y0: at - halfBar, Y1: at + halfBar, Title: title})
		}
		if whole > main {
			joint.Boxes = append(joint.Boxes, chart.Box{X0: 100 * main, X1: 100 * whole, Y0: at - halfBar, Y1: at + halfBar, Title: title})
		}
		if share.Good > 0 {
			good.X, good.Y = append(good.X, 100*share.Good), append(good.Y, at)
			good.Titles = append(good.Titles, fmt.Sprintf("%s: %.0f %% of what makes the best quarter better", share.Param, 100*share.Good))
		}
		c.X.High = max(c.X.High, 100*whole, 100*share.Good)
	}
	c.X.High = min(100, 1.05*c.X.High)
	caption := "Sobol's indices under the model, over the whole space. What several parameters do together counts for each of them, so that bars may add up to more than 100 %. " +
		"Marks are shares of what makes the best quarter of the space better: where one choice makes everything bad, they say what matters besides."
	if len(shares) > maxNamed {
		caption += fmt.Sprintf(" Of %d parameters, the %d that explain the most have bars.", len(shares), maxNamed)
	}
	c.Marks = []chart.Mark{alone, joint, good}
	section := &section{
		ID: "importance", Title: "Which parameters matter",
		Text:    []string{s.model.ImportanceSummary() + "."},
		Figures: []figure{{Wide: true, Chart: c, Caption: caption}},
	}
	if s.limited() {
		section.Text = append(section.Text, "Predictions and interactions are of the value alone, too: where it is best, a limit may be violated. What each limit depends on stands with the limits.")
	}
	return section
}
