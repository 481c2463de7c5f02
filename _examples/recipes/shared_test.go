package recipes

import (
	"context"
	_ "embed"
	"fmt"
	"log"
	"math"
	"os"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// objective is what the recipes tune: best at 0.01, 3 and adam.
func objective(ctx context.Context, trial goptuna.Trial) (float64, error) {
	rate, err := trial.SuggestLogFloat("rate", 1e-4, 1)
	if err != nil {
		return 0, err
	}
	layers, err := trial.SuggestInt("layers", 1, 5)
	if err != nil {
		return 0, err
	}
	optimiser, err := trial.SuggestCategorical("optimiser", optimisers)
	if err != nil {
		return 0, err
	}
	return loss(rate, layers, optimiser), ctx.Err()
}

var optimisers = []string{"sgd", "adam", "rmsprop"}

func loss(rate float64, layers int, optimiser string) float64 {
	y := math.Pow(math.Log10(rate)+2, 2) + 0.2*math.Abs(float64(layers)-3)
	if optimiser != "adam" {
		y += 0.5
	}
	return y
}

// newStudy returns a study in memory.
func newStudy(options ...goptuna.StudyOption) *goptuna.Study {
	options = append([]goptuna.StudyOption{
		goptuna.StudyOptionSampler(fm.NewSampler()),
		goptuna.StudyOptionLogger(nil), // quiet
	}, options...)
	study, err := goptuna.CreateStudy("recipe", options...)
	check(err)
	return study
}

// check ends the program at an error. A larger program returns it.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

//go:embed train.py
var trainPy []byte

// Everything runs in an empty directory that has train.py and trials.csv.
func TestMain(m *testing.M) {
	if path := os.Getenv(workerEnv); path != "" {
		worker(path)
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "recipes")
	check(err)
	defer os.RemoveAll(dir)
	check(os.Chdir(dir))
	check(os.WriteFile("train.py", trainPy, 0o666))
	csv := "rate,layers,optimiser,loss\n"
	for _, optimiser := range optimisers {
		for layers := 1; layers <= 5; layers++ {
			rate := math.Pow(10, -float64(layers)/2)
			csv += fmt.Sprintf("%g,%d,%s,%g\n", rate, layers, optimiser, loss(rate, layers, optimiser))
		}
	}
	check(os.WriteFile("trials.csv", []byte(csv), 0o666))
	return m.Run()
}
