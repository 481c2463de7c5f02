package sampler

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

// keyedCovariance is a covariance, and the kernel, space, hyperparameters and
// number of points of the fit that it belongs to.
type keyedCovariance struct {
	key string
	*gp.Covariance
}

// keyedSamples are hyperparameters drawn from their posterior, and what they
// depend on.
type keyedSamples struct {
	key    string
	xs     []fmkernel.Point
	ys     []float64
	hypers []gp.Hyper
}

// hypers returns the hyperparameters whose acquisition functions are averaged:
// the most probable ones alone, or samples. Samples are a function of the seed,
// the last fit and the observations that it saw: like the fit they stand until
// the next one, and a process that continues the study draws the same.
func (t *task) hypers(kernel *fmkernel.Kernel, fitted gp.Hyper, base int) []gp.Hyper {
	if t.hyperSamples == 0 {
		return []gp.Hyper{fitted}
	}
	last := &t.FMSampler.last.samples
	key := fmt.Sprint(kernel, t.transform.Name(), t.spaceKey(), fitted)
	xs, ys := t.xs[:base], t.ys[:base]
	if last.key == key && len(xs) == len(last.xs) && isPrefix(xs, last.xs) && slices.Equal(ys, last.ys) {
		return last.hypers
	}
	keep := subset(ys, maxFit, t.seed)
	rng := rand.New(rand.NewPCG(t.seed, qmc.Mix(t.seed, qmc.HashString(uint64(base), "slice sampling"))))
	samples, err := gp.Sample(kernel, t.prior(kernel), pick(xs, keep), t.targets(pick(ys, keep)), rng, fitted, t.hyperSamples)
	if err != nil {
		t.warn(t.study, "the hyperparameters cannot be sampled; the most probable ones are used", err)
		return []gp.Hyper{fitted}
	}
	*last = keyedSamples{key, slices.Clone(xs), slices.Clone(ys), samples}
	return samples
}
