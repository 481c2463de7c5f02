package fmtest

import (
	"testing"

	"github.com/c-bata/goptuna"
)

// Singles returns parameters with one value, and a value for Ask that checks
// that each of them has got it.
func Singles(t *testing.T) (params []Param, value func(x map[string]float64) float64) {
	singles := []struct {
		Param
		want float64
	}{
		{Param{"float", goptuna.UniformDistribution{Low: 0.3, High: 0.3}}, 0.3},
		{Param{"log", goptuna.LogUniformDistribution{Low: 1e-7, High: 1e-7}}, 1e-7},
		{Param{"int", goptuna.IntUniformDistribution{Low: -2, High: -2}}, -2},
		{Param{"step int", goptuna.StepIntUniformDistribution{Low: 4, High: 4, Step: 2}}, 4},
		{Param{"step beyond", goptuna.StepIntUniformDistribution{Low: 4, High: 6, Step: 5}}, 4},
		{Param{"step to the end", goptuna.StepIntUniformDistribution{Low: 0, High: 5, Step: 5}}, 0},
		{Param{"discrete", goptuna.DiscreteUniformDistribution{Low: 0.5, High: 0.5, Q: 0.1}}, 0.5},
		{Param{"wide q", goptuna.DiscreteUniformDistribution{Low: 0.5, High: 0.55, Q: 0.1}}, 0.5},
		{Param{"choice", goptuna.CategoricalDistribution{Choices: []string{"only"}}}, 0},
	}
	for _, single := range singles {
		params = append(params, single.Param)
	}
	return params, func(x map[string]float64) float64 {
		for _, single := range singles {
			if x[single.Name] != single.want {
				t.Errorf("%s = %v, want %v", single.Name, x[single.Name], single.want)
			}
		}
		return x["dropout"]
	}
}
