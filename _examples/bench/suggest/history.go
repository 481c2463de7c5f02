package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

const (
	// startupTrials of a history are random, and then every second one is.
	startupTrials = 10
	// elite is the number of best trials that the others are drawn around.
	elite = 5
)

// observation is a finished trial.
type observation struct {
	x     []float64
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
		x := make([]float64, len(s.Space))
		if i < startupTrials || i%2 == 0 {
			for j, q := range s.Space {
				x[j] = fromUnit(q, rng.Float64())
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
	for j, q := range s.Space {
		if q.Kind == problems.Nominal {
			x[j] = from[j]
			if rng.Float64() < radius {
				x[j] = fromUnit(q, rng.Float64())
			}
			continue
		}
		// Reflected at the ends, which keeps trials from piling up there.
		u := math.Mod(math.Abs(toUnit(q, from[j])+radius*rng.NormFloat64()), 2)
		if u > 1 {
			u = 2 - u
		}
		const belowOne = 1 - 0x1p-53 // fromUnit takes [0, 1)
		x[j] = fromUnit(q, math.Min(u, belowOne))
	}
}

// insert adds finished trials to a study without running them.
func (s *space) insert(study *goptuna.Study, trials []observation) error {
	distributions, err := s.distributions()
	if err != nil {
		return err
	}
	now := time.Now()
	for _, o := range trials {
		trial := goptuna.FrozenTrial{
			State:              goptuna.TrialStateComplete,
			Value:              o.value,
			IntermediateValues: map[int]float64{},
			DatetimeStart:      now,
			DatetimeComplete:   now,
			InternalParams:     make(map[string]float64, len(s.Space)),
			Params:             make(map[string]any, len(s.Space)),
			Distributions:      distributions,
			UserAttrs:          map[string]string{},
			SystemAttrs:        map[string]string{},
		}
		for j, q := range s.Space {
			internal := o.x[j]
			if q.Kind == problems.Ordinal {
				internal += q.Low // the steps are of 1
			}
			if trial.Params[q.Name], err = goptuna.ToExternalRepresentation(distributions[q.Name], internal); err != nil {
				return err
			}
			trial.InternalParams[q.Name] = internal
		}
		if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
			return err
		}
	}
	return nil
}

// distributions returns what a trial of the space asks for.
func (s *space) distributions() (map[string]any, error) {
	study, err := goptuna.CreateStudy("", goptuna.StudyOptionSampler(problems.NewRandomSampler(0)), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return nil, err
	}
	if err := study.Optimize(s.Objective, 1); err != nil {
		return nil, err
	}
	trials, err := study.GetTrials()
	if err != nil {
		return nil, err
	}
	return trials[0].Distributions, nil
}
