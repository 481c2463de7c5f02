package space_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// readBack returns the distribution as a database returns it.
func readBack(t *testing.T, distribution any) any {
	t.Helper()
	text, err := goptuna.DistributionToJSON(distribution)
	if err != nil {
		t.Fatal(err)
	}
	back, err := goptuna.JSONToDistribution(text)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func stored(distribution any) any {
	return space.Stored(map[string]any{"x": distribution, "y": unit})["x"]
}

// The form of a distribution, and its fingerprint, are the same before it is in a database
// and after that. That of most is as it is.
func TestStored(t *testing.T) {
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, 0))
	ends := func() (low, high int) {
		low, high = int(rng.Int64()>>rng.IntN(63))-1<<61, int(rng.Int64()>>rng.IntN(63))-1<<61
		return min(low, high), max(low, high)
	}
	for range 1000 {
		low, high := ends()
		for _, d := range []any{
			goptuna.IntUniformDistribution{Low: low, High: high},
			goptuna.StepIntUniformDistribution{Low: low, High: high, Step: high - low + 1},
		} {
			back := readBack(t, d)
			if got, want := stored(d), stored(back); got != want || stored(got) != got {
				t.Errorf("seed %d: %+v and, as read back, %+v are %+v and %+v", seed, d, back, got, want)
			}
			if p, err := space.NewParam("x", d, nil); err == nil && p.Fingerprint != newParam(t, stored(back)).Fingerprint {
				t.Errorf("seed %d: %+v has another fingerprint when it was read back", seed, d)
			}
		}
	}
	for name, d := range kinds() {
		if name == "int, last" || name == "step int, all" {
			continue // of ints that are not all float64
		}
		if got := stored(d); !reflect.DeepEqual(got, d) {
			t.Errorf("%s: %+v became %+v", name, d, got)
		}
	}
}

// What Goptuna does not know, and storage in memory takes all the same, need not be
// comparable: it would end the program.
func TestStoredUnknown(t *testing.T) {
	for _, d := range []any{[]int{1}, map[string]int{}, struct{ Choices []string }{}, &goptuna.CategoricalDistribution{}, nil} {
		if got := stored(d); got != nil {
			t.Errorf("%#v became %#v", d, got)
		}
	}
}

// Choices that are not UTF-8 become those that a database reads back, with the same
// fingerprint. Others stay as they are.
func TestInUTF8(t *testing.T) {
	for _, d := range []any{
		goptuna.CategoricalDistribution{Choices: []string{"caf\xe9", "gr\xf6\xdfe", "lait", "\xff"}},
		goptuna.CategoricalDistribution{Choices: []string{"café", "\ufffd", "\x00", "<&>", "\u2028"}},
		unit,
	} {
		back := readBack(t, d)
		if got := space.InUTF8(map[string]any{"x": d})["x"]; !reflect.DeepEqual(got, back) {
			t.Errorf("%+q became %+q, want %+q", d, got, back)
		}
		if newParam(t, d).Fingerprint != newParam(t, back).Fingerprint {
			t.Errorf("%+q has another fingerprint when it was read back", d)
		}
	}
}

// What is planned for the stored form is clipped to the distribution itself.
func TestClip(t *testing.T) {
	for _, d := range []any{
		goptuna.IntUniformDistribution{Low: -1<<60 + 1, High: 1<<60 - 1},
		goptuna.StepIntUniformDistribution{Low: 1<<60 + 1, High: 1<<62 - 1, Step: 1000},
		goptuna.IntUniformDistribution{Low: 3, High: 5},
		goptuna.DiscreteUniformDistribution{Low: 0, High: 0.7, Q: 0.1},
		goptuna.UniformDistribution{Low: 3, High: 5},
		goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}},
	} {
		p, form := newParam(t, d), newParam(t, stored(d))
		for _, u := range []float64{0, math.Nextafter(1, 0)} {
			value := form.FromUnit(u)
			if got := p.Clip(value); !fmtest.Contains(d, got) || math.Abs(got-value) > 1e-15*math.Abs(value) || p.Contains(value) && got != value {
				t.Errorf("%+v: %v becomes %v", d, value, got)
			}
		}
	}
}
