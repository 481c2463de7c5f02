package surrogate_test

import (
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// A covariance in the cache is extended where the observations are those that it has and
// others, and the base is the same. Otherwise it is made again: the bits are those without
// a cache.
func TestCachedCovariance(t *testing.T) {
	s := newStudy(30, smooth)
	m := fit(t, s.observe(t), plain, &surrogate.Cache{})
	swapped := slices.Clone(m.X)
	swapped[3], swapped[20] = swapped[20], swapped[3]
	for _, test := range []struct {
		name string
		base int
		xs   []fmkernel.Point
	}{
		{"more observations", 10, m.X},
		{"the same", 10, m.X[:20]},
		{"fewer", 10, m.X[:15]},
		{"others among the first", 10, swapped},
		{"others later", 10, append(slices.Clone(m.X[:15]), swapped[16:]...)},
		{"another base", 18, m.X},
	} {
		density := func(cache *surrogate.Cache, base int, xs []fmkernel.Point) float64 {
			got, err := m.LogPredictive(cache, base, xs, m.Targets[:len(xs)], 5)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		warm := &surrogate.Cache{}
		density(warm, 10, m.X[:20])
		if got, want := density(warm, test.base, test.xs), density(&surrogate.Cache{}, test.base, test.xs); got != want {
			t.Errorf("%s: %v with the cache, %v without", test.name, got, want)
		}
	}
}
