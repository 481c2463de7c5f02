package sampler_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

const nastyTrials = 40

// Whatever the values, the study completes its trials without a warning.
func TestNastyValues(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	for _, test := range []struct {
		name  string
		value func(x map[string]float64, i int) float64
	}{
		{"constant", func(map[string]float64, int) float64 { return 3 }},
		{"constant zero", func(map[string]float64, int) float64 { return 0 }},
		{"constant infinity", func(map[string]float64, int) float64 { return math.Inf(1) }},
		{"always NaN", func(map[string]float64, int) float64 { return math.NaN() }},
		{"huge", func(x map[string]float64, _ int) float64 { return 1e300 * fmtest.MixedValue(x) }},
		{"largest floats", func(_ map[string]float64, i int) float64 { return math.MaxFloat64 * float64(1-2*(i%2)) }},
		{"tiny", func(x map[string]float64, _ int) float64 { return 1e-300 * fmtest.MixedValue(x) }},
		{"denormal", func(x map[string]float64, _ int) float64 { return 5e-324 * math.Round(fmtest.MixedValue(x)) }},
		{"600 decades", func(x map[string]float64, _ int) float64 { return math.Pow(10, 300*(fmtest.MixedValue(x)-1)) }},
		{"one outlier", func(x map[string]float64, i int) float64 { return fmtest.MixedValue(x) + 1e300*float64(i%40/39) }},
		{"huge offset", func(x map[string]float64, _ int) float64 { return 1e16 + fmtest.MixedValue(x) }},
		{"two values", func(x map[string]float64, _ int) float64 { return math.Min(1, math.Floor(fmtest.MixedValue(x))) }},
		{"pure noise", func(_ map[string]float64, i int) float64 { return math.Mod(float64(i)*math.Phi, 1) }},
		{"mixture", func(x map[string]float64, i int) float64 {
			return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 1e-300, -1e300, fmtest.MixedValue(x), 0}[i%8]
		}},
	} {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(log))
		calls := 0
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), func(x map[string]float64) float64 {
			calls++
			return test.value(x, calls-1)
		}), nastyTrials)
		trials := fmtest.TrialsOf(t, study)
		if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != nastyTrials {
			t.Errorf("%s: %d trials are complete, want %d", test.name, n, nastyTrials)
		}
		if n := fmtest.Duplicates(trials); n > 0 {
			t.Errorf("%s: %d trials repeat an earlier one", test.name, n)
		}
		t.Log(test.name)
		log.Check(t, 0, "")
	}
}

// Distributions at the limits of float64 and int.
func TestNastyDistributions(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	thousand := make([]string, 1000)
	numbers := make([]string, 1000)
	for i := range thousand {
		thousand[i], numbers[i] = fmt.Sprintf("choice %d", i), strconv.Itoa(i*i)
	}
	for _, test := range []struct {
		name         string
		distribution any
	}{
		{"1,000 choices", goptuna.CategoricalDistribution{Choices: thousand}},
		{"1,000 numbers", goptuna.CategoricalDistribution{Choices: numbers}},
		{"unicode choices", goptuna.CategoricalDistribution{Choices: []string{"α", "", "\x00", "\xff", `"`, "日本"}}},
		{"equal choices", goptuna.CategoricalDistribution{Choices: []string{"a", "a", "b"}}},
		{"numbers that coincide", goptuna.CategoricalDistribution{Choices: []string{"1", "1.0", "2"}}},
		{"smallest numbers", goptuna.CategoricalDistribution{Choices: []string{"-5e-324", "0", "5e-324"}}},
		{"largest numbers", goptuna.CategoricalDistribution{Choices: []string{"-1.7e308", "0", "1.7e308", "1e-300"}}},
		{"300 decades", goptuna.LogUniformDistribution{Low: 1e-150, High: 1e150}},
		{"all decades", goptuna.LogUniformDistribution{Low: math.SmallestNonzeroFloat64, High: math.MaxFloat64}},
		{"one ulp, log", goptuna.LogUniformDistribution{Low: 1e300, High: math.Nextafter(1e300, math.Inf(1))}},
		{"all floats", goptuna.UniformDistribution{Low: -math.MaxFloat64, High: math.MaxFloat64}},
		{"one ulp", goptuna.UniformDistribution{Low: 1, High: math.Nextafter(1, 2)}},
		{"smallest float", goptuna.UniformDistribution{Low: 0, High: math.SmallestNonzeroFloat64}},
		{"most ints", goptuna.IntUniformDistribution{Low: -1 << 62, High: 1 << 62}},
		{"large ints", goptuna.IntUniformDistribution{Low: 1<<62 - 5000, High: 1 << 62}},
		{"small ints", goptuna.IntUniformDistribution{Low: -1 << 62, High: -1<<62 + 1500}},
		{"most step ints", goptuna.StepIntUniformDistribution{Low: -1 << 61, High: 1 << 62, Step: 3}},
		{"large step", goptuna.StepIntUniformDistribution{Low: 0, High: 1 << 62, Step: 1<<62 - 1}},
		{"tiny q", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 1e-12}},
		{"smallest q", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: math.SmallestNonzeroFloat64}},
		{"q below the spacing of floats", goptuna.DiscreteUniformDistribution{Low: 1e17, High: 2e17, Q: 0.1}},
		{"floats in steps", goptuna.DiscreteUniformDistribution{Low: -math.MaxFloat64 / 2, High: math.MaxFloat64 / 2, Q: 1e300}},
	} {
		t.Run(test.name, func(t *testing.T) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, 3))
			params := []fmtest.Param{{Name: "x", Distribution: test.distribution}, {Name: "y", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}}}
			fmtest.Optimize(t, study, fmtest.Ask(params, func(x map[string]float64) float64 { return sq(x["y"] - 0.3) }), nastyTrials)
			if n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateComplete); n != nastyTrials {
				t.Errorf("%d trials are complete, want %d", n, nastyTrials)
			}
			if best, err := study.GetBestValue(); err != nil || best > 1e-3 {
				t.Errorf("best value %v, %v; want almost 0, which depends on y only", best, err)
			}
		})
	}
}

// Fifty trials at one point tell nothing about any other.
func TestIdenticalTrials(t *testing.T) {
	fmtest.Sequential(t)
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 4), goptuna.StudyOptionLogger(log))
	same := map[string]float64{"dropout": 0, "rate": 0.1, "units": 10, "layers": 5, "momentum": 0.5, "kind": 1}
	for range 50 {
		fmtest.Enqueue(t, study, same)
	}
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 90)
	trials := fmtest.TrialsOf(t, study)
	if n := fmtest.Duplicates(trials); n != 49 {
		t.Errorf("%d trials repeat an earlier one, want the 49 enqueued ones", n)
	}
	if best, err := study.GetBestValue(); err != nil || best >= trials[0].Value {
		t.Errorf("best value %v, %v; no better than that of the enqueued trials", best, err)
	}
	log.Check(t, 0, "")
}

// The same, but for a random error in each value.
func TestIdenticalTrialsWithNoise(t *testing.T) {
	fmtest.Sequential(t)
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 5))
	for range 50 {
		fmtest.Enqueue(t, study, map[string]float64{"dropout": 0, "rate": 0.1, "units": 10, "layers": 5, "momentum": 0.5, "kind": 1})
	}
	calls := 0
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), func(x map[string]float64) float64 {
		calls++
		return fmtest.MixedValue(x) + math.Mod(float64(calls)*math.Phi, 1)
	}), 60)
	if n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateComplete); n != 60 {
		t.Errorf("%d trials are complete, want 60", n)
	}
}

// Attributes that look like plans but are none are ignored: a user's, or those
// of another version. The trials are the same as without them.
func TestForeignPlans(t *testing.T) {
	fmtest.Sequential(t)
	const seed, trials = 6, 20
	plain := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
	fmtest.Optimize(t, plain, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), trials)
	for _, garbage := range []string{
		"", "\n", "garbage\n", "garbage without end", "null\n", "[]\n", `"text"` + "\n", "{}\n", `{"v":`, `{"v":{"dropout":7}}` + "\n",
		`{"v":{"dropout":{"x":1e999,"d":""}}}` + "\n", `{"v":{"dropout":{"x":99,"d":"zzz"}}}` + "\n",
		`{"v":null,"f":null}` + "\n", `{"f":{"n":-1,"s":0,"t":{"dropout":-3}}}`, `{"f":{"n":-1,"s":0,"t":{"dropout":-3}}}` + "\n", strings.Repeat("x", 2000), "\x00\xff\n",
	} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			if err := trial.SetSystemAttr("fm:plan:0", garbage); err != nil {
				return 0, err
			}
			return fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue)(trial)
		}, trials)
		fmtest.SameTrials(t, fmt.Sprintf("with the attribute %q", garbage), fmtest.TrialsOf(t, study), fmtest.TrialsOf(t, plain))
	}
}
