package insight_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// bowl is a function without noise, on which nothing is left to gain after some
// dozen trials.
func bowl(trial goptuna.Trial) (float64, error) {
	xs, err := floats(trial, 2)
	return math.Pow(xs[0]-0.3, 2) + math.Pow(xs[1]-0.6, 2), err
}

func TestAdviceStops(t *testing.T) {
	fmtest.Sequential(t)
	study := optimized(t, fm.NewSampler(), bowl, 0)
	ctx, cancel := context.WithCancel(t.Context())
	var advice []*insight.Advice
	stop := func(a *insight.Advice) {
		advice = append(advice, a)
		cancel()
	}
	objective := func(_ context.Context, trial goptuna.Trial) (float64, error) { return bowl(trial) }
	err := fm.Optimize(ctx, study, objective, 100, fm.OptimizeOptionFinished(insight.StopWhenAdvised(study, stop)))
	if err != nil || len(advice) != 1 || !advice[0].Stop || !strings.HasPrefix(advice[0].String(), "stop: ") {
		t.Fatalf("advice %v, error %v", advice, err)
	}
	trials, _ := study.GetTrials()
	best, err := study.GetBestValue()
	if n := len(trials); err != nil || n < 20 || n > 60 || best > 1e-4 {
		t.Errorf("stopped after %d trials at %v: %v, error %v", n, best, advice[0], err)
	}
}

// It is each fifth trial after which the advice is asked for, and stop is called once.
func TestStopWhenAdvisedPeriod(t *testing.T) {
	study := atRandom(t, func(trial goptuna.Trial) (float64, error) {
		a, err := trial.SuggestInt("a", 1, 2)
		return float64(a), err
	}, 10) // there are two configurations: nothing is left
	var ended, stopped []int
	finished := insight.StopWhenAdvised(study, func(*insight.Advice) { stopped = append(stopped, len(ended)) })
	for i := range 12 {
		ended = append(ended, i)
		finished(goptuna.FrozenTrial{})
	}
	if !slices.Equal(stopped, []int{5}) {
		t.Errorf("stopped after %v trials, want once after 5", stopped)
	}
}

// Without a study it would go on for ever, and without a function it could not stop.
func TestStopWhenAdvisedPanics(t *testing.T) {
	for _, build := range []func(){
		func() { insight.StopWhenAdvised(nil, func(*insight.Advice) {}) },
		func() { insight.StopWhenAdvised(optimized(t, fm.NewSampler(), bowl, 0), nil) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "fm: StopWhenAdvised needs a study") {
					t.Errorf("panicked with %q", text)
				}
			}()
			build()
		}()
	}
}

// Random search on a function of eight parameters leaves much.
func TestAdviceGoesOn(t *testing.T) {
	fmtest.Sequential(t)
	advice := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
		xs, err := floats(trial, 8)
		sum := 0.0
		for i, x := range xs {
			sum += math.Pow(x-float64(i)/10, 2)
		}
		return sum, err
	}, 40)).Advice()
	if advice.Stop || advice.Gain < 0.05 || advice.Left < 0.9 || !strings.HasPrefix(advice.String(), "go on: ") || strings.Contains(advice.String(), "but") {
		t.Errorf("%+v", advice)
	}
	if few := fit(t, atRandom(t, bowl, 19)).Advice(); few.Stop {
		t.Errorf("%+v after 19 trials", few)
	}
}

// Where the gain of the second half is all that speaks for going on, the sentence says so.
func TestAdviceReason(t *testing.T) {
	fmtest.Sequential(t)
	reasons := map[bool]int{}
	for _, n := range []int{20, 25, 30} {
		advice := fit(t, optimized(t, fm.NewSampler(), bowl, n)).Advice()
		alone := advice.Gain < 0.001 && advice.Left < 0.05 && advice.Recent >= 0.01
		if alone == advice.Stop || strings.Contains(advice.String(), "less than 1 %; but the second half") != alone {
			t.Errorf("%d trials: %+v", n, advice)
		}
		reasons[alone]++
	}
	if len(reasons) < 2 {
		t.Errorf("no study of each kind: %v", reasons)
	}
}

// Where every configuration was tried, nothing is left, however few there are.
func TestAdviceOfExhausted(t *testing.T) {
	for _, n := range []int{2, 5} {
		study := optimized(t, fm.NewSampler(), func(trial goptuna.Trial) (float64, error) {
			a, err := trial.SuggestInt("a", 1, n)
			if err != nil {
				return 0, err
			}
			b, err := trial.SuggestInt("b", 1, n)
			return float64(a * b), err
		}, n*n)
		if advice := fit(t, study).Advice(); !advice.Stop || advice.Reason != "every configuration was tried" {
			t.Errorf("%d configurations: %+v", n*n, advice)
		}
	}
}

// Of noisy trials, the one that looks best is lucky: what is recommended is better
// on average, by a fifth at least.
func TestRecommendUnderNoise(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	const seeds, sd = 100, 0.3
	var recommended, observed, gains []float64
	inside := 0.0
	for seed := range int64(seeds) {
		rng := rand.New(rand.NewPCG(uint64(seed), 50))
		m := fit(t, optimized(t, fm.NewSampler(fm.SamplerOptionSeed(seed)), func(trial goptuna.Trial) (float64, error) {
			y, err := bowl(trial)
			return 5*y + sd*rng.NormFloat64(), err
		}, 40))
		truth := func(params map[string]any) float64 {
			return 5 * (math.Pow(params["x1"].(float64)-0.3, 2) + math.Pow(params["x2"].(float64)-0.6, 2))
		}
		r := m.Recommend()
		recommended, observed = append(recommended, truth(r.Params)), append(observed, truth(r.BestParams))
		gains = append(gains, observed[seed]-recommended[seed])
		if at := recommended[seed]; r.Objective.Low <= at && at <= r.Objective.High {
			inside++
		}
		if r.Better < 0.5 || r.Better > 1 {
			t.Errorf("%+v", r)
		}
	}
	gain, spread := stat.MeanStdDev(gains, nil)
	t.Logf("regret %.4f of what is recommended, %.4f of what looks best, difference %.4f ± %.4f",
		stat.Mean(recommended, nil), stat.Mean(observed, nil), gain, stat.StdErr(spread, seeds))
	if gain < 2*stat.StdErr(spread, seeds) || stat.Mean(recommended, nil) > 0.8*stat.Mean(observed, nil) {
		t.Error("what is recommended is hardly better")
	}
	if inside < 0.7*seeds { // 0.77 do, and 0.64 where the noise is taken for known
		t.Errorf("%.2f of the intervals hold", inside/seeds)
	}
}

// Without noise the best trial is recommended, or one that is hardly different, and
// nothing is worth repeating.
func TestRecommendWithoutNoise(t *testing.T) {
	fmtest.Sequential(t)
	m := fit(t, optimized(t, fm.NewSampler(), bowl, 40), insight.OptionDeterministicObjective(true))
	r := m.Recommend()
	if r.Repeat && r.Number >= 0 {
		t.Errorf("repeat %+v", r)
	}
	if math.Abs(r.Objective.Value-r.BestValue) > 1e-3 {
		t.Errorf("%+v", r)
	}
}

// What prints as a tried configuration is that one, and as the best trial's, the best trial's.
func TestRecommendWhatWasTried(t *testing.T) {
	fmtest.Sequential(t)
	print := func(params map[string]any) string { return fmt.Sprintf("%.4g", params["x1"]) }
	for seed := range int64(10) {
		study := optimized(t, fm.NewSampler(fm.SamplerOptionSeed(seed)), func(trial goptuna.Trial) (float64, error) {
			x, err := floats(trial, 1)
			return math.Pow(x[0]-0.3, 2), err
		}, 30)
		r := fit(t, study).Recommend()
		trials, err := study.GetTrials()
		if err != nil {
			t.Fatal(err)
		}
		for _, trial := range trials {
			alike := print(trial.Params) == print(r.Params)
			if alike && (r.Number < 0 || trial.Number == r.Best && r.Number != r.Best) {
				t.Errorf("seed %d: trial %d prints as %v", seed, trial.Number, r)
			}
		}
	}
}

// finite asks for five parameters of five values each.
func finite(trial goptuna.Trial) (v [5]int, err error) {
	for i := range v {
		if v[i], err = trial.SuggestInt("p"+strconv.Itoa(i), 0, 4); err != nil {
			return v, err
		}
	}
	return v, nil
}

// levels is the inverse of finite.
func levels(params map[string]any) (v [5]int) {
	for i := range v {
		v[i] = params["p"+strconv.Itoa(i)].(int)
	}
	return v
}

// In a finite space a configuration may be better than its neighbours let expect. What
// looks like noise is half believed: without noise, hardly anything is lost.
func TestRecommendWithEffectsOfTheirOwn(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	const seeds = 20
	lost := 0.0
	for seed := range uint64(seeds) {
		value := func(v [5]int) float64 {
			y, cell := 0.0, uint64(0)
			for i, level := range v {
				y += math.Abs(float64(level-i)) / float64(i+2)
				cell = 5*cell + uint64(level)
			}
			return y + 0.3*rand.New(rand.NewPCG(seed, cell)).NormFloat64()
		}
		r := fit(t, optimized(t, fm.NewSampler(fm.SamplerOptionSeed(int64(seed))), func(trial goptuna.Trial) (float64, error) {
			v, err := finite(trial)
			return value(v), err
		}, 100)).Recommend()
		lost += value(levels(r.Params)) - r.BestValue
	}
	lost /= seeds
	t.Logf("what is recommended is worse than the best trial by %.4f", lost)
	if lost > 0.03 { // 0.058 where all of it is taken for noise
		t.Errorf("what is recommended is worse than the best trial by %.4f", lost)
	}
}

// Of one trial, and of none, it is what Bayes' theorem says; many are believed.
func TestWorth(t *testing.T) {
	const signal, noise, y = 3.0, 2.0, 1.5 // variances of g and of a trial about it; half of that is an effect
	near := func(what string, mean, variance, wantMean, wantVariance float64) {
		if math.Abs(mean-wantMean) > 1e-12 || math.Abs(variance-wantVariance) > 1e-12 {
			t.Errorf("%s: mean %v and variance %v, want %v and %v", what, mean, variance, wantMean, wantVariance)
		}
	}
	mean, variance := insight.Worth(0, 0, noise, 0, signal)
	near("no trial", mean, variance, 0, signal+noise/2)
	gain, prior := signal/(signal+noise), signal+noise/2
	mean, variance = insight.Worth(1, y, noise, gain*y, signal*(1-gain))
	near("one trial", mean, variance, prior/(signal+noise)*y, prior-prior*prior/(signal+noise))
	if mean, variance = insight.Worth(1e6, 1e6*y, noise, 0, signal); math.Abs(mean-y) > 1e-5 || variance > 1e-5 {
		t.Errorf("a million trials: mean %v and variance %v", mean, variance)
	}
}

// Where trials fail nothing is recommended, and nothing is left to gain, however good
// the model takes it to be.
func TestAdviceAmongFailures(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	for seed := range int64(4) {
		m := fit(t, optimized(t, fm.NewSampler(fm.SamplerOptionSeed(seed)), func(trial goptuna.Trial) (float64, error) {
			v, err := finite(trial)
			if err == nil && v[0] == 0 && v[1] == 0 {
				err = errors.New("out of memory")
			}
			return 100 + float64((1+v[0]+v[1])*(5+v[2])) + math.Abs(float64(v[3]-2)), err
		}, 100))
		r := m.Recommend()
		if v := levels(r.Params); v[0] == 0 && v[1] == 0 || r.BestValue != 110 {
			t.Errorf("seed %d: %v", seed, r)
		}
		if advice := m.Advice(); !advice.Stop {
			t.Errorf("seed %d: %v", seed, advice)
		}
	}
}

// Two draws, three configurations: the best pair covers both draws.
func TestGreedyGain(t *testing.T) {
	gains := [][]float64{{4, 0, 1}, {0, 3, 1}}
	for k, want := range []float64{0, 2, 3.5, 3.5} {
		if got := insight.GreedyGain(gains, k); got != want {
			t.Errorf("%d configurations gain %v, want %v", k, got, want)
		}
	}
}

// Numbers whose best values are beyond their ranges are said to be at the ends, and no others.
func TestRecommendAtEnd(t *testing.T) {
	m := fit(t, optimized(t, fm.NewSampler(), func(trial goptuna.Trial) (float64, error) {
		wide, err1 := trial.SuggestFloat("wide", 0, 1)
		low, err2 := trial.SuggestLogFloat("low", 1e-3, 1)
		n, err3 := trial.SuggestInt("n", 1, 4)
		long, err4 := trial.SuggestInt("long", 0, 500)
		size, err5 := trial.SuggestCategorical("size", []string{"16", "32", "64"})
		kind, err6 := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
		_, err7 := trial.SuggestFloat("idle", 0, 1)
		value := math.Pow(wide-0.4, 2) + math.Pow(math.Log10(low)+4, 2) + 0.3*math.Pow(float64(n)-6, 2) + math.Abs(float64(long)/500-0.5)
		if kind != "c" {
			value++
		}
		if size != "64" {
			value++
		}
		return value, errors.Join(err1, err2, err3, err4, err5, err6, err7)
	}, 60))
	r := m.Recommend()
	if want := []string{"low", "n", "size"}; !slices.Equal(slices.Sorted(slices.Values(r.AtEnd)), want) {
		t.Errorf("at ends are %v, want %v: %v", r.AtEnd, want, r)
	}
	if text := r.String(); !strings.Contains(text, " are at ends of their ranges") {
		t.Errorf("%s", text)
	}
}
