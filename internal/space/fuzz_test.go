package space_test

import (
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// FuzzParam builds distributions of arbitrary ends and steps. Each is rejected
// with an error, or has values for all coordinates that lie inside and have a
// coordinate themselves.
func FuzzParam(f *testing.F) {
	for kind := range uint8(6) {
		f.Add(kind, 0.0, 1.0, 0.1, 0.5, -3, 40, 2, "a,b,c")
		f.Add(kind, -math.MaxFloat64, math.MaxFloat64, 0.1, 1.0, -1<<62, 1<<62, 1, "-5e-324,0,5e-324")
		f.Add(kind, 5e-324, 1e-323, 5e-324, 0.0, 1<<62-3000, 1<<62, 2000, "1,2,4,1e300")
		f.Add(kind, math.Inf(-1), math.NaN(), -1.0, 0.3, 5, 4, -1, "")
		f.Add(kind, 1e17, 2e17, 0.1, 0.7, 1<<53, 1<<53+40, 3, strings.Repeat("1,", 30))
		f.Add(kind, 0.0, 0.3, 0.1, 0.999, 0, 10, 5, "3,1,2")
	}
	f.Fuzz(func(t *testing.T, kind uint8, low, high, step, u float64, from, to, by int, texts string) {
		var d any
		switch kind % 6 {
		case 0:
			d = goptuna.UniformDistribution{Low: low, High: high}
		case 1:
			d = goptuna.LogUniformDistribution{Low: low, High: high}
		case 2:
			d = goptuna.DiscreteUniformDistribution{Low: low, High: high, Q: step}
		case 3:
			d = goptuna.IntUniformDistribution{Low: from, High: to}
		case 4:
			d = goptuna.StepIntUniformDistribution{Low: from, High: to, Step: by}
		case 5:
			d = goptuna.CategoricalDistribution{Choices: strings.Split(texts, ",")}
		}
		p, err := space.NewParam("x", d, nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), `fm: parameter "x"`) {
				t.Errorf("%+v: error %q", d, err)
			}
			return
		}
		if !(u >= 0 && u <= 1) {
			u = 0.5
		}
		only, single := p.Single()
		if single && !fmtest.Contains(d, only) {
			t.Errorf("%+v: its one value %v is not in it", d, only)
		}
		check := func(name string, value float64) {
			if !fmtest.Contains(d, value) || !p.Contains(value) {
				t.Errorf("%+v: %s(%v) = %v is not in it", d, name, u, value)
			}
			// Steps next to the spacing of floats are rounded off their grid, and
			// a range of a few ulps or denormals may have no width.
			wide := func(gap float64) bool {
				return gap > 1e-9*math.Max(math.Abs(low), math.Abs(high)) && gap > 1e-300
			}
			exact := true
			switch d.(type) {
			case goptuna.UniformDistribution, goptuna.LogUniformDistribution:
				exact = wide(high - low)
			case goptuna.DiscreteUniformDistribution:
				exact = wide(step)
			case goptuna.IntUniformDistribution, goptuna.StepIntUniformDistribution:
				exact = math.Abs(value) < 1<<53
			}
			if at, ok := p.Encode(value); exact && !single && (!ok || math.IsNaN(at)) {
				t.Errorf("%+v: %s(%v) = %v has the coordinate %v, %t", d, name, u, value, at, ok)
			}
		}
		check("FromUnit", p.FromUnit(u))
		if p.Graph != nil {
			check("Decode", p.Decode(float64(min(int(u*float64(p.Graph.Order())), p.Graph.Order()-1))))
		} else {
			check("Decode", p.Decode(u))
		}
	})
}
