package recipes

import (
	"context"
	"fmt"
	"sync"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Ask for a trial, evaluate it wherever you like, tell the value, or an error: ErrNotRun where
// it was not run, or with other values. Another process makes the trial from its ID. Where
// trials take hours or days, SamplerOptionRunningTimeout says how long one counts as running.
func Example_askAndTell() {
	study := newStudy()
	for range 20 {
		trial, err := fm.Ask(study) // an enqueued one, or a new one
		check(err)
		rate, err := trial.SuggestLogFloat("rate", 1e-4, 1)
		check(err)
		layers, err := trial.SuggestInt("layers", 1, 5)
		check(err)

		value := loss(rate, layers, "adam") // yours

		check(fm.Tell(goptuna.Trial{Study: study, ID: trial.ID}, value, nil))
	}
	best, err := study.GetBestValue()
	check(err)
	fmt.Println(best < 0.3)
	// Output: true
}

// Trials of a batch are all asked for before the first has its value. Each counts
// the running ones as if they had the values that the model predicts.
func Example_batch() {
	study := newStudy()
	for range 6 {
		var batch sync.WaitGroup
		for range 4 {
			trial, err := fm.Ask(study)
			check(err)
			rate, err := trial.SuggestLogFloat("rate", 1e-4, 1)
			check(err)
			optimiser, err := trial.SuggestCategorical("optimiser", optimisers)
			check(err)
			batch.Go(func() { check(fm.Tell(trial, loss(rate, 3, optimiser), nil)) })
		}
		batch.Wait()
	}
	params, err := study.GetBestParams()
	check(err)
	fmt.Println(params["optimiser"])
	// Output: adam
}

// A configuration that is known to be good goes first. Parameters that are left
// out are the sampler's.
func Example_enqueue() {
	study := newStudy()
	trials, err := study.GetTrials()
	check(err)
	if len(trials) == 0 { // else the program runs again
		check(fm.EnqueueTrial(study, map[string]any{"rate": 0.02, "optimiser": "rmsprop"}, map[string]any{
			"rate":      goptuna.LogUniformDistribution{Low: 1e-4, High: 1}, // as the objective asks for them
			"optimiser": goptuna.CategoricalDistribution{Choices: optimisers},
		}))
	}
	check(fm.Optimize(context.Background(), study, objective, 10))

	trials, err = study.GetTrials()
	check(err)
	fmt.Println(trials[0].Params["rate"], trials[0].Params["optimiser"])
	// Output: 0.02 rmsprop
}
