package insight_test

import (
	"fmt"
	"log"
	"math"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// What the model of a study says.
func Example() {
	study, err := goptuna.CreateStudy("tune", goptuna.StudyOptionSampler(fm.NewSampler()), goptuna.StudyOptionLogger(nil))
	if err != nil {
		log.Fatal(err)
	}
	err = study.Optimize(func(trial goptuna.Trial) (float64, error) {
		rate, err := trial.SuggestLogFloat("rate", 1e-4, 1)
		if err != nil {
			return 0, err
		}
		optimiser, err := trial.SuggestCategorical("optimiser", []string{"sgd", "adam"})
		loss := math.Pow(math.Log10(rate)+2, 2)
		if optimiser == "sgd" {
			loss += 0.5
		}
		return loss, err
	}, 30)
	if err != nil {
		log.Fatal(err)
	}
	model, err := insight.Fit(study)
	if err != nil {
		log.Fatal(err)
	}
	for _, share := range model.Importance() {
		fmt.Printf("%s explains %.0f %% of the variation\n", share.Param, 100*share.Overall)
	}
	best := model.Recommend()
	fmt.Printf("recommended: rate %.2g, optimiser %v\n", best.Params["rate"], best.Params["optimiser"])
	prediction, _, err := model.Predict(map[string]any{"rate": 0.1, "optimiser": "sgd"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("expected at 0.1 with sgd: %.1f\n", prediction.Value)
	fmt.Println("worth going on:", !model.Advice().Stop)
	// Output:
	// rate explains 93 % of the variation
	// optimiser explains 8 % of the variation
	// recommended: rate 0.01, optimiser adam
	// expected at 0.1 with sgd: 1.5
	// worth going on: false
}
