package sampler_test

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// sizes are choices that are ordered as they are given, and do not read as
// numbers; colours are not.
var (
	sizes   = []string{"xxs", "xs", "s", "m", "l", "xl", "xxl", "3xl", "4xl", "5xl", "6xl", "7xl"}
	colours = []string{"red", "green", "blue", "pink", "grey", "teal", "gold", "plum"}
)

// The order of choices is found out where there is one, and is stored: the study
// goes on as well in another process, and some option of the parameters that are
// not to be learned stays as it is.
func TestLearnOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("runs studies of 60 trials")
	}
	shade := []float64{0.9, 0.2, 1, 0.5, 0.1, 0.8, 0, 0.6}
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := fmtest.Suggest(&trial,
			fmtest.Param{Name: "size", Distribution: goptuna.CategoricalDistribution{Choices: sizes}},
			fmtest.Param{Name: "colour", Distribution: goptuna.CategoricalDistribution{Choices: colours}},
			fmtest.Param{Name: "x", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}})
		return sq((x["size"]-7.3)/4) + shade[int(x["colour"])] + math.Sin(6*x["x"]), err
	}
	for _, learn := range []bool{true, false} {
		found := map[string]int{}
		for seed := range int64(3) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed, fm.SamplerOptionLearnOrder(learn)))
			fmtest.Optimize(t, study, objective, 40)
			restarted := fmtest.NewStudy(t, fmtest.Seeded(t, seed, fm.SamplerOptionLearnOrder(learn)), goptuna.StudyOptionStorage(study.Storage), goptuna.StudyOptionLoadIfExists(true))
			fmtest.Optimize(t, restarted, objective, 20)
			trials := fmtest.TrialsOf(t, study)
			for _, name := range fm.OrderedChoices(trials[len(trials)-1]) {
				found[name]++
			}
			if best, err := study.GetBestValue(); err != nil || best > -0.9 {
				t.Errorf("best value %v, %v, want almost -1", best, err)
			}
		}
		if want := map[bool]int{true: 3}[learn]; found["size"] != want || found["colour"] != 0 {
			t.Errorf("learning is %t: found to be ordered: %v of 3 studies, want the sizes in %d", learn, found, want)
		}
	}
}
