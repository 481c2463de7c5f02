package lookup

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Asked returns the parameter as trials are asked for it: an ordinal one as the
// index of its value, or as one of choices that read as numbers. An int on a
// logarithmic scale is asked for as a float, since Goptuna has no such ints.
func (q Param) Asked(choices bool) problems.Param {
	switch {
	case q.Type == "categorical":
		return problems.Choice(q.Name, q.Choices...)
	case q.Type == "ordinal" && (choices || len(q.Values) == 1):
		var texts []string
		for _, x := range q.Values {
			texts = append(texts, strconv.FormatFloat(x, 'f', -1, 64))
		}
		return problems.Choice(q.Name, texts...)
	case q.Type == "ordinal":
		return problems.Int(q.Name, 0, len(q.Values)-1)
	case q.Type == "int" && !q.Log:
		return problems.Int(q.Name, int(q.Low), int(q.High))
	}
	return problems.Param{Name: q.Name, Low: q.Low, High: q.High, Log: q.Log}
}

// parse reads a value of the CSV file: the level of a discrete parameter, the
// number of a continuous one.
func (q Param) parse(text string) (float64, error) {
	if q.Type == "categorical" {
		level := slices.Index(q.Choices, text)
		if level < 0 {
			return 0, fmt.Errorf("%s = %q is no choice", q.Name, text)
		}
		return float64(level), nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", q.Name, err)
	}
	if q.Type == "ordinal" {
		level := slices.Index(q.Values, x)
		if level < 0 {
			return 0, fmt.Errorf("%s = %s is none of its values", q.Name, text)
		}
		return float64(level), nil
	}
	if !(x >= q.Low && x <= q.High) || q.Type == "int" && x != math.Trunc(x) {
		return 0, fmt.Errorf("%s = %s is not in its range", q.Name, text)
	}
	if q.Type == "int" && !q.Log {
		return x - q.Low, nil
	}
	return x, nil
}

// unit returns what parse does on a scale from 0 to 1, that of a categorical
// parameter as it is.
func (q Param) unit(x float64) float64 {
	switch {
	case q.Type == "categorical":
		return x
	case q.Type == "ordinal":
		return x / math.Max(1, float64(len(q.Values)-1))
	case q.Log:
		return math.Log(x/q.Low) / math.Log(q.High/q.Low)
	case q.Type == "int":
		return x / (q.High - q.Low)
	}
	return (x - q.Low) / (q.High - q.Low)
}
