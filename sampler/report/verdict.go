package report

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// verdict says which configuration to use, and whether to go on.
func (s *study) verdict() *section {
	section := &section{ID: "recommendation", Title: "Recommendation and advice"}
	switch {
	case len(s.trials) == 0:
		section.Text = []string{"There is no trial yet."}
		return section
	case errors.Is(s.why, insight.ErrNoValue):
		section.Text = []string{"No trial has finished with a value yet, so that there is no recommendation. What follows is known of the trials."}
		if s.limited() {
			section.Text = []string{"No trial is within all limits yet, so that there is no recommendation. What follows is known of the trials."}
		}
		return section
	case s.model == nil:
		section.Text = []string{"There is no model of this study: " + strings.TrimPrefix(s.why.Error(), "fm: ") + "."}
		return section
	}
	r := s.recommended
	section.Text = []string{sentence(r.String()), sentence(s.model.Advice().String())}
	limited := false
	for _, t := range s.trials {
		if limits := t.UserAttrs[history.LimitsAttr]; limits != "" && (t.Number == r.Number || t.Number == r.Best) {
			limited = true
			section.Text = append(section.Text, fmt.Sprintf("Trial %d has measured: %s.", t.Number, limits))
		}
	}
	same := r.Number == r.Best
	section.Table = &table{Head: []string{"parameter", "recommended"}}
	if !same {
		section.Table.Head = append(section.Table.Head, fmt.Sprintf("best trial (%d)", r.Best))
	}
	names := maps.Clone(r.Params)
	maps.Copy(names, r.BestParams)
	add := func(name string, recommended, best any) {
		row := []string{name, words.Value(recommended)}
		if !same {
			row = append(row, words.Value(best))
		}
		section.Table.Rows = append(section.Table.Rows, row)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		add(name, orDash(r.Params, name), orDash(r.BestParams, name))
	}
	add("value expected", r.Objective, r.BestObjective)
	if limited {
		add("within the limits, if measured again", words.Probability(r.Feasible), words.Probability(r.BestFeasible))
	}
	return section
}

// orDash returns the value of a parameter, or a dash where it is not active.
func orDash(params map[string]any, name string) any {
	if value, ok := params[name]; ok {
		return value
	}
	return "–"
}
