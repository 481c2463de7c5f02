package problems

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Kind says what values a parameter takes.
type Kind int

const (
	// Continuous parameters take every value of [Low, High].
	Continuous Kind = iota
	// Ordinal parameters take Levels equally spaced values from Low to High.
	Ordinal
	// Nominal parameters take one of Choices.
	Nominal
)

var kindNames = [...]string{"continuous", "ordinal", "nominal"}

// String returns the name in lower case.
func (k Kind) String() string { return kindNames[k] }

// MarshalText returns what String returns, so that JSON has the name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Param describes one parameter of a problem. As JSON it is an object with the
// keys below and no graph.
type Param struct {
	Name    string   `json:"name"`
	Kind    Kind     `json:"kind"`
	Low     float64  `json:"low"`               // range, both ends included; not for Nominal
	High    float64  `json:"high"`              //
	Log     bool     `json:"log,omitempty"`     // the logarithm is what counts; only for Continuous
	Levels  int      `json:"levels,omitempty"`  // number of values; not for Continuous
	Choices []string `json:"choices,omitempty"` // names of the levels, len Levels; only for Nominal

	// Graph says which choices of a nominal parameter are alike; nil means all
	// the same, a complete graph.
	Graph *graphs.Graph `json:"-"`
}

// Condition says that there is a parameter only where another, a nominal one before it, has
// one of some choices. A parameter may have several, which all must hold.
type Condition struct {
	Param   string   `json:"param"`
	Parent  string   `json:"parent"`
	Choices []string `json:"choices"`
}

// step returns the distance between neighbouring values of an ordinal parameter.
func (q *Param) step() float64 { return (q.High - q.Low) / float64(q.Levels-1) }

// value returns the grid value of an ordinal parameter's level.
func (q *Param) value(level int) float64 { return q.Low + float64(level)*q.step() }

// integers tells whether the grid of an ordinal parameter is consecutive integers.
func (q *Param) integers() bool { return q.step() == 1 && q.Low == math.Trunc(q.Low) }

// level returns the level of the grid value x, or an error when there is none.
func (q *Param) level(x float64) (int, error) {
	level := int(math.Round((x - q.Low) / q.step()))
	if level < 0 || level >= q.Levels || math.Abs(q.value(level)-x) > 1e-9*(q.High-q.Low) {
		return 0, fmt.Errorf("problems: %s = %v is not on its grid", q.Name, x)
	}
	return level, nil
}

// Space is a list of parameters; see the package comment for its points (c, v).
type Space []Param

// Dims returns the numbers of continuous and of discrete parameters.
func (s Space) Dims() (continuous, discrete int) {
	for _, q := range s {
		if q.Kind == Continuous {
			continuous++
		}
	}
	return continuous, len(s) - continuous
}

// Graphs returns the graph of each discrete parameter: the path for an ordinal
// one, and for a nominal one its own or the complete graph.
func (s Space) Graphs() []*graphs.Graph {
	var gs []*graphs.Graph
	for _, q := range s {
		switch {
		case q.Kind == Ordinal:
			gs = append(gs, graphs.Path(q.Levels))
		case q.Kind == Nominal && q.Graph != nil:
			gs = append(gs, q.Graph)
		case q.Kind == Nominal:
			gs = append(gs, graphs.Complete(q.Levels))
		}
	}
	return gs
}

// Suggest asks the trial for every parameter, in order, and returns the point.
//
// Continuous parameters are asked for by SuggestFloat, or SuggestLogFloat,
// nominal ones by SuggestCategorical, and ordinal ones by SuggestInt if their values are
// consecutive integers and by SuggestDiscreteFloat otherwise.
func (s Space) Suggest(trial *goptuna.Trial) (c []float64, v []int, err error) {
	for i := range s {
		q := &s[i]
		if q.Kind == Continuous {
			suggest := trial.SuggestFloat
			if q.Log {
				suggest = trial.SuggestLogFloat
			}
			x, err := suggest(q.Name, q.Low, q.High)
			if err != nil {
				return nil, nil, err
			}
			c = append(c, x)
			continue
		}
		level, err := q.suggestLevel(trial)
		if err != nil {
			return nil, nil, err
		}
		v = append(v, level)
	}
	return c, v, nil
}

// suggestLevel asks for a discrete parameter and returns its level.
func (q *Param) suggestLevel(trial *goptuna.Trial) (int, error) {
	if q.Kind == Nominal {
		choice, err := trial.SuggestCategorical(q.Name, q.Choices)
		if err != nil {
			return 0, err
		}
		return slices.Index(q.Choices, choice), nil
	}
	if q.integers() {
		x, err := trial.SuggestInt(q.Name, int(q.Low), int(q.High))
		return x - int(q.Low), err
	}
	x, err := trial.SuggestDiscreteFloat(q.Name, q.Low, q.High, q.step())
	if err != nil {
		return 0, err
	}
	return q.level(x)
}

// InOrder returns the numbers c and the levels v of a point in the order of the
// parameters.
func (s Space) InOrder(c []float64, v []int) []float64 {
	x := make([]float64, len(s))
	for i := range s {
		if s[i].Kind == Continuous {
			x[i], c = c[0], c[1:]
		} else {
			x[i], v = float64(v[0]), v[1:]
		}
	}
	return x
}

// Numbers returns a point in the order of the parameters, as formulas take it: of an ordinal
// parameter it has the value, of a nominal one the level.
func (s Space) Numbers(c []float64, v []int) []float64 {
	x := s.InOrder(c, v)
	for i := range s {
		if s[i].Kind == Ordinal {
			x[i] = s[i].value(int(x[i]))
		}
	}
	return x
}

// At returns the point, as Numbers does, at shares of the ranges, each at least 0 and less
// than 1.
func (s Space) At(shares []float64) []float64 {
	x := make([]float64, len(s))
	for i, u := range shares {
		switch q := &s[i]; {
		case q.Kind == Nominal:
			x[i] = math.Floor(u * float64(q.Levels))
		case q.Kind == Ordinal:
			x[i] = q.value(int(u * float64(q.Levels)))
		case q.Log:
			x[i] = q.Low * math.Pow(q.High/q.Low, u)
		default:
			x[i] = q.Low + u*(q.High-q.Low)
		}
	}
	return x
}

// Values returns the point by name: a string for a nominal parameter, an int
// for an ordinal one whose values are consecutive integers, a float64 for all
// others.
func (s Space) Values(c []float64, v []int) map[string]any {
	values := make(map[string]any, len(s))
	for i := range s {
		q := &s[i]
		if q.Kind == Continuous {
			values[q.Name], c = c[0], c[1:]
			continue
		}
		switch {
		case q.Kind == Nominal:
			values[q.Name] = q.Choices[v[0]]
		case q.integers():
			values[q.Name] = int(q.Low) + v[0]
		default:
			values[q.Name] = q.value(v[0])
		}
		v = v[1:]
	}
	return values
}

// Point is the inverse of Values. A number may be an int or a float64, as it
// comes from JSON. The error names a parameter that is missing or has a value
// outside of its range.
func (s Space) Point(values map[string]any) (c []float64, v []int, err error) {
	for i := range s {
		q := &s[i]
		if q.Kind == Nominal {
			choice, _ := values[q.Name].(string)
			level := slices.Index(q.Choices, choice)
			if level < 0 {
				return nil, nil, fmt.Errorf("problems: %s = %v is no choice", q.Name, values[q.Name])
			}
			v = append(v, level)
			continue
		}
		var x float64
		switch value := values[q.Name].(type) {
		case float64:
			x = value
		case int:
			x = float64(value)
		default:
			return nil, nil, fmt.Errorf("problems: %s = %v is no number", q.Name, value)
		}
		if q.Kind == Ordinal {
			level, err := q.level(x)
			if err != nil {
				return nil, nil, err
			}
			v = append(v, level)
			continue
		}
		if !(x >= q.Low && x <= q.High) {
			return nil, nil, fmt.Errorf("problems: %s = %v is not in [%v, %v]", q.Name, x, q.Low, q.High)
		}
		c = append(c, x)
	}
	return c, v, nil
}

// Float returns a parameter that takes every value of [low, high].
func Float(name string, low, high float64) Param {
	return Param{Name: name, Kind: Continuous, Low: low, High: high}
}

// LogFloat returns one whose logarithm is what counts.
func LogFloat(name string, low, high float64) Param {
	return Param{Name: name, Kind: Continuous, Low: low, High: high, Log: true}
}

// Int returns one that takes the integers from low to high.
func Int(name string, low, high int) Param {
	return ordinal(name, float64(low), float64(high), high-low+1)
}

// Choice returns one that takes one of the choices.
func Choice(name string, choices ...string) Param {
	return Param{Name: name, Kind: Nominal, Levels: len(choices), Choices: choices}
}

func ordinal(name string, low, high float64, levels int) Param {
	return Param{Name: name, Kind: Ordinal, Low: low, High: high, Levels: levels}
}

// nominal names its levels a, b, c, ...: choices that read as numbers would
// tell a sampler that they have an order.
func nominal(name string, levels int) Param {
	return Choice(name, letters(levels)...)
}

// letters returns the first n letters.
func letters(n int) []string { return strings.Split("abcdefghijklmnopqrstuvwxyz"[:n], "") }

// repeat returns count parameters made by param and named prefix1, prefix2, ...
func repeat(prefix string, count int, param func(name string) Param) []Param {
	params := make([]Param, count)
	for i := range params {
		params[i] = param(fmt.Sprintf("%s%d", prefix, i+1))
	}
	return params
}
