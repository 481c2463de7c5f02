package recipes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/medianstopping"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

func Example_maximise() {
	accuracy := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		y, err := objective(ctx, trial)
		return 1 - y, err
	}
	study := newStudy(goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize))
	check(fm.Optimize(context.Background(), study, accuracy, 30))

	best, err := study.GetBestValue()
	check(err)
	fmt.Println(best > 0.9)
	// Output: true
}

// A limit on what the objective measures, such as a latency: return it with the value.
// A trial beyond a limit fails, so that the best one is within; but the sampler learns
// how far each was from its limit, and goes there. Of fm.AtMost and fm.AtLeast there may
// be several.
func Example_limits() {
	server := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		machines, err := trial.SuggestInt("machines", 1, 40)
		if err != nil {
			return 0, err
		}
		cache, err := trial.SuggestLogFloat("cache_mb", 16, 65536)
		if err != nil {
			return 0, err
		}
		hits := 1 - math.Exp(-math.Sqrt(cache/4096)) // measure these
		latency := 2 + 400*(2-hits)/float64(machines)
		cost := float64(machines) * (10 + cache/2048)
		return fm.Constrained(trial, cost, fm.AtMost("latency_ms", latency, 30), fm.AtLeast("hit_rate", hits, 0.8))
	}
	study := newStudy()
	check(fm.Optimize(context.Background(), study, server, 40))

	cost, err := study.GetBestValue() // the least within the limits is 263.77
	check(err)
	fmt.Println(cost >= 263.77, cost < 265)
	// Output: true true
}

// To see what another limit allows, or where none of the trials is within, begin another study
// with it, and take the trials along: those that are within it now need not run again.
func Example_otherLimits() {
	most := 30.0
	server := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		machines, err := trial.SuggestInt("machines", 1, 40)
		if err != nil {
			return 0, err
		}
		latency := 2 + 400/float64(machines) // measure it
		return fm.Constrained(trial, float64(machines), fm.AtMost("latency_ms", latency, most))
	}
	study := newStudy()
	check(fm.Optimize(context.Background(), study, server, 15))

	most = 40
	next := newStudy()
	check(fm.CopyTrials(next, study, fm.CopyOptionLimits(map[string]float64{"latency_ms": most})))
	check(fm.Optimize(context.Background(), next, server, 5))

	before, err := study.GetBestValue()
	check(err)
	now, err := next.GetBestValue()
	check(err)
	fmt.Println(before, now)
	// Output: 15 11
}

// What cannot run at all, as one that does not fit into memory, has no value: return an
// error, and no made-up bad value. The trial fails, and the sampler learns where trials fail.
func Example_constraint() {
	limited := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		layers, err := trial.SuggestInt("layers", 1, 5)
		if err != nil {
			return 0, err
		}
		width, err := trial.SuggestInt("width", 1, 100)
		if err != nil {
			return 0, err
		}
		if layers*width > 150 {
			return 0, errors.New("too large for the device")
		}
		return -float64(layers*width) + 10*float64(layers), nil
	}
	study := newStudy()
	check(fm.Optimize(context.Background(), study, limited, 40))

	trials, err := study.GetTrials()
	check(err)
	failed := func(trials []goptuna.FrozenTrial) (n int) {
		for _, trial := range trials {
			if trial.State == goptuna.TrialStateFail {
				n++
			}
		}
		return n
	}
	best, err := study.GetBestValue()
	check(err)
	fmt.Println(best <= -120, failed(trials[20:]) < 20)
	// Output: true true
}

// Each layer has a parameter of its own: ask for as many as there are. An int on
// a log scale is a power of two.
func Example_layers() {
	network := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		layers, err := trial.SuggestInt("layers", 1, 4)
		if err != nil {
			return 0, err
		}
		y := math.Abs(float64(layers) - 2)
		for i := range layers {
			log2, err := trial.SuggestInt(fmt.Sprintf("log2_units_%d", i), 4, 10)
			if err != nil {
				return 0, err
			}
			units := 1 << log2
			y += math.Abs(math.Log2(float64(units)/128)) / float64(layers)
		}
		return y, nil
	}
	study := newStudy()
	check(fm.Optimize(context.Background(), study, network, 60))

	best, err := study.GetBestParams()
	check(err)
	fmt.Println(best)
	// Output: map[layers:2 log2_units_0:7 log2_units_1:7]
}

// Codecs with a speed and a size, machines with cores and memory: choices with properties make a
// graph. Join two where no third is nearer to both than they are to each other, by edges of weight 1.
// Every choice then has a path to every other one. Let each property have a range of about one, and
// take those that the objective depends on. Edges between all, with weights by distance, are no help.
func Example_properties() {
	codecs := []struct {
		name        string
		speed, size float64 // MB/s, and of 1 MB
	}{
		{"none", 9000, 1}, {"lz4", 780, 0.48}, {"lz4 -9", 40, 0.37}, {"zlib -1", 119, 0.36}, {"zlib -6", 35, 0.32}, {"zlib -9", 14, 0.32},
		{"zstd -1", 510, 0.35}, {"zstd -5", 115, 0.3}, {"zstd -11", 26, 0.28}, {"brotli -5", 36, 0.28}, {"xz -6", 3, 0.23},
	}
	n := len(codecs)
	distance := func(a, b int) float64 {
		x, y := codecs[a], codecs[b]
		return math.Hypot(math.Log10(x.speed/y.speed)/4, x.size-y.size)
	}
	var names []string
	var edges []graphs.Edge
	for a := range n {
		names = append(names, codecs[a].name)
		for b := range a {
			between := false
			for c := range n {
				between = between || max(distance(a, c), distance(b, c)) < distance(a, b)
			}
			if !between {
				edges = append(edges, graphs.Edge{U: a, V: b, Weight: 1})
			}
		}
	}
	alike, err := graphs.FromEdges(n, edges...)
	check(err)
	study := newStudy(goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionGraph("codec", alike))))
	check(fm.Optimize(context.Background(), study, func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		name, err := trial.SuggestCategorical("codec", names)
		if err != nil {
			return 0, err
		}
		block, err := trial.SuggestLogFloat("block_kb", 4, 4096)
		if err != nil {
			return 0, err
		}
		codec := codecs[slices.Index(names, name)]
		return 1/codec.speed + codec.size/100 + math.Pow(math.Log10(block/256), 2)/1000, nil // measure it
	}, 30))

	best, err := study.GetBestParams()
	check(err)
	fmt.Println(best["codec"])
	// Output: zstd -1
}

// Some documents are found, and some of these are kept. Ask for the number that
// are kept as a share: the range 1 to found would be another one in every trial,
// and trials with a value outside of the latest range may not be used.
func Example_dependentRange() {
	retrieval := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		found, err := trial.SuggestInt("found", 1, 50)
		if err != nil {
			return 0, err
		}
		share, err := trial.SuggestFloat("kept_share", 0, 1)
		if err != nil {
			return 0, err
		}
		kept := 1 + int(math.Round(share*float64(found-1)))
		return math.Abs(float64(found-30))/10 + math.Abs(float64(kept-6)), nil
	}
	study := newStudy()
	check(fm.Optimize(context.Background(), study, retrieval, 40))

	best, err := study.GetBestValue()
	check(err)
	fmt.Println(best < 0.5)
	// Output: true
}

// Memory is split between three caches. Ask for one float less than there are shares: each takes
// its part of what is left, and the last share is the rest. With the power, all splits are equally
// probable where the floats are uniform; without it the first share would be half of all on average.
// Floats divided by their sum would be one dimension more, in which many are the same split. The
// parts of a split that is known, to enqueue it, are 1 - (1-share/rest)^(n-1-i).
func Example_shares() {
	const n = 3
	caches := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		shares, rest := make([]float64, n), 1.0
		for i := range n - 1 {
			u, err := trial.SuggestFloat(fmt.Sprintf("part_%d", i), 0, 1)
			if err != nil {
				return 0, err
			}
			shares[i] = rest * (1 - math.Pow(1-u, 1/float64(n-1-i)))
			rest -= shares[i]
		}
		shares[n-1] = rest
		return 1/(0.1+shares[0]) + 4/(0.1+shares[1]) + 2/(0.1+shares[2]), nil // measure it
	}
	study := newStudy()
	check(fm.Optimize(context.Background(), study, caches, 30))

	best, err := study.GetBestValue() // the least is (1+2+√2)²/1.3, 14.99
	check(err)
	fmt.Println(best < 15.05)
	// Output: true
}

// A pruner stops trials that are worse than others at the same step. The
// objective reports its intermediate values and returns the pruner's error.
func Example_pruning() {
	training := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		final, err := objective(ctx, trial)
		if err != nil {
			return 0, err
		}
		var now float64
		for epoch := 1; epoch <= 10; epoch++ {
			now = final + 1/float64(epoch) // train for one epoch here
			if err := trial.ShouldPrune(epoch, now); err != nil {
				return 0, err
			}
		}
		return now, nil
	}
	study := newStudy(goptuna.StudyOptionPruner(medianstopping.NewMedianPruner()))
	check(fm.Optimize(context.Background(), study, training, 40))

	best, err := study.GetBestValue()
	check(err)
	fmt.Println(best < 0.3)
	// Output: true
}

// A parameter that is settled has one value. Trials that had others still count.
func Example_fixedParameters() {
	choices := []string{"sgd", "adam", "rmsprop"}
	narrowing := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		optimiser, err := trial.SuggestCategorical("optimiser", choices)
		if err != nil {
			return 0, err
		}
		rate, err := trial.SuggestLogFloat("rate", 1e-4, 1)
		return loss(rate, 3, optimiser), err
	}
	study := newStudy()
	check(fm.Optimize(context.Background(), study, narrowing, 20))
	choices = []string{"adam"} // in your program: edit this line, and run it again
	check(fm.Optimize(context.Background(), study, narrowing, 10))

	best, err := study.GetBestValue()
	check(err)
	trials, err := study.GetTrials()
	check(err)
	fmt.Println(best < 0.1, trials[20].Params["optimiser"], trials[29].Params["optimiser"])
	// Output: true adam adam
}

// The sampler learns how much noise there is: nothing needs to be set. But the
// best value of a noisy study is the luckiest one. Let the last ten trials
// measure the best five twice again, and use what is recommended then.
func Example_noise() {
	rng := rand.New(rand.NewPCG(1, 2))
	noisy := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		y, err := objective(ctx, trial)
		return y + 0.1*rng.NormFloat64(), err
	}
	study := newStudy()
	check(fm.Optimize(context.Background(), study, noisy, 40))

	trials, err := study.GetTrials()
	check(err)
	trials = slices.DeleteFunc(trials, func(t goptuna.FrozenTrial) bool { return t.State != goptuna.TrialStateComplete })
	slices.SortFunc(trials, func(a, b goptuna.FrozenTrial) int { return cmp.Compare(a.Value, b.Value) }) // the smallest first
	for _, trial := range trials[:5] {
		for range 2 {
			check(fm.EnqueueTrial(study, trial.Params, trial.Distributions))
		}
	}
	check(fm.Optimize(context.Background(), study, noisy, 10))

	model, err := insight.Fit(study)
	check(err)
	fmt.Println(model.Recommend().Objective.Value < 0.2)
	// Output: true
}

// otherLanguage asks a program in another language, which reads the parameters
// from its standard input and prints the value. A failure of the program is a
// failed trial.
func otherLanguage(ctx context.Context, trial goptuna.Trial) (float64, error) {
	rate, err := trial.SuggestLogFloat("rate", 1e-4, 1)
	if err != nil {
		return 0, err
	}
	layers, err := trial.SuggestInt("layers", 1, 5)
	if err != nil {
		return 0, err
	}
	input, err := json.Marshal(map[string]any{"rate": rate, "layers": layers})
	if err != nil {
		return 0, err
	}
	program := exec.CommandContext(ctx, "python3", "train.py") // killed when the study stops
	program.Stdin = bytes.NewReader(input)
	program.Stderr = os.Stderr // its log
	output, err := program.Output()
	if err != nil {
		return 0, err
	}
	lines := strings.Fields(string(output))
	if len(lines) == 0 {
		return 0, errors.New("train.py has printed nothing")
	}
	return strconv.ParseFloat(lines[len(lines)-1], 64)
}

func TestOtherLanguage(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	study := newStudy()
	check(fm.Optimize(t.Context(), study, otherLanguage, 3))
	trials, err := study.GetTrials()
	check(err)
	for _, trial := range trials {
		want := loss(trial.Params["rate"].(float64), trial.Params["layers"].(int), "adam")
		if trial.State != goptuna.TrialStateComplete || trial.Value-want > 1e-9 || want-trial.Value > 1e-9 {
			t.Errorf("trial %d is %s with %v, want %v", trial.Number, trial.State, trial.Value, want)
		}
	}
}

// Say which values are alike by a graph: its vertices are the values, in order.
func Example_graphs() {
	codec, err := graphs.FromEdges(3, // h264, h265, av1: the first two are most alike
		graphs.Edge{U: 0, V: 1, Weight: 4}, graphs.Edge{U: 1, V: 2, Weight: 1}, graphs.Edge{U: 0, V: 2, Weight: 1})
	check(err)
	study := newStudy(goptuna.StudyOptionSampler(fm.NewSampler(
		fm.SamplerOptionGraph("preset", graphs.Path(4)), // off, fast, good, best: in their order
		fm.SamplerOptionGraph("hour", graphs.Cycle(24)), // 23 is next to 0
		fm.SamplerOptionGraph("codec", codec),
	)))
	presets := []string{"off", "fast", "good", "best"}
	check(fm.Optimize(context.Background(), study, func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		preset, err := trial.SuggestCategorical("preset", presets)
		if err != nil {
			return 0, err
		}
		hour, err := trial.SuggestInt("hour", 0, 23)
		if err != nil {
			return 0, err
		}
		codec, err := trial.SuggestCategorical("codec", []string{"h264", "h265", "av1"})
		if err != nil {
			return 0, err
		}
		y := math.Abs(float64(slices.Index(presets, preset)-2)) + math.Cos(2*math.Pi*float64(hour-12)/24)
		if codec == "av1" {
			y++
		}
		return y, nil
	}, 30))

	best, err := study.GetBestParams()
	check(err)
	fmt.Println(best["preset"], best["hour"])
	// Output: good 0
}
