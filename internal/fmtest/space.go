package fmtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/c-bata/goptuna"
)

// Param is a parameter that an objective asks for.
type Param struct {
	Name         string
	Distribution any
}

// Mixed has a parameter of each of Goptuna's six distributions, ints both as
// levels of a dimension (units) and as vertices of a path (layers).
func Mixed() []Param {
	return []Param{
		{"dropout", goptuna.UniformDistribution{Low: -1, High: 2}},
		{"rate", goptuna.LogUniformDistribution{Low: 1e-5, High: 1}},
		{"units", goptuna.IntUniformDistribution{Low: 1, High: 64}},
		{"layers", goptuna.StepIntUniformDistribution{Low: 2, High: 14, Step: 3}},
		{"momentum", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.25}},
		{"kind", goptuna.CategoricalDistribution{Choices: []string{"tanh", "relu", "gelu"}}},
	}
}

// MixedValue is separable: each parameter has its best value whatever the
// others are. The minimum is 0.
func MixedValue(x map[string]float64) float64 {
	return sq(x["dropout"]-0.3) + sq(math.Log10(x["rate"])+2)/4 + sq((x["units"]-40)/40) +
		sq((x["layers"]-8)/6) + sq(x["momentum"]-0.75) + []float64{0.4, 0, 0.2}[int(x["kind"])]
}

func sq(x float64) float64 { return x * x }

// Space returns the params as Goptuna's StudyOptionDefineSearchSpace takes them.
func Space(params []Param) map[string]any {
	m := make(map[string]any, len(params))
	for _, p := range params {
		m[p.Name] = p.Distribution
	}
	return m
}

// Ask is an objective that asks for the params in order, and then returns the
// value at what it was given. Categorical parameters are given by index.
func Ask(params []Param, value func(x map[string]float64) float64) goptuna.FuncObjective {
	return func(trial goptuna.Trial) (float64, error) {
		x, err := Suggest(&trial, params...)
		if err != nil {
			return 0, err
		}
		return value(x), nil
	}
}

// Suggest asks for the params in order.
func Suggest(trial *goptuna.Trial, params ...Param) (x map[string]float64, err error) {
	x = make(map[string]float64, len(params))
	for _, p := range params {
		if x[p.Name], err = SuggestOne(trial, p); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// SuggestOne asks for a param and returns its internal value: a choice is given by index.
func SuggestOne(trial *goptuna.Trial, p Param) (float64, error) {
	value, err := SuggestExternal(trial, p)
	switch v := value.(type) {
	case int:
		return float64(v), err
	case string:
		return float64(slices.Index(p.Distribution.(goptuna.CategoricalDistribution).Choices, v)), err
	case float64:
		return v, err
	}
	return 0, err
}

// SuggestExternal asks for a param and returns what an objective gets: a float64, an int,
// or the text of a choice.
func SuggestExternal(trial *goptuna.Trial, p Param) (any, error) {
	switch d := p.Distribution.(type) {
	case goptuna.UniformDistribution:
		return trial.SuggestFloat(p.Name, d.Low, d.High)
	case goptuna.LogUniformDistribution:
		return trial.SuggestLogFloat(p.Name, d.Low, d.High)
	case goptuna.DiscreteUniformDistribution:
		return trial.SuggestDiscreteFloat(p.Name, d.Low, d.High, d.Q)
	case goptuna.IntUniformDistribution:
		return trial.SuggestInt(p.Name, d.Low, d.High)
	case goptuna.StepIntUniformDistribution:
		return trial.SuggestStepInt(p.Name, d.Low, d.High, d.Step)
	case goptuna.CategoricalDistribution:
		return trial.SuggestCategorical(p.Name, d.Choices)
	}
	return nil, fmt.Errorf("no way to suggest a %T", p.Distribution)
}
