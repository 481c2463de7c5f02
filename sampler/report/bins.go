package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
)

// bins is the number of parts of a range.
const bins = 5

// binning returns the choices of a parameter, or the parts of its range, and a function that returns the bin of a value: -1
// for a value of another kind than the parameter has now.
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
	kind := chart.Linear
	if logarithmic {
		kind = chart.Log
	}
	to, from := laidOut(kind)
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
