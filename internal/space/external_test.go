package space_test

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// External is the value that an objective gets. Goptuna itself panics where no such choice
// exists.
func TestExternal(t *testing.T) {
	choices := goptuna.CategoricalDistribution{Choices: []string{"a", "b"}}
	for _, test := range []struct {
		distribution any
		internal     float64
		want         any // nil for none
	}{
		{choices, 1, "b"},
		{choices, 2, nil},
		{choices, -1, nil},
		{choices, math.NaN(), nil},
		{goptuna.IntUniformDistribution{Low: 1, High: 5}, 3, 3},
		{goptuna.StepIntUniformDistribution{Low: 0, High: 100, Step: 10}, 94, 90},
		{goptuna.LogUniformDistribution{Low: 0.1, High: 10}, 2.5, 2.5},
		{nil, 1, nil},
	} {
		if got, ok := space.External(test.distribution, test.internal); got != test.want || ok != (test.want != nil) {
			t.Errorf("%v of %#v is %v, %t; want %v", test.internal, test.distribution, got, ok, test.want)
		}
	}
}
