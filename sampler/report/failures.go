package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

const (
	// maxListed is the number of failures up to which they are listed one by one. Of more, the reasons and the parameters in
	// which they differ most are shown, up to maxReasons and maxRates.
	maxListed, maxReasons, maxRates = 5, 6, 3
	// minContrast is what a parameter must have to be shown: see rate.
	minContrast = 2
)

// failures says how many trials have failed, why, and where.
func (s *study) failures() *section {
	section := &section{ID: "failures", Title: "Failures"}
	reasons := map[string]int{}
	failures, beyond, finished := 0, 0, 0
	for _, t := range s.trials {
		if !t.State.IsFinished() || interrupted(t) {
			continue
		}
		finished++
		if failed(t) {
			failures++
			reasons[reason(t)]++
			if infeasible(t) {
				beyond++
			}
		}
	}
	if failures == 0 {
		section.Text = []string{"No trial has failed."}
		return section
	}
	text := fmt.Sprintf("%d of %s failed", failures, words.Count(finished, "finished trial"))
	switch {
	case beyond == failures:
		text = fmt.Sprintf("%d of %s are beyond a limit; none failed otherwise", beyond, words.Count(finished, "finished trial"))
	case beyond > 0:
		text += fmt.Sprintf(", %d of them beyond a limit", beyond)
	}
	section.Text = []string{text + "."}
	if failures <= maxListed {
		section.Table = s.listFailed()
		return section
	}
	section.Table = &table{Head: []string{"reason", "trials"}}
	named := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(reasons[b], reasons[a]), cmp.Compare(a, b))
	})
	for i, reason := range named {
		if i == maxReasons {
			section.Table.Rows = append(section.Table.Rows, []string{words.Count(len(named)-i, "other reason"), "…"})
			break
		}
		section.Table.Rows = append(section.Table.Rows, []string{reason, strconv.Itoa(reasons[reason])})
	}
	for _, r := range s.failureRates() {
		section.Figures = append(section.Figures, figure{Title: "Failures by " + r.param, Chart: r.chart(float64(failures) / float64(finished))})
	}
	return section
}

// listFailed lists every failed trial.
func (s *study) listFailed() *table {
	list := &table{Head: []string{"trial", "reason", "with"}}
	for _, t := range s.trials {
		if !failed(t) {
			continue
		}
		var params []string
		for _, name := range slices.Sorted(maps.Keys(t.Params)) {
			params = append(params, name+" = "+words.Value(t.Params[name]))
		}
		list.Rows = append(list.Rows, []string{strconv.Itoa(t.Number), reason(t), strings.Join(params, ", ")})
	}
	return list
}

// reason returns the constraints that the trial violates, or the first line of why it failed, as much of it as fits.
func reason(t goptuna.FrozenTrial) string {
	if infeasible(t) {
		return chart.Cut("violates "+strings.Join(history.MeasurementOf(t.SystemAttrs).Violations().Exceeded(), ", "), 120)
	}
	if t.State == goptuna.TrialStateComplete {
		return fmt.Sprintf("the value is %v", t.Value)
	}
	line, _, _ := strings.Cut(t.UserAttrs[history.ErrorAttr], "\n")
	if line == "" {
		return "not recorded"
	}
	return chart.Cut(line, 120)
}

// A rate is how often trials have failed, by the values of a parameter.
type rate struct {
	param          string
	labels         []string
	failed, trials []int
	contrast       float64 // between the values, as pearson returns it
}

// failureRates returns those parameters in which failures differ most.
func (s *study) failureRates() []rate {
	names := map[string]bool{}
	for _, t := range s.trials {
		for name := range t.Params {
			names[name] = true
		}
	}
	var rates []rate
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if r := s.failureRate(name); r.contrast > minContrast {
			rates = append(rates, r)
		}
	}
	slices.SortStableFunc(rates, func(a, b rate) int { return cmp.Compare(b.contrast, a.contrast) })
	return rates[:min(maxRates, len(rates))]
}

func (s *study) failureRate(param string) rate {
	labels, binOf := s.binning(param)
	r := rate{param: param, labels: labels}
	r.failed, r.trials = make([]int, len(r.labels)), make([]int, len(r.labels))
	failures, trials := 0.0, 0.0
	for _, t := range s.trials {
		value, ok := t.Params[param]
		if !ok || !t.State.IsFinished() || interrupted(t) {
			continue
		}
		i := binOf(value)
		if i < 0 {
			continue
		}
		r.trials[i]++
		trials++
		if failed(t) {
			r.failed[i]++
			failures++
		}
	}
	r.contrast = r.pearson(failures, trials)
	return r
}

// pearson returns Pearson's χ² for no difference between the values, per degree of freedom, where so many of all trials failed.
func (r rate) pearson(failures, trials float64) (sum float64) {
	freedom := -1.0
	for i, n := range r.trials {
		if n == 0 {
			continue
		}
		freedom++
		for _, outcome := range []struct{ observed, all float64 }{
			{float64(r.failed[i]), failures}, {float64(n - r.failed[i]), trials - failures},
		} {
			if expected := float64(n) * outcome.all / trials; expected > 0 {
				sum += (outcome.observed - expected) * (outcome.observed - expected) / expected
			}
		}
	}
	return sum / max(1, freedom)
}

// chart shows the share of the failed trials at each value, beside that of all.
func (r rate) chart(overall float64) *chart.Chart {
	c := &chart.Chart{
		Title: "Share of the trials that failed, by " + r.param,
		X:     chart.Scale{Label: "failed, %", Low: 0, High: 100},
		Y:     chart.Scale{Kind: chart.Choices},
	}
	boxes := chart.Boxes{Entry: chart.Entry{Style: chart.Bad, Name: "failed, of all trials with the value"}}
	for i, label := range r.labels {
		c.Y.Choices = append(c.Y.Choices, words.Value(label))
		if r.trials[i] > 0 && r.failed[i] > 0 {
			boxes.Boxes = append(boxes.Boxes, chart.Box{
				X1: 100 * float64(r.failed[i]) / float64(r.trials[i]), Y0: float64(i) - halfBar, Y1: float64(i) + halfBar,
				Title: fmt.Sprintf("%s: %d of %s failed", brief(label), r.failed[i], words.Count(r.trials[i], "trial")),
			})
		}
	}
	last := float64(len(r.labels)) - 0.5
	c.Marks = []chart.Mark{boxes, chart.Line{Entry: chart.Entry{Style: chart.Rule, Name: "of all trials"},
		X: []float64{100 * overall, 100 * overall}, Y: []float64{-0.5, last}}}
	return c
}
