// Client runs the experiment of check.py on a study of Goptuna's, without Katib,
// and prints the best value by seed as lines of JSON: what the suggestion service
// is compared with.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"math"
	"os"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

const (
	trials  = 60
	atOnce  = 3
	running = 2
)

var (
	optimizers = []string{"sgd", "adam", "rmsprop", "adagrad"}
	space      = map[string]any{
		"lr":        goptuna.LogUniformDistribution{Low: 1e-5, High: 1},
		"momentum":  goptuna.UniformDistribution{Low: 0, High: 0.99},
		"layers":    goptuna.IntUniformDistribution{Low: 1, High: 8},
		"dropout":   goptuna.DiscreteUniformDistribution{Low: 0, High: 0.5, Q: 0.05},
		"batch":     goptuna.CategoricalDistribution{Choices: []string{"16", "32", "64", "128", "256"}},
		"optimizer": goptuna.CategoricalDistribution{Choices: optimizers},
	}
)

func main() {
	seeds := flag.Int("seeds", 10, "`number` of seeds")
	flag.Parse()
	out := json.NewEncoder(os.Stdout)
	for seed := range *seeds {
		best, err := run(int64(seed))
		if err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(map[string]any{"seed": seed, "best": best}); err != nil {
			log.Fatal(err)
		}
	}
}

// run runs the experiment and returns its best value.
func run(seed int64) (float64, error) {
	sampler := fm.NewSampler(fm.SamplerOptionSeed(seed), fm.SamplerOptionStudyAttributes(false))
	study, err := goptuna.CreateStudy("check", goptuna.StudyOptionLogger(nil))
	if err != nil {
		return 0, err
	}
	best := math.Inf(1)
	var inFlight []goptuna.FrozenTrial
	for n := 0; n < trials; n += atOnce {
		for range atOnce {
			t, err := suggest(study, sampler)
			if err != nil {
				return 0, err
			}
			inFlight = append(inFlight, t)
		}
		left := running
		if n+atOnce >= trials {
			left = 0
		}
		for len(inFlight) > left {
			value, err := finish(study, inFlight[0])
			if err != nil {
				return 0, err
			}
			best = min(best, value)
			inFlight = inFlight[1:]
		}
	}
	return best, nil
}

// suggest starts a trial.
func suggest(study *goptuna.Study, sampler *fm.FMSampler) (trial goptuna.FrozenTrial, err error) {
	id, err := study.Storage.CreateNewTrial(study.ID)
	if err != nil {
		return trial, err
	}
	if trial, err = study.Storage.GetTrial(id); err != nil {
		return trial, err
	}
	values, err := sampler.SampleRelative(study, trial, space)
	if err != nil {
		return trial, err
	}
	for name, value := range values {
		if err := study.Storage.SetTrialParam(id, name, value, space[name]); err != nil {
			return trial, err
		}
	}
	trial.InternalParams = values
	return trial, nil
}

// finish ends a trial and returns its value, infinity if it failed.
func finish(study *goptuna.Study, trial goptuna.FrozenTrial) (float64, error) {
	if trial.Number%5 == 3 {
		return math.Inf(1), study.Storage.SetTrialState(trial.ID, goptuna.TrialStateFail)
	}
	value := objective(trial.InternalParams)
	if err := study.Storage.SetTrialValue(trial.ID, value); err != nil {
		return 0, err
	}
	return value, study.Storage.SetTrialState(trial.ID, goptuna.TrialStateComplete)
}

// objective is that of check.py.
func objective(x map[string]float64) float64 {
	best := map[string]struct{ lr, offset float64 }{
		"sgd": {-1.5, 0.6}, "adam": {math.Log10(3e-3), 0}, "rmsprop": {-3, 0.4}, "adagrad": {-2, 0.8},
	}[optimizers[int(x["optimizer"])]]
	square := func(d float64) float64 { return d * d }
	return best.offset +
		0.5*square(math.Log10(x["lr"])-best.lr) +
		2*square(x["momentum"]-0.7) +
		0.05*square(x["layers"]-5) +
		3*square(x["dropout"]-0.2) +
		0.1*square(x["batch"]-2) // the place of 64
}
