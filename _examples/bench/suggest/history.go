package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/c-bata/goptuna"
)

const (
	// startupTrials of a history are random, and then every second one is.
	startupTrials = 10
	// elite is the number of best trials that the others are drawn around.
	elite = 5
)

// observation is a finished trial.
type observation struct {
	x     []float64 // values in the internal representation
	value float64
}

// history returns n trials such as a study has: ten random ones, and then by
// turns one that explores and one near one of the best so far, nearer and
// nearer with time. The same seed gives the same trials, and a shorter history
// is the beginning of a longer one.
func (s *space) history(n int, seed int64) []observation {
	rng := rand.New(rand.NewPCG(uint64(seed), 0))
	trials := make([]observation, n)
	var best []observation // ascending, elite of them at most
	for i := range trials {
		x := make([]float64, len(s.params))
		if i < startupTrials || i%2 == 0 {
			for j := range s.params {
				x[j] = s.params[j].fromUnit(rng.Float64())
			}
		} else {
			// From a quarter of the range at trial 10 to a hundredth at 7,000.
			radius := 0.25 / math.Sqrt(1+float64(i-startupTrials)/startupTrials)
			s.perturb(x, best[rng.IntN(len(best))].x, radius, rng)
		}
		trials[i] = observation{x, s.objective(x)}
		at, _ := slices.BinarySearchFunc(best, trials[i].value, func(o observation, value float64) int {
			return cmp.Compare(o.value, value)
		})
		best = slices.Insert(best, at, trials[i])
		best = best[:min(elite, len(best))]
	}
	return trials
}

// perturb sets x to a point near from: on the unit scale values with an order
// move by about radius, and choices change with that probability.
func (s *space) perturb(x, from []float64, radius float64, rng *rand.Rand) {
	for j := range s.params {
		p := &s.params[j]
		if _, categorical := p.distribution.(goptuna.CategoricalDistribution); categorical {
			x[j] = from[j]
			if rng.Float64() < radius {
				x[j] = p.fromUnit(rng.Float64())
			}
			continue
		}
		// Reflected at the ends, which keeps trials from piling up there.
		u := math.Mod(math.Abs(p.toUnit(from[j])+radius*rng.NormFloat64()), 2)
		if u > 1 {
			u = 2 - u
		}
		const belowOne = 1 - 0x1p-53 // fromUnit takes [0, 1)
		x[j] = p.fromUnit(math.Min(u, belowOne))
	}
}

// insert adds finished trials to a study without running them.
func (s *space) insert(study *goptuna.Study, trials []observation) error {
	now := time.Now()
	for _, o := range trials {
		trial := goptuna.FrozenTrial{
			State:              goptuna.TrialStateComplete,
			Value:              o.value,
			IntermediateValues: map[int]float64{},
			DatetimeStart:      now,
			DatetimeComplete:   now,
			InternalParams:     make(map[string]float64, len(s.params)),
			Params:             make(map[string]any, len(s.params)),
			Distributions:      make(map[string]any, len(s.params)),
			UserAttrs:          map[string]string{},
			SystemAttrs:        map[string]string{},
		}
		for j, p := range s.params {
			external, err := goptuna.ToExternalRepresentation(p.distribution, o.x[j])
			if err != nil {
				return err
			}
			trial.InternalParams[p.name] = o.x[j]
			trial.Params[p.name] = external
			trial.Distributions[p.name] = p.distribution
		}
		if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
			return err
		}
	}
	return nil
}
