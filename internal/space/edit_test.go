package space_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// expected returns the parameters that a trial with these values of the others is
// expected to have: those of the region that they lead to.
func expected(t *testing.T, s *space.Space, regions []space.Region, values map[string]float64) []string {
	t.Helper()
	for _, r := range regions {
		if _, ok := r.Fix(values); !ok {
			continue
		}
		var active []string
		for _, p := range s.Params() {
			if r.Active(p) {
				active = append(active, p.Name)
			}
		}
		return active
	}
	t.Fatalf("%v lead to no region", values)
	return nil
}

// After an edit of a long study, a few trials show what trials are asked for from
// then on: in every region, or in the one that was edited alone.
func TestRegionsAfterAnEdit(t *testing.T) {
	distributions := map[string]any{"k": letters(2), "x": unit, "y": unit, "z": unit, "n": letters(5)}
	both := func(get func(string) float64) {
		get("k")
		get("x")
	}
	for _, test := range []struct {
		name          string
		before, after func(get func(string) float64)
		want          [2][]string // by letter, after the edit
	}{
		{
			"added", both, func(get func(string) float64) {
				both(get)
				get("y")
			}, [2][]string{{"k", "x", "y"}, {"k", "x", "y"}},
		},
		{
			"dropped", func(get func(string) float64) {
				both(get)
				get("y")
			}, both, [2][]string{{"k", "x"}, {"k", "x"}},
		},
		{
			"replaced", func(get func(string) float64) {
				both(get)
				get("y")
			}, func(get func(string) float64) {
				both(get)
				get("n")
			}, [2][]string{{"k", "n", "x"}, {"k", "n", "x"}},
		},
		{
			"added with one letter", func(get func(string) float64) {
				if get("k") == 0 {
					get("x")
				}
			}, func(get func(string) float64) {
				if get("k") == 0 {
					get("x")
					get("y")
				}
			}, [2][]string{{"k", "x", "y"}, {"k"}},
		},
	} {
		const edited, later = 100, 12
		wrong, asked := 0, 0
		for seed := range uint64(20) {
			s, xs := history(t, distributions, func(trial int, get func(string) float64) {
				if trial < edited {
					test.before(get)
				} else {
					test.after(get)
				}
			}, edited+later, seed)
			if len(s.Groups()) == 0 {
				t.Fatalf("%s: nothing was edited", test.name)
			}
			regions := s.Regions(xs)
			rng := rand.New(rand.NewPCG(seed, 30))
			for range 50 {
				k := rng.IntN(2)
				values := map[string]float64{"k": float64(k), "x": rng.Float64()}
				if asked++; !slices.Equal(expected(t, s, regions, values), test.want[k]) {
					wrong++
				}
			}
		}
		if wrong > asked/10 {
			t.Errorf("%s: %d of %d trials have other parameters than expected", test.name, wrong, asked)
		}
	}
}

// Where a value decides about other parameters, an edit of all branches shows in all trials after
// it together.
func TestRenamedInAllBranches(t *testing.T) {
	distributions := map[string]any{"k": letters(3), "y": unit, "z": unit, "n": unit}
	const edited, later = 40, 9
	wrong, asked := 0, 0
	for seed := range uint64(20) {
		s, xs := history(t, distributions, func(trial int, get func(string) float64) {
			if get("k") == 0 {
				get("z")
			}
			if trial < edited {
				get("y")
			} else {
				get("n")
			}
		}, edited+later, seed)
		regions := s.Regions(xs)
		for k, want := range [][]string{{"k", "n", "z"}, {"k", "n"}, {"k", "n"}} {
			if asked++; !slices.Equal(expected(t, s, regions, map[string]float64{"k": float64(k)}), want) {
				wrong++
			}
		}
	}
	if wrong > asked/10 {
		t.Errorf("%d of %d letters have other parameters than expected", wrong, asked)
	}
}

// Trials by chance, few among many, are no edit.
func TestOutliersAreNoEdit(t *testing.T) {
	distributions := map[string]any{"k": letters(2), "x": unit, "y": unit}
	for seed := range uint64(20) {
		s, xs := history(t, distributions, func(trial int, get func(string) float64) {
			get("k")
			get("x")
			if trial%40 == 19 || trial == 99 { // the last one, too
				get("y")
			}
		}, 100, seed)
		regions := s.Regions(xs)
		rng := rand.New(rand.NewPCG(seed, 31))
		wrong := 0
		for range 50 {
			values := map[string]float64{"k": float64(rng.IntN(2)), "x": rng.Float64()}
			if !slices.Equal(expected(t, s, regions, values), []string{"k", "x"}) {
				wrong++
			}
		}
		if wrong > 5 {
			t.Errorf("seed %d: %d of 50 trials are expected to have y", seed, wrong)
		}
	}
}

// Most of the gap between two regions goes to the one with fewer parameters, half
// of it where neither has all that the other has.
func TestBorder(t *testing.T) {
	distributions := map[string]any{"x": unit, "y": unit, "z": unit}
	for _, test := range []struct {
		name        string
		below, from string // what x asks for on either side
		border      float64
	}{
		{"more above", "", "y", 0.58},
		{"more below", "y", "", 0.42},
		{"others", "y", "z", 0.5},
	} {
		p, err := space.NewParam("x", unit, nil)
		if err != nil {
			t.Fatal(err)
		}
		params := []*space.Param{p}
		var groups []space.Group
		for _, name := range []string{test.below, test.from} {
			if name == "" {
				continue
			}
			p, err := space.NewParam(name, unit, nil)
			if err != nil {
				t.Fatal(err)
			}
			params, groups = append(params, p), append(groups, space.Group{Names: []string{name}})
		}
		s, err := space.New(params, groups...)
		if err != nil {
			t.Fatal(err)
		}
		var xs []fmkernel.Point
		for i := range 20 { // up to 0.4, and from 0.6 on
			values, name := map[string]float64{"x": 0.02 * float64(i+1)}, test.below
			if i%2 == 1 {
				values["x"], name = 1-0.02*float64(20-i-1)-0.02, test.from
			}
			if i == 18 {
				values["x"] = 0.4
			}
			if i == 1 {
				values["x"] = 0.6
			}
			if name != "" {
				values[name] = 0.5
			}
			xs = append(xs, encode(t, s, values, distributions))
		}
		regions := s.Regions(xs)
		if len(regions) != 2 {
			t.Errorf("%s: %d regions, want 2", test.name, len(regions))
			continue
		}
		side := func(x float64) string {
			names := expected(t, s, regions, map[string]float64{"x": x})
			return names[len(names)-1]
		}
		below, from := "x", "x"
		if test.below != "" {
			below = test.below
		}
		if test.from != "" {
			from = test.from
		}
		for _, at := range []struct {
			x    float64
			want string
		}{{0, below}, {0.4, below}, {test.border - 1e-6, below}, {test.border + 1e-6, from}, {0.6, from}, {1, from}} {
			if got := side(at.x); got != at.want {
				t.Errorf("%s: x = %v leads to %s, want %s", test.name, at.x, got, at.want)
			}
		}
	}
}

// Choices that are gone decided nothing: what another parameter decides is still
// known after them.
func TestRegionsAfterChoicesAreReplaced(t *testing.T) {
	earlier, now := letters(2), goptuna.CategoricalDistribution{Choices: []string{"c", "d"}}
	for later := range 4 { // trials with the new choices
		for seed := range uint64(3) {
			rng := rand.New(rand.NewPCG(seed, 40))
			k, err := space.NewParam("k", now, nil, earlier)
			if err != nil {
				t.Fatal(err)
			}
			params := []*space.Param{k}
			distributions := map[string]any{"k": earlier, "f": letters(2), "x": unit, "y": unit}
			for _, name := range []string{"f", "x", "y"} {
				p, err := space.NewParam(name, distributions[name], nil)
				if err != nil {
					t.Fatal(err)
				}
				params = append(params, p)
			}
			s, err := space.New(params, space.Group{Names: []string{"x"}}, space.Group{Names: []string{"y"}})
			if err != nil {
				t.Fatal(err)
			}
			var xs []fmkernel.Point
			for i := range 40 + later {
				if i == 40 {
					distributions["k"] = now
				}
				f := rng.IntN(2)
				xs = append(xs, encode(t, s, map[string]float64{"k": float64(rng.IntN(2)), "f": float64(f), []string{"x", "y"}[f]: rng.Float64()}, distributions))
			}
			regions := s.Regions(xs)
			for _, kv := range []float64{0, 1} {
				for f, want := range []string{"x", "y"} {
					got := expected(t, s, regions, map[string]float64{"k": kv, "f": float64(f)})
					if len(got) != 3 || got[2] != want {
						t.Errorf("seed %d, %d later trials: k = %v, f = %d is expected to ask for %v, want %s", seed, later, kv, f, got, want)
					}
				}
			}
		}
	}
}
