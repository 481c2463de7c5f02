// Startup prints the bits of the first trials of a study on a mixed space, for
// the test that they do not depend on the instructions of the processor.
package main

import (
	"fmt"
	"log"
	"math"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

func main() {
	const trials = 10
	study, err := goptuna.CreateStudy("startup", goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(1))))
	if err != nil {
		log.Fatal(err)
	}
	err = study.Optimize(func(trial goptuna.Trial) (float64, error) {
		for i := range 8 {
			k := float64(i)
			if _, err := trial.SuggestFloat(fmt.Sprintf("float %d", i), -0.1-k/3, 0.7+k*math.Pi); err != nil {
				return 0, err
			}
			if _, err := trial.SuggestLogFloat(fmt.Sprintf("log %d", i), 1e-5*(1+k/3), 3+k); err != nil {
				return 0, err
			}
			if _, err := trial.SuggestDiscreteFloat(fmt.Sprintf("fine %d", i), -0.3, 7.1+k/7, 0.013+k/1000); err != nil {
				return 0, err
			}
			if _, err := trial.SuggestDiscreteFloat(fmt.Sprintf("coarse %d", i), -0.3, 1.1, 0.1+k/100); err != nil {
				return 0, err
			}
			if _, err := trial.SuggestInt(fmt.Sprintf("int %d", i), -7, 10_000_000*(i+1)); err != nil {
				return 0, err
			}
			if _, err := trial.SuggestStepInt(fmt.Sprintf("step %d", i), 1, 1000, i+1); err != nil {
				return 0, err
			}
		}
		_, err := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
		return 0, err
	}, trials)
	if err != nil {
		log.Fatal(err)
	}
	all, err := study.GetTrials()
	if err != nil {
		log.Fatal(err)
	}
	for _, trial := range all {
		for name, value := range trial.InternalParams {
			fmt.Printf("%d %s %016x\n", trial.Number, name, math.Float64bits(value))
		}
	}
}
