package space_test

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

func TestCommon(t *testing.T) {
	floats := func(low, high float64) any { return goptuna.UniformDistribution{Low: low, High: high} }
	logs := func(low, high float64) any { return goptuna.LogUniformDistribution{Low: low, High: high} }
	ints := func(low, high int) any { return goptuna.IntUniformDistribution{Low: low, High: high} }
	texts := func(choices ...string) any { return goptuna.CategoricalDistribution{Choices: choices} }
	for _, test := range []struct {
		a, b any
		want float64
	}{
		{floats(0, 1), floats(0, 1), 1},
		{floats(0, 1), floats(0.5, 1.5), 1. / 3},
		{floats(0, 1), floats(1, 2), 0},
		{floats(0, 1), floats(3, 4), 0},
		{floats(2, 2), floats(2, 2), 1},
		{floats(2, 2), floats(0, 4), 0},
		{logs(1e-4, 1), logs(1e-2, 1), 0.5},
		{logs(0.1, 1), floats(0.1, 1), 0},
		{ints(1, 4), ints(1, 8), 0.5},
		{ints(1, 4), ints(5, 8), 0},
		{ints(3, 3), ints(3, 3), 1},
		{ints(0, 4), goptuna.StepIntUniformDistribution{Low: 0, High: 4, Step: 2}, 0},
		{ints(0, 4), goptuna.DiscreteUniformDistribution{Low: 0, High: 4, Q: 1}, 1},
		{texts("a", "b"), texts("b", "a"), 1},
		{texts("a", "b"), texts("b", "c"), 1. / 3},
		{texts("a"), texts("b"), 0},
		{texts("0", "1"), ints(0, 1), 0},
		{floats(-math.MaxFloat64, math.MaxFloat64), floats(0, 1), 0},
	} {
		for _, got := range []float64{space.Common(test.a, test.b), space.Common(test.b, test.a)} {
			if !(math.Abs(got-test.want) < 1e-12) {
				t.Errorf("%v and %v: %v, want %v", test.a, test.b, got, test.want)
			}
		}
	}
}
