package space_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// asks is an objective that asks for parameters: which further ones depends on
// the values it has got. It may change from trial to trial.
type asks func(trial int, get func(name string) float64)

// history runs n trials with random values, and returns the space of all
// parameters and the points of the trials in it.
func history(t testing.TB, distributions map[string]any, objective asks, n int, seed uint64) (*space.Space, []fmkernel.Point) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	params := map[string]*space.Param{}
	for name, d := range distributions {
		p, err := space.NewParam(name, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		params[name] = p
	}
	trials := make([]map[string]float64, n)
	for i := range trials {
		trials[i] = map[string]float64{}
		objective(i, func(name string) float64 {
			trials[i][name] = params[name].FromUnit(rng.Float64())
			return trials[i][name]
		})
	}
	var all []*space.Param
	together := map[string][]string{}
	for name, p := range params {
		column := ""
		for _, values := range trials {
			_, ok := values[name]
			column += fmt.Sprint(ok)
		}
		if strings.Contains(column, "false") {
			together[column] = append(together[column], name)
		}
		if strings.Contains(column, "true") {
			all = append(all, p)
		} else {
			delete(together, column)
		}
	}
	var groups []space.Group
	for _, names := range together {
		groups = append(groups, space.Group{Names: names})
	}
	slices.SortFunc(groups, func(a, b space.Group) int { return strings.Compare(slices.Min(a.Names), slices.Min(b.Names)) })
	s, err := space.New(all, groups...)
	if err != nil {
		t.Fatal(err)
	}
	xs := make([]fmkernel.Point, n)
	for i, values := range trials {
		x, bad := s.Encode(space.Values{Internal: values, Distributions: distributions})
		if bad != nil {
			t.Fatalf("trial %d has no point: %s", i, bad.Name)
		}
		xs[i] = x
		back := s.Decode(x)
		for name, value := range values {
			if math.Abs(back[name]-value) > 1e-12*math.Max(1, math.Abs(value)) {
				t.Fatalf("trial %d: %s is %v after decoding, was %v", i, name, back[name], value)
			}
		}
		if len(back) != len(values) {
			t.Fatalf("trial %d: decoded to %v, was %v", i, back, values)
		}
	}
	return s, xs
}

var unit = goptuna.UniformDistribution{Low: 0, High: 1}

func letters(n int) goptuna.CategoricalDistribution {
	return goptuna.CategoricalDistribution{Choices: strings.Split("abcdefghijklmnopqrstuvwxyz"[:n], "")}
}

var conditional = []struct {
	name          string
	distributions map[string]any
	objective     asks
	n             int
	regions       int // leaves that have trials
}{
	{"flat", map[string]any{"k": letters(3), "x": unit}, func(_ int, get func(string) float64) {
		get("k")
		get("x")
	}, 10, 1},
	{"one choice", map[string]any{"k": letters(3), "x": unit, "y": unit, "z": letters(2), "shared": unit}, func(_ int, get func(string) float64) {
		get("shared")
		switch get("k") {
		case 0:
			get("x")
		case 1:
			get("y")
			get("z")
		}
	}, 20, 3},
	{"two values lead to the same", map[string]any{"k": letters(4), "x": unit, "y": unit, "j": goptuna.IntUniformDistribution{Low: 0, High: 15}}, func(_ int, get func(string) float64) {
		get("j")
		if k := get("k"); k == 1 || k == 3 {
			get("x")
		} else {
			get("y")
		}
	}, 24, 2},
	{"three levels", map[string]any{"a": letters(2), "b": letters(2), "c": letters(2), "d": letters(2), "x": unit, "y": unit, "z": unit, "s": goptuna.IntUniformDistribution{Low: 1, High: 12}}, func(_ int, get func(string) float64) {
		get("s")
		if get("a") == 0 {
			if get("b") == 0 {
				get("x")
			} else if get("c") == 1 {
				get("y")
			}
		} else if get("d") == 0 {
			get("z")
		}
	}, 60, 5},
	{"a number of layers", map[string]any{"layers": goptuna.IntUniformDistribution{Low: 1, High: 8}, "w1": unit, "w3": unit, "w6": unit}, func(_ int, get func(string) float64) {
		layers := get("layers")
		get("w1")
		if layers >= 3 {
			get("w3")
		}
		if layers >= 6 {
			get("w6")
		}
	}, 40, 3},
	{"a float decides", map[string]any{"x": unit, "y": unit, "k": letters(3)}, func(_ int, get func(string) float64) {
		get("k")
		if get("x") > 0.4 {
			get("y")
		}
	}, 40, 2},
	{"two flags", map[string]any{"f": letters(2), "g": letters(2), "x": unit, "y": unit}, func(_ int, get func(string) float64) {
		if get("f") == 0 {
			get("x")
		}
		if get("g") == 0 {
			get("y")
		}
	}, 40, 4},
	{"edited in mid-study", map[string]any{"k": letters(2), "x": unit, "y": unit, "z": unit}, func(trial int, get func(string) float64) {
		if get("k") == 0 {
			get("x")
		}
		if trial >= 30 {
			get("z")
		} else {
			get("y")
		}
	}, 60, 2},
	{"a name edited, six trials ago", map[string]any{"k": letters(4), "rate": unit, "speed": unit, "x": unit}, func(trial int, get func(string) float64) {
		get("k")
		get("x")
		if trial >= 30 {
			get("speed")
		} else {
			get("rate")
		}
	}, 36, 1},
	{"a choice removed, seven trials ago", map[string]any{"k": letters(4), "j": letters(4), "x": unit}, func(trial int, get func(string) float64) {
		get("k")
		get("x")
		if trial < 20 {
			get("j")
		}
	}, 27, 1},
}

// Whatever values the next trial has, the one region that they lead into has the
// parameters that the objective then asks for.
func TestRegiones(t *testing.T) {
	for _, test := range conditional {
		wrong, asked := 0, 0
		for seed := range uint64(10) {
			s, xs := history(t, test.distributions, test.objective, test.n, seed)
			regions := s.Regions(xs)
			seen := 0
			for _, b := range regions {
				if len(b.Seen) > 0 {
					seen++
				}
			}
			if seen != test.regions && seed == 0 {
				t.Errorf("%s: %d regions with trials, want %d", test.name, seen, test.regions)
			}
			// Trials to come, in the space of the history.
			rng := rand.New(rand.NewPCG(seed, 4))
			for range 100 {
				values := map[string]float64{}
				known := true
				test.objective(test.n, func(name string) float64 {
					i := slices.IndexFunc(s.Params(), func(p *space.Param) bool { return p.Name == name })
					if i < 0 {
						known = false
						return 0
					}
					values[name] = s.Params()[i].FromUnit(rng.Float64())
					return values[name]
				})
				x, bad := s.Encode(space.Values{Internal: values, Distributions: test.distributions})
				if !known || bad != nil {
					continue
				}
				asked++
				var in []space.Region
				for _, b := range regions {
					if b.Contains(x) {
						in = append(in, b)
					}
				}
				if len(in) != 1 {
					wrong++
				}
			}
		}
		// A threshold is known as well as the trials near it tell.
		if wrong > asked/20 {
			t.Errorf("%s: %d of %d trials are in no region, or in several", test.name, wrong, asked)
		}
	}
}

// A choice that was never made is a region of its own, which has what all others
// share.
func TestUnseenRegion(t *testing.T) {
	distributions := map[string]any{"k": letters(3), "x": unit, "y": unit, "shared": unit}
	s, xs := history(t, distributions, func(trial int, get func(string) float64) {
		get("shared")
		for int(get("k")) != trial%2 {
		}
		get([]string{"x", "y"}[trial%2])
	}, 12, 1)
	regions := s.Regions(xs)
	var k, x, y *space.Param
	for _, p := range s.Params() {
		switch p.Name {
		case "k":
			k = p
		case "x":
			x = p
		case "y":
			y = p
		}
	}
	leads := func(b space.Region, value float64) bool {
		_, ok := b.Fix(map[string]float64{"k": value})
		return ok
	}
	unseen := 0
	for _, b := range regions {
		if len(b.Seen) == 0 {
			unseen++
			if !leads(b, 2) || leads(b, 0) || b.Active(x) || b.Active(y) || !b.Active(k) {
				t.Errorf("the unseen region is %+v", b)
			}
			if with := b.Activate(x); !with.Active(x) || b.Active(x) {
				t.Error("Activate changes the region, or not its copy")
			}
		}
	}
	if len(regions) != 3 || unseen != 1 {
		t.Errorf("%d regions, %d unseen, want 3 and 1", len(regions), unseen)
	}
}

// Gram matrices of histories in which parameters are absent are positive
// semi-definite, and points that differ in absence alone differ.
func TestOptionalGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, test := range conditional {
		s, xs := history(t, test.distributions, test.objective, test.n, 11)
		kernel, err := s.Kernel(fmkernel.NewModLap)
		if err != nil {
			t.Fatal(err)
		}
		params := fmkernel.NewParams(kernel.Dims())
		for _, values := range [][]float64{params.Alpha, params.Beta, params.Theta} {
			for i := range values {
				values[i] = math.Exp(rng.NormFloat64())
			}
		}
		var gram mat.SymDense
		kernel.GramTo(&gram, params, xs)
		var eigen mat.EigenSym
		if !eigen.Factorize(&gram, false) {
			t.Fatal("no eigenvalues")
		}
		values := eigen.Values(nil)
		if values[0] < -1e-12*values[len(values)-1] {
			t.Errorf("%s: smallest eigenvalue %v of largest %v", test.name, values[0], values[len(values)-1])
		}
		for i, x := range xs {
			for j, y := range xs[:i] {
				if alike := slices.Equal(x.C, y.C) && slices.Equal(x.V, y.V); alike != (s.Key(x) == s.Key(y)) {
					t.Errorf("%s: trials %d and %d: same point is %t, same key %t", test.name, i, j, alike, !alike)
				}
			}
		}
	}
}
