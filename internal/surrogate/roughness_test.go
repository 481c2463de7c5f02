package surrogate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// textured returns a study of three floats and a choice without trials.
func textured(seed uint64) *study {
	s := &study{rng: rand.New(rand.NewPCG(seed, 43)), distributions: map[string]any{
		"c": goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}},
	}}
	for _, name := range []string{"x", "y", "z"} {
		s.distributions[name] = goptuna.UniformDistribution{Low: 0, High: 1}
	}
	s.draw = func() values {
		return values{"x": s.rng.Float64(), "y": s.rng.Float64(), "z": s.rng.Float64(), "c": float64(s.rng.IntN(3))}
	}
	return s
}

// ridges has a kink along each float, bowl none.
func ridges(x values) float64 {
	sum := 0.3 * x["c"]
	for _, name := range []string{"x", "y", "z"} {
		sum += math.Sqrt(math.Abs(x[name] - 0.4))
	}
	return sum
}

func bowl(x values) float64 {
	sum := 0.3 * x["c"]
	for _, name := range []string{"x", "y", "z"} {
		sum += sq(x[name] - 0.4)
	}
	return sum
}

// A function with kinks is fitted with the rough kernel, a smooth one with the smooth
// kernel; neither of a few observations, nor as the paper's implementation fits.
func TestRoughness(t *testing.T) {
	const studies = 5
	reference := plain
	reference.ReferenceFit = true
	for _, test := range []struct {
		name        string
		objective   func(values) float64
		settings    surrogate.Settings
		trials      int
		least, most int
	}{
		{"kinks", ridges, plain, 40, 4, studies},
		{"none", bowl, plain, 40, 0, 0},
		{"few observations", ridges, plain, 14, 0, 0},
		{"the reference fit", ridges, reference, 40, 0, 0},
	} {
		rough := 0
		for seed := range uint64(studies) {
			s := textured(seed)
			s.add(test.trials, test.objective)
			m := fit(t, s.observe(t), test.settings, &surrogate.Cache{})
			if m.Fit.Rough {
				rough++
			}
			if got, want := m.Kernel.String(), map[bool]string{false: "ModLap", true: "rough ModLap"}[m.Fit.Rough]; got != want {
				t.Errorf("%s: the kernel is %q, want %q", test.name, got, want)
			}
		}
		t.Logf("%s: rough in %d studies of %d", test.name, rough, studies)
		if rough < test.least || rough > test.most {
			t.Errorf("%s: rough in %d studies of %d", test.name, rough, studies)
		}
	}
}

// The kernel stands as long as the fit; the next one may have another.
func TestRoughnessStands(t *testing.T) {
	s := textured(1)
	s.add(60, ridges)
	first := fit(t, s.observe(t), plain, &surrogate.Cache{})
	if !first.Fit.Rough {
		t.Fatal("kinks are not rough")
	}
	s.keep(t, first.Fit)
	s.add(1, bowl)
	if next := fit(t, s.observe(t), plain, &surrogate.Cache{}); next.IsNew || !next.Fit.Rough || next.Kernel.String() != first.Kernel.String() {
		t.Errorf("between two fits the kernel is %v, new %t, want %v", next.Kernel, next.IsNew, first.Kernel)
	}
	other := textured(2)
	other.add(30, bowl)
	other.keep(t, first.Fit)
	other.add(20, bowl)
	if next := fit(t, other.observe(t), plain, &surrogate.Cache{}); !next.IsNew || next.Fit.Rough {
		t.Errorf("of a smooth function the kernel is %v, new %t", next.Kernel, next.IsNew)
	}
}
