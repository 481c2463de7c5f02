package suggestion

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

func spec(kind api.ParameterType, low, high, step string, d api.Distribution, list ...string) *api.ParameterSpec {
	return &api.ParameterSpec{Name: "x", ParameterType: kind, FeasibleSpace: &api.FeasibleSpace{Min: low, Max: high, Step: step, Distribution: d, List: list}}
}

func mustRead(t *testing.T, s *api.ParameterSpec) (parameter, *space.Param) {
	t.Helper()
	p, err := newParameter(s)
	if err != nil {
		t.Fatal(err)
	}
	param, err := space.NewParam(p.name, p.distribution, p.graph)
	if err != nil {
		t.Fatal(err)
	}
	return p, param
}

// What is written is read as the same value, and shown as one of the shown
// distribution.
func TestTextIsRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, ends := range [][3]string{{"1e-5", "1", "0.001"}, {"0.1", "0.9", "0.1"}, {"3", "1000000", "1"}, {"7", "7", "1"}, {"1e-300", "1e300", ""}, {"0.001", "1e9", "0.25"},
		{"0", "1e300", "1e299"}, {"-1e308", "1e308", "1e307"}, {"0", "3e-323", "3e-324"}, {"0", "1e-90", "1e-98"}, {"-9e18", "9e18", "1e18"}} {
		for d := range api.Distribution_name {
			for _, kind := range []api.ParameterType{api.ParameterType_DOUBLE, api.ParameterType_INT} {
				for _, step := range []string{"", ends[2]} {
					s := spec(kind, ends[0], ends[1], step, api.Distribution(d))
					if _, err := newParameter(s); err != nil {
						continue // an int with fractions
					}
					p, param := mustRead(t, s)
					for range 200 {
						checkText(t, s, p, param.FromUnit(rng.Float64()))
					}
				}
			}
		}
	}
}

func checkText(t *testing.T, s *api.ParameterSpec, p parameter, x float64) {
	t.Helper()
	text := p.text(x)
	again, err := p.parse(text)
	if err != nil {
		t.Fatalf("%v: suggests %q, and %v", s.GetFeasibleSpace(), text, err)
	}
	// A quantile is not exact: its value has some more digits right than Katib's
	// users write.
	if got := p.text(again); got != text {
		a, errA := strconv.ParseFloat(got, 64)
		b, errB := strconv.ParseFloat(text, 64)
		if _, ok := p.values.(scaled); !ok || errA != nil || errB != nil || math.Abs(a-b) > 1e-10*math.Abs(b) {
			t.Errorf("%v: %q is read as %q", s.GetFeasibleSpace(), text, got)
		}
	}
	contains := true
	switch d := p.shown.(type) {
	case goptuna.UniformDistribution:
		contains = d.Contains(p.shownValue(x))
	case goptuna.LogUniformDistribution:
		contains = d.Contains(p.shownValue(x))
	case goptuna.IntUniformDistribution:
		contains = d.Contains(p.shownValue(x))
	}
	if !contains {
		t.Errorf("%v: %v is shown as %v", s.GetFeasibleSpace(), x, p.shownValue(x))
	}
}

// A value is recognised however it is spelled.
func TestSpellings(t *testing.T) {
	double, discrete := api.ParameterType_DOUBLE, api.ParameterType_DISCRETE
	for _, test := range []struct {
		spec      *api.ParameterSpec
		texts     []string
		canonical string
	}{
		{spec(double, "1e-06", "1", "", api.Distribution_LOG_UNIFORM), []string{"1e-05", "0.00001", "1E-5", " 0.000010 "}, "1e-05"},
		{spec(double, "0.1", "0.9", "0.1", 0), []string{"0.3", "0.30000000000000004", "0.30", "3e-1"}, "0.3"},
		{spec(api.ParameterType_INT, "1", "9", "2", 0), []string{"3", "3.0", "+3"}, "3"},
		{spec(api.ParameterType_INT, "1", "90", "", api.Distribution_LOG_UNIFORM), []string{"30", "3e1"}, "30"},
		{spec(discrete, "", "", "", 0, "3", "0.2", "6e0"), []string{"6e0", "6", "6.00"}, "6e0"},
		{spec(api.ParameterType_CATEGORICAL, "", "", "", 0, "1", "1.0", ""), []string{"1.0"}, "1.0"},
	} {
		p, _ := mustRead(t, test.spec)
		for _, text := range test.texts {
			x, err := p.parse(text)
			if err != nil {
				t.Errorf("%q of %v: %v", text, test.spec.GetFeasibleSpace(), err)
			} else if got := p.text(x); got != test.canonical {
				t.Errorf("%q of %v is %q, want %q", text, test.spec.GetFeasibleSpace(), got, test.canonical)
			}
		}
	}
	p, _ := mustRead(t, spec(double, "0.1", "0.9", "0.1", 0))
	for _, text := range []string{"", "abc", "0.35", "1.0", "0", "NaN", "Inf", "-0.1", "1e999", "1e-999999999"} {
		if x, err := p.parse(text); err == nil {
			t.Errorf("%q is taken for %v", text, p.text(x))
		}
	}
}

// Quantiles that fill [0, 1] evenly have the distribution that Katib's Hyperopt
// service gives a parameter: normal ones have their mean in the middle of the
// range, and a sixth of it as standard deviation (here less 1.3 %, since
// nothing lies outside of it).
func TestDistributions(t *testing.T) {
	const truncated = 0.9866 // standard deviation of a normal variable within ±3 of these
	for _, test := range []struct {
		name       string
		spec       *api.ParameterSpec
		log        bool
		mean, sd   float64 // of the values, or their logarithms
		tol        float64
		wantSingle float64 // share of the lowest value
	}{
		{"uniform", spec(api.ParameterType_DOUBLE, "5", "10", "", api.Distribution_UNIFORM), false, 7.5, 5 / math.Sqrt(12), 0.01, 0},
		{"log-uniform", spec(api.ParameterType_DOUBLE, "1e-4", "1", "", api.Distribution_LOG_UNIFORM), true, math.Log(1e-2), math.Log(1e4) / math.Sqrt(12), 0.01, 0},
		{"normal", spec(api.ParameterType_DOUBLE, "5", "10", "", api.Distribution_NORMAL), false, 7.5, truncated * 5 / 6, 0.01, 0},
		{"log-normal", spec(api.ParameterType_DOUBLE, "1e-4", "1", "", api.Distribution_LOG_NORMAL), true, math.Log(1e-2), truncated * math.Log(1e4) / 6, 0.01, 0},
		{"normal int", spec(api.ParameterType_INT, "0", "60", "", api.Distribution_NORMAL), false, 30, truncated * 10, 0.1, 0},
		{"normal int, short", spec(api.ParameterType_INT, "1", "5", "", api.Distribution_NORMAL), false, 3, math.Hypot(truncated*4/6, 0.3), 0.05, 0},
		// The lowest of 1, ..., 8 has the share of log 1.5 - log 0.5.
		{"log-uniform int", spec(api.ParameterType_INT, "1", "8", "", api.Distribution_LOG_UNIFORM), true, math.NaN(), math.NaN(), 0.001, math.Log(3) / math.Log(17)},
		{"log-uniform grid", spec(api.ParameterType_DOUBLE, "1", "11", "2.5", api.Distribution_LOG_UNIFORM), true, math.NaN(), math.NaN(), 0.001, math.Log(4.5) / math.Log(24.5)},
	} {
		t.Run(test.name, func(t *testing.T) {
			const n = 20000
			p, param := mustRead(t, test.spec)
			sum, squares, lowest := 0.0, 0.0, 0.0
			for i := range n {
				v, err := strconv.ParseFloat(p.text(param.FromUnit((float64(i)+0.5)/n)), 64)
				if err != nil {
					t.Fatal(err)
				}
				if low, _, _ := parseNumber(test.spec.FeasibleSpace.Min); v == low {
					lowest++
				}
				if test.log {
					v = math.Log(v)
				}
				sum += v
				squares += v * v
			}
			mean := sum / n
			sd := math.Sqrt(squares/n - mean*mean)
			if math.Abs(mean-test.mean) > test.tol || math.Abs(sd-test.sd) > test.tol {
				t.Errorf("mean %v, standard deviation %v; want %v, %v", mean, sd, test.mean, test.sd)
			}
			if test.wantSingle > 0 && math.Abs(lowest/n-test.wantSingle) > test.tol {
				t.Errorf("the lowest value has a share of %v, want %v", lowest/n, test.wantSingle)
			}
		})
	}
}

// Only lists that are declared as numbers are ordered.
func TestOrder(t *testing.T) {
	list := []string{"64", "16", "256", "32"}
	_, ordered := mustRead(t, spec(api.ParameterType_DISCRETE, "", "", "", 0, list...))
	_, nominal := mustRead(t, spec(api.ParameterType_CATEGORICAL, "", "", "", 0, list...))
	if got := len(ordered.Graph.Neighbors(0)) + len(ordered.Graph.Neighbors(3)); got != 2 {
		t.Errorf("the ends of the discrete list have %d neighbours, want one each", got)
	}
	for v := range list {
		if got := len(nominal.Graph.Neighbors(v)); got != 3 {
			t.Errorf("choice %d has %d neighbours, want 3", v, got)
		}
	}
}
