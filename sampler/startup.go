package sampler

import (
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
)

// startupRetries is how many points are drawn to avoid one that was tried.
const startupRetries = 200

// startup returns point number p.Number of a scrambled Sobol sequence over all
// parameters of the study. A parameter has a coordinate of the sequence by the
// order in which names turned up in the history, and is scrambled by its name, so
// that its values depend on nothing else the trial asks for. exhausted says that
// every configuration has a trial.
func startup(p *observe.Problem, random stream.Trial) (values map[string]float64, exhausted bool) {
	u := sobol(p.Names(), random.Seed, p.Number)
	all := map[string]float64{}
	for _, param := range p.Space.Params() {
		at, ok := u[param.Name]
		if !ok {
			at = first(param.Name, random.Seed, p.Number)
		}
		all[param.Name] = param.FromUnit(at)
	}
	taken, ok := take(p, all)
	if ok && !tried(p, taken) {
		return taken, false
	}
	rng := random.Rand("startup")
	for range startupRetries {
		for _, param := range p.Space.Params() {
			all[param.Name] = param.FromUnit(rng.Float64())
		}
		if draw, ok := take(p, all); ok && !tried(p, draw) {
			return draw, false
		}
	}
	x, ok, exhausted := p.Untried()
	if ok {
		return p.Values(x), false
	}
	return taken, exhausted
}

// sobol returns the coordinates of point number n of the sequence over the names.
func sobol(names []string, seed uint64, n int) map[string]float64 {
	u := make(map[string]float64, len(names))
	if len(names) == 0 {
		return u
	}
	seeds, at := make([]uint64, len(names)), make([]float64, len(names))
	for i, name := range names {
		seeds[i] = qmc.HashString(seed, name)
	}
	seq := qmc.New(seeds)
	seq.Seek(n)
	seq.PointTo(at)
	for i, name := range names {
		u[name] = at[i]
	}
	return u
}

// first returns the coordinate of a parameter that no finished trial has: that of
// point 0 in the study's first trial, where any numbering of coordinates gives the
// same, and an independent one in trials that run beside it.
func first(name string, seed uint64, n int) float64 {
	seed = qmc.HashString(seed, name)
	if n > 0 {
		seed = qmc.Mix(seed, uint64(n))
	}
	var at [1]float64
	qmc.New([]uint64{seed}).PointTo(at[:])
	return at[0]
}

// take returns those of the values that the region has which they lead into, and
// false when they lead into none that is left.
func take(p *observe.Problem, values map[string]float64) (taken map[string]float64, ok bool) {
	for _, r := range p.Regions {
		if taken, ok = r.Take(values); ok {
			return taken, true
		}
	}
	return taken, false
}

// tried reports whether a trial with the values repeats a configuration.
func tried(p *observe.Problem, values map[string]float64) bool {
	x, ok := p.Point(values)
	return ok && p.Tried.Covers(x)
}
