package sampler_test

import (
	"context"
	"fmt"
	"log"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// A study in memory. Package cachedrdb keeps one in a file or on a server.
func Example() {
	study, err := goptuna.CreateStudy("tune",
		goptuna.StudyOptionSampler(fm.NewSampler()),
		goptuna.StudyOptionLogger(nil), // quiet
	)
	if err != nil {
		log.Fatal(err)
	}
	objective := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		rate, err := trial.SuggestLogFloat("rate", 1e-4, 1)
		if err != nil {
			return 0, err
		}
		activation, err := trial.SuggestCategorical("activation", []string{"relu", "tanh", "gelu"})
		if err != nil {
			return 0, err
		}
		loss := math.Pow(math.Log10(rate)+2, 2) // best at 0.01
		if activation != "gelu" {
			loss++
		}
		return loss, nil
	}
	if err := fm.Optimize(context.Background(), study, objective, 30); err != nil {
		log.Fatal(err)
	}
	loss, err := study.GetBestValue()
	if err != nil {
		log.Fatal(err)
	}
	params, err := study.GetBestParams()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(params["activation"], loss < 0.01)
	// Output: gelu true
}

// The sampler goes where TPE's would stand, in a program that leaves the rest to
// Goptuna.
func ExampleNewSampler() {
	study, err := goptuna.CreateStudy("tune",
		goptuna.StudyOptionSampler(fm.NewSampler()), // was: tpe.NewSampler()
		goptuna.StudyOptionLogger(nil),
	)
	if err != nil {
		log.Fatal(err)
	}
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", -1, 1)
		return x * x, err
	}
	if err := study.Optimize(objective, 20); err != nil {
		log.Fatal(err)
	}
	value, err := study.GetBestValue()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value < 0.001)
	// Output: true
}

// What goes wrong in a trial stays in that trial.
func ExampleOptimize() {
	study, err := goptuna.CreateStudy("tune", goptuna.StudyOptionSampler(fm.NewSampler()), goptuna.StudyOptionLogger(nil))
	if err != nil {
		log.Fatal(err)
	}
	// Four trials at a time, for a minute at most.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = fm.Optimize(ctx, study, func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", -1, 1)
		if err != nil {
			return 0, err
		}
		if x > 0.5 {
			panic("out of range")
		}
		return math.Sqrt(x), nil // NaN if x is negative
	}, 20, fm.OptimizeOptionWorkers(4))
	if err != nil {
		log.Fatal(err)
	}
	trials, err := study.GetTrials()
	if err != nil {
		log.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, trial := range trials {
		reasons[trial.UserAttrs["fm: error"]] = true
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		reason, _, _ = strings.Cut(reason, ", at ") // the file and line of a panic
		fmt.Printf("%q\n", reason)
	}
	// Output:
	// ""
	// "panic: out of range"
	// "the objective returned NaN"
}

// Measurements of last week: the study goes on from them.
func ExampleAddTrial() {
	study, err := goptuna.CreateStudy("tune", goptuna.StudyOptionSampler(fm.NewSampler()), goptuna.StudyOptionLogger(nil))
	if err != nil {
		log.Fatal(err)
	}
	distributions := map[string]any{ // as the objective asks for them
		"rate":       goptuna.LogUniformDistribution{Low: 1e-4, High: 1},
		"activation": goptuna.CategoricalDistribution{Choices: []string{"relu", "tanh", "gelu"}},
	}
	for _, m := range []struct {
		rate       float64
		activation string
		loss       float64
	}{{0.1, "relu", 2.1}, {0.01, "gelu", 0.3}, {1, "tanh", math.NaN()}} {
		if err := fm.AddTrial(study, m.loss, map[string]any{"rate": m.rate, "activation": m.activation}, distributions); err != nil {
			log.Fatal(err)
		}
	}
	params, err := study.GetBestParams()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(params)
	// Output: map[activation:gelu rate:0.01]
}

// tune runs a study of 12 trials, as many as there are configurations, and
// prints the best one.
func tune(options ...fm.SamplerOption) *goptuna.Study {
	study, err := goptuna.CreateStudy("tune",
		goptuna.StudyOptionSampler(fm.NewSampler(options...)),
		goptuna.StudyOptionLogger(nil),
	)
	if err != nil {
		log.Fatal(err)
	}
	objective := func(trial goptuna.Trial) (float64, error) {
		optimiser, err := trial.SuggestCategorical("optimiser", []string{"sgd", "adam", "adamw"})
		if err != nil {
			return 0, err
		}
		layers, err := trial.SuggestInt("layers", 1, 4)
		if err != nil {
			return 0, err
		}
		loss := map[string]float64{"sgd": 0.5, "adam": 0.2, "adamw": 0.1}[optimiser]
		return loss + math.Abs(float64(layers)-3), nil
	}
	if err := study.Optimize(objective, 12); err != nil {
		log.Fatal(err)
	}
	params, err := study.GetBestParams()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(params["optimiser"], params["layers"])
	return study
}

// The same seed gives the same trials, and so does a study that is stopped and
// continued.
func ExampleSamplerOptionSeed() {
	first, second := tune(fm.SamplerOptionSeed(42)), tune(fm.SamplerOptionSeed(42))
	a, err := first.GetTrials()
	if err != nil {
		log.Fatal(err)
	}
	b, err := second.GetTrials()
	if err != nil {
		log.Fatal(err)
	}
	same := true
	for i := range a {
		same = same && a[i].Value == b[i].Value
	}
	fmt.Println(same)
	// Output:
	// adamw 3
	// adamw 3
	// true
}

// The model takes over after five trials in place of ten.
func ExampleSamplerOptionNumberOfStartupTrials() {
	tune(fm.SamplerOptionNumberOfStartupTrials(5))
	// Output: adamw 3
}

// A bound that keeps suggestions fast in a long study.
func ExampleSamplerOptionNumberOfModelTrials() {
	tune(fm.SamplerOptionNumberOfModelTrials(300))
	// Output: adamw 3
}

// What is known of the choices: adam and adamw are alike, sgd differs from both.
func ExampleSamplerOptionGraph() {
	g, err := graphs.FromEdges(3, // sgd, adam, adamw: the choices in order
		graphs.Edge{U: 0, V: 1, Weight: 1},
		graphs.Edge{U: 0, V: 2, Weight: 1},
		graphs.Edge{U: 1, V: 2, Weight: 4},
	)
	if err != nil {
		log.Fatal(err)
	}
	tune(fm.SamplerOptionGraph("optimiser", g))
	// Output: adamw 3
}

func ExampleSamplerOptionKernel() {
	tune(fm.SamplerOptionKernel(fmkernel.NewProdLap))
	// Output: adamw 3
}

// A kernel with a modulator of one's choice.
func ExampleSamplerOptionKernel_modulator() {
	tune(fm.SamplerOptionKernel(func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error) {
		return fmkernel.New(fmkernel.PowerSum(0.5, 0.5), dims, gs...)
	}))
	// Output: adamw 3
}

// As in the paper's implementation.
func ExampleSamplerOptionReferenceFit() {
	tune(fm.SamplerOptionReferenceFit(true))
	// Output: adamw 3
}

// The mean over three samples of the hyperparameters.
func ExampleSamplerOptionSliceSampling() {
	tune(fm.SamplerOptionSliceSampling(3))
	// Output: adamw 3
}

// An objective without noise.
func ExampleSamplerOptionDeterministicObjective() {
	tune(fm.SamplerOptionDeterministicObjective(true))
	// Output: adamw 3
}

// A trial that has been running for an hour has lost its worker.
func ExampleSamplerOptionRunningTimeout() {
	tune(fm.SamplerOptionRunningTimeout(time.Hour))
	// Output: adamw 3
}

// Without what the dashboard shows of the model.
func ExampleSamplerOptionStudyAttributes() {
	study := tune(fm.SamplerOptionStudyAttributes(false))
	attrs, err := study.GetUserAttrs()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(attrs), "attributes")
	// Output:
	// adamw 3
	// 0 attributes
}
