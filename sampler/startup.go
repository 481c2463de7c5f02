package sampler

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

// startupRetries is how many points are drawn to avoid one that was used.
const startupRetries = 200

// startup returns point number trial.Number of a scrambled Sobol sequence over
// all parameters of the study. A parameter has a coordinate of the sequence by
// the order in which names turned up in the history, and is scrambled by its
// name, so that its values depend on nothing else the trial asks for.
func (t *task) startup() map[string]float64 {
	names := t.names()
	u := make(map[string]float64, len(names))
	if len(names) > 0 {
		seeds := make([]uint64, len(names))
		for i, name := range names {
			seeds[i] = qmc.HashString(t.seed, name)
		}
		seq, at := qmc.New(seeds), make([]float64, len(names))
		seq.Seek(t.trial.Number)
		seq.PointTo(at)
		for i, name := range names {
			u[name] = at[i]
		}
	}
	values := map[string]float64{}
	for _, p := range t.space.Params() {
		at, ok := u[p.Name]
		if !ok {
			at = t.first(p.Name)
		}
		values[p.Name] = p.FromUnit(at)
	}
	taken, ok := t.take(values)
	if !ok || t.isUsed(taken) {
		return t.unused(taken)
	}
	return taken
}

// take returns those of the values that the branch they lead into has, and false
// when they lead into none that is left.
func (t *task) take(values map[string]float64) (taken map[string]float64, ok bool) {
	for _, b := range t.branches {
		taken = t.in(b, values)
		if t.leadsInto(b, taken, t.distributions()) {
			return taken, true
		}
	}
	return taken, false
}

// first returns the coordinate of a parameter that no finished trial has: that
// of point 0 in the study's first trial, where any numbering of coordinates
// gives the same, and an independent one in trials that run beside it.
func (t *task) first(name string) float64 {
	seed := qmc.HashString(t.seed, name)
	if t.trial.Number > 0 {
		seed = qmc.Mix(seed, uint64(t.trial.Number))
	}
	var at [1]float64
	qmc.New([]uint64{seed}).PointTo(at[:])
	return at[0]
}

// names returns the parameters of the finished trials in the order of their
// first appearance, those of one trial by name.
func (t *task) names() []string {
	var names []string
	known := map[string]bool{}
	for _, f := range t.Finished {
		at := len(names)
		for name := range f.InternalParams {
			if !known[name] {
				known[name] = true
				names = append(names, name)
			}
		}
		slices.Sort(names[at:])
	}
	return names
}

// isUsed reports whether the values are a configuration of an earlier trial.
func (t *task) isUsed(values map[string]float64) bool {
	x, ok := t.point(values)
	return ok && t.used[t.space.Key(x)]
}

// unused draws until it finds a configuration without a trial, looks through a
// small space in order when that fails, and returns the values it was given
// when every configuration has one.
func (t *task) unused(values map[string]float64) map[string]float64 {
	for range startupRetries {
		draw := map[string]float64{}
		for _, p := range t.space.Params() {
			draw[p.Name] = p.FromUnit(t.rng.Float64())
		}
		if taken, ok := t.take(draw); ok && !t.isUsed(taken) {
			return taken
		}
	}
	for _, b := range t.branches {
		if x, ok := t.domain(b).FirstFree(); ok {
			return t.values(x)
		}
	}
	t.warnExhausted()
	return values
}

// warnExhausted says once that the study repeats configurations.
func (t *task) warnExhausted() {
	t.warn(t.study, "every configuration of the space has a trial; the best are repeated")
}
