package sampler_test

import (
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// transformOf returns what the plan of a trial says of its transform.
func transformOf(trial goptuna.FrozenTrial) string {
	_, rest, found := strings.Cut(trial.SystemAttrs["fm:plan:0"], `"y":"`)
	if !found {
		return ""
	}
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// Values over twenty orders of magnitude get a transform of their own, and the
// search does better than random search on them; plain ones hardly ever get one that bends
// more.
func TestHugeRange(t *testing.T) {
	fmtest.Sequential(t)
	const trials = 60
	huge := fmtest.NewStudy(t, fmtest.Seeded(t, 6))
	fmtest.Optimize(t, huge, fmtest.Ask(fmtest.Mixed(), func(x map[string]float64) float64 { return math.Pow(10, 4*fmtest.MixedValue(x)-8) }), trials)
	found := fmtest.TrialsOf(t, huge)
	if name := transformOf(found[trials-1]); name == "" {
		t.Error("values from 1e-8 on have the default transform")
	}
	best := fmtest.Best(t, huge)
	plain := (math.Log10(best) + 8) / 4
	t.Logf("best value %.3g, %.3f on a plain scale", best, plain)
	if plain > 0.2 {
		t.Errorf("best value %.3g, %.3f on a plain scale, want at most 0.2", best, plain)
	}
	bent, all := 0, 0
	for _, seed := range fmtest.Seeds(8) {
		for _, trial := range fmtest.RunMixed(t, seed) {
			if name := transformOf(trial); name != "" && name != "linear" {
				bent++
			}
			all++
		}
	}
	if bent > all/20 {
		t.Errorf("%d of %d trials of plain studies have a transform that bends", bent, all)
	}
}
