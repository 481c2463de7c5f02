package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

const (
	// maxReasons is the number of reasons that are listed, and suspects that of the parameters that are shown.
	maxReasons, suspects = 6, 3
	// few failures are listed one by one, and minContrast is what more have to have in a parameter to be shown.
	few, minContrast = 5, 2
	// bins is the number of parts of a range.
	bins = 5
)

// states says how many trials are in which state.
func (s *study) states() string {
	number := map[string]int{}
	for _, t := range s.trials {
		number[stateOf(t)]++
	}
	var texts []string
	for _, state := range []string{"complete", "pruned", "infeasible", "failed", "running", "waiting", "interrupted"} {
		if n := number[state]; n > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(texts, ", ")
}

// stateOf returns the state of a trial in words: a complete one has a value.
func stateOf(t goptuna.FrozenTrial) string {
	switch {
	case interrupted(t):
		return "interrupted"
	case infeasible(t):
		return "infeasible"
	case failed(t):
		return "failed"
	}
	return strings.ToLower(t.State.String())
}

// interrupted reports whether a trial was stopped with its study, which says nothing about its parameters.
func interrupted(t goptuna.FrozenTrial) bool { return t.SystemAttrs[history.InterruptedAttr] != "" }

// infeasible reports whether a trial has ended beyond a constraint.
func infeasible(t goptuna.FrozenTrial) bool {
	return t.State.IsFinished() && len(history.MeasurementOf(t.SystemAttrs).Violations().Exceeded()) > 0
}

// failed reports whether a trial has failed by itself, ended with a value that is no number, which is the same to the
// sampler, or is infeasible.
func failed(t goptuna.FrozenTrial) bool {
	return t.State == goptuna.TrialStateFail && !interrupted(t) || t.State == goptuna.TrialStateComplete && !hasValue(t)
}

// failures says how many trials have failed, why, and where.
func (s *study) failures() *section {
	section := &section{ID: "failures", Title: "Failures"}
	reasons := map[string]int{}
	failures, finished := 0, 0
	for _, t := range s.trials {
		if !t.State.IsFinished() || interrupted(t) {
			continue
		}
		finished++
		if failed(t) {
			failures++
			reasons[reason(t)]++
		}
	}
	if failures == 0 {
		section.Text = []string{"No trial has failed."}
		return section
	}
	section.Text = []string{fmt.Sprintf("%d of %s failed.", failures, count(finished, "finished trial"))}
	if slices.ContainsFunc(s.trials, infeasible) {
		section.Text = append(section.Text, "A trial that violates a constraint is one of these.")
	}
	if failures <= few {
		section.Table = s.listFailed()
		return section
	}
	section.Table = &table{Head: []string{"reason", "trials"}}
	named := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(reasons[b], reasons[a]), cmp.Compare(a, b))
	})
	for i, reason := range named {
		if i == maxReasons {
			section.Table.Rows = append(section.Table.Rows, []string{count(len(named)-i, "other reason"), "…"})
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
			params = append(params, name+" = "+short(t.Params[name]))
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
	contrast       float64 // between the values: Pearson's statistic for no difference, per degree of freedom
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
	return rates[:min(suspects, len(rates))]
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
	used := -1.0
	for i, n := range r.trials {
		if n == 0 {
			continue
		}
		used++
		for _, k := range [][2]float64{{float64(r.failed[i]), failures}, {float64(n - r.failed[i]), trials - failures}} {
			if expected := float64(n) * k[1] / trials; expected > 0 {
				r.contrast += (k[0] - expected) * (k[0] - expected) / expected
			}
		}
	}
	r.contrast /= max(1, used)
	return r
}

// binning returns the choices of a parameter, or the parts of its range, and a function that tells where a value belongs,
// which is -1 for a value of another kind than the parameter has now.
func (s *study) binning(param string) (labels []string, binOf func(value any) int) {
	var now any
	for _, t := range s.trials {
		if d, ok := t.Distributions[param]; ok {
			now = d
		}
	}
	if _, ok := now.(goptuna.CategoricalDistribution); ok {
		return s.choiceBins(param)
	}
	return s.numberBins(param)
}

// choiceBins has a bin for each choice that the parameter ever had.
func (s *study) choiceBins(param string) (choices []string, binOf func(value any) int) {
	index := map[string]int{}
	for _, t := range s.trials {
		d, _ := t.Distributions[param].(goptuna.CategoricalDistribution)
		for _, choice := range d.Choices {
			if _, ok := index[choice]; !ok {
				index[choice] = len(choices)
				choices = append(choices, choice)
			}
		}
	}
	return choices, func(value any) int {
		if i, ok := index[fmt.Sprint(value)]; ok {
			return i
		}
		return -1
	}
}

// numberBins has a bin for each of a few whole numbers, or for each part of the range, on a logarithmic scale if that is the
// parameter's.
func (s *study) numberBins(param string) (labels []string, binOf func(value any) int) {
	lo, hi, logarithmic, whole := math.Inf(1), math.Inf(-1), true, true
	for _, t := range s.trials {
		x, isInt := number(t.Params[param])
		if math.IsNaN(x) {
			continue
		}
		_, isLog := t.Distributions[param].(goptuna.LogUniformDistribution)
		logarithmic, whole = logarithmic && isLog, whole && isInt
		lo, hi = min(lo, x), max(hi, x)
	}
	if whole && hi-lo < 2*bins {
		for i := range int(hi-lo) + 1 {
			labels = append(labels, strconv.Itoa(int(lo)+i))
		}
		return labels, func(value any) int {
			if x, ok := value.(int); ok {
				return min(len(labels)-1, max(0, x-int(lo))) // beyond 2^53, lo and hi are rounded
			}
			return -1
		}
	}
	to, from := func(x float64) float64 { return x }, func(x float64) float64 { return x }
	if logarithmic {
		to, from = math.Log, math.Exp
	}
	edge := func(i int) float64 { return from(to(lo) + (to(hi)-to(lo))*float64(i)/bins) }
	for i := range bins {
		labels = append(labels, chart.Digits(edge(i), 2)+" to "+chart.Digits(edge(i+1), 2))
	}
	return labels, func(value any) int {
		x, _ := number(value)
		at := (to(x) - to(lo)) / (to(hi) - to(lo)) * bins
		if math.IsNaN(at) {
			return -1
		}
		return min(bins-1, max(0, int(at)))
	}
}

// number returns the value of a parameter that is a number, and whether it is a whole one by its kind.
func number(value any) (x float64, isInt bool) {
	switch value := value.(type) {
	case int:
		return float64(value), true
	case float64:
		return value, false
	}
	return math.NaN(), false
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
		c.Y.Choices = append(c.Y.Choices, label)
		if r.trials[i] > 0 && r.failed[i] > 0 {
			boxes.Boxes = append(boxes.Boxes, chart.Box{
				X1: 100 * float64(r.failed[i]) / float64(r.trials[i]), Y0: float64(i) - 0.3, Y1: float64(i) + 0.3,
				Title: fmt.Sprintf("%s: %d of %s failed", brief(label), r.failed[i], count(r.trials[i], "trial")),
			})
		}
	}
	last := float64(len(r.labels)) - 0.5
	c.Marks = []chart.Mark{boxes, chart.Line{Entry: chart.Entry{Style: chart.Rule, Name: "of all trials"},
		X: []float64{100 * overall, 100 * overall}, Y: []float64{-0.5, last}}}
	return c
}
