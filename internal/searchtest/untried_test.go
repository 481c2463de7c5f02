package searchtest

import (
	"fmt"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// instances is a choice of 60 values, of which a third is worse by little, beside three
// floats.
func instances(trial goptuna.Trial) (float64, error) {
	names := make([]string, 60)
	for i := range names {
		names[i] = fmt.Sprint("instance ", i)
	}
	name, err := trial.SuggestCategorical("instance", names)
	if err != nil {
		return 0, err
	}
	var number int
	if _, err := fmt.Sscanf(name, "instance %d", &number); err != nil {
		return 0, err
	}
	sum := 0.01 * float64(number%3)
	for i, at := range []float64{0.3, 0.8, 0.55} {
		x, err := trial.SuggestFloat(fmt.Sprint("x", i), 0, 1)
		if err != nil {
			return 0, err
		}
		sum += sq(x - at)
	}
	return sum, nil
}

// A choice of many values does not keep the others waiting: with a start-up of 48 trials
// for the values, none of 6 studies came below 0.01 in 30. And all but a few values are
// tried in the end.
func TestManyValues(t *testing.T) {
	t.Parallel()
	found, fewest := 0, 60
	for _, seed := range fmtest.Seeds(6) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, instances, 30)
		if fmtest.Best(t, study) < 0.01 {
			found++
		}
		fmtest.Optimize(t, study, instances, 90)
		tried := map[any]bool{}
		for _, trial := range fmtest.TrialsOf(t, study) {
			tried[trial.Params["instance"]] = true
		}
		fewest = min(fewest, len(tried))
	}
	t.Logf("%d of 6 studies are below 0.01 after 30 trials; %d values of 60 are tried at least", found, fewest)
	if found < 5 || fewest < 60-12 {
		t.Errorf("%d of 6 studies are below 0.01 after 30 trials; %d values of 60 are tried at least", found, fewest)
	}
}
