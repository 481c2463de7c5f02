package simulation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// broken draws at random, with one fault.
type broken struct {
	fault func(study *goptuna.Study, trial goptuna.FrozenTrial, distribution any, value float64) (float64, error)
}

func (b broken) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	rng := rand.New(rand.NewPCG(uint64(trial.Number), uint64(1e6*part(name))))
	return b.fault(study, trial, distribution, draw(rng, distribution))
}

func (b broken) SampleRelative(*goptuna.Study, goptuna.FrozenTrial, map[string]any) (map[string]float64, error) {
	return nil, nil
}

// Every check fails for a sampler that breaks the promise.
func TestChecksCanFail(t *testing.T) {
	var calls atomic.Uint64 // a crowd samples from several goroutines
	for _, test := range []struct {
		name  string
		fault func(study *goptuna.Study, trial goptuna.FrozenTrial, distribution any, value float64) (float64, error)
		want  string
	}{
		{"outside", func(_ *goptuna.Study, trial goptuna.FrozenTrial, d any, value float64) (float64, error) {
			if d, ok := d.(goptuna.IntUniformDistribution); ok && trial.Number > 3 {
				return float64(d.High) + 1, nil
			}
			return value, nil
		}, "which is not in"},
		{"NaN", func(*goptuna.Study, goptuna.FrozenTrial, any, float64) (float64, error) { return math.NaN(), nil }, "is NaN"},
		{"half a choice", func(_ *goptuna.Study, _ goptuna.FrozenTrial, d any, value float64) (float64, error) {
			if _, ok := d.(goptuna.CategoricalDistribution); ok {
				return 0.5, nil
			}
			return value, nil
		}, "which is not in"},
		{"panic", func(_ *goptuna.Study, trial goptuna.FrozenTrial, _ any, value float64) (float64, error) {
			if trial.Number == 5 {
				panic("out of order")
			}
			return value, nil
		}, "panic: out of order"},
		{"error", func(*goptuna.Study, goptuna.FrozenTrial, any, float64) (float64, error) {
			return 0, errors.New("fm: no mood")
		}, "error without a reason: fm: no mood"},
		{"repeats", func(_ *goptuna.Study, _ goptuna.FrozenTrial, d any, _ float64) (float64, error) {
			return draw(rand.New(rand.NewPCG(1, 1)), d), nil
		}, "repeats"},
		{"warns", func(study *goptuna.Study, _ goptuna.FrozenTrial, _ any, value float64) (float64, error) {
			study.GetLogger().Warn("fm: every configuration of the space has a trial")
			return value, nil
		}, "the log says"},
		{"another answer", func(_ *goptuna.Study, trial goptuna.FrozenTrial, d any, _ float64) (float64, error) {
			return draw(rand.New(rand.NewPCG(calls.Add(1), 1)), d), nil
		}, "when asked again"},
	} {
		found := false
		for seed := range uint64(100) {
			_, err := Run(seed, goptuna.NewInMemoryStorage(), Options{Sampler: func(Sampler) Sampler { return broken{test.fault} }})
			if err != nil && strings.Contains(err.Error(), test.want) && strings.Contains(err.Error(), fmt.Sprintf("seed %d, step", seed)) {
				found = true
				break
			}
		}
		if !found {
			t.Errorf("%s: none of 100 studies fails with %q", test.name, test.want)
		}
	}
}

// The number of configurations is the number of different keys that random
// trials have in the end.
func TestSizeIsTheNumberOfKeys(t *testing.T) {
	fmtest.Sequential(t)
	rng := rand.New(rand.NewPCG(3, 4))
	compared := 0
	for range 200 {
		s := randomSpace(rng, pick(rng, finiteFlat, finiteTree))
		n, infinite, known := s.size()
		if infinite || !known || n > 200 {
			continue
		}
		keys := map[string]bool{}
		for range 40*n + 500 {
			trial := goptuna.FrozenTrial{InternalParams: map[string]float64{}, Distributions: map[string]any{}}
			values := map[string]any{}
			for {
				next, ok := s.next(values)
				if !ok {
					break
				}
				x := draw(rng, next.distribution)
				trial.InternalParams[next.name], trial.Distributions[next.name] = x, next.distribution
				values[next.name], _ = goptuna.ToExternalRepresentation(next.distribution, x)
			}
			key, ok := s.key(trial)
			if !ok {
				t.Fatalf("%v is no configuration of %+v", trial.InternalParams, s.nodes)
			}
			keys[key] = true
		}
		// Random draws may miss a rare one.
		if len(keys) > n || len(keys) < n*9/10 {
			t.Errorf("%d keys in a space of %d configurations: %+v", len(keys), n, s.nodes)
		}
		compared++
	}
	if compared < 50 {
		t.Errorf("only %d spaces are small enough to compare", compared)
	}
}

// What is drawn lies in the distribution, by the strict check too.
func TestDrawnValuesAreContained(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		d := pick(rng, smallDistribution, usualDistribution, extremeDistribution)(rng)
		for range rng.IntN(4) {
			d = changed(rng, d)
		}
		if x := draw(rng, d); !contains(d, x) {
			t.Fatalf("%v is not in %#v", x, d)
		}
	}
}
