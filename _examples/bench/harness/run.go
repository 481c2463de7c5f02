package harness

import (
	"fmt"
	"math"
	"slices"

	"github.com/c-bata/goptuna"
)

// Run is what one method found on one problem with one seed.
type Run struct {
	Problem, Method string // names
	Seed            int64
	Version         string  // of a peer
	Seconds         float64 // spent in the sampler

	// Values are those of the trials, in the order in which they ended; NaN of
	// one that failed.
	Values []float64

	// Observed is what the method saw of the values where that is not Values, as with
	// noise: it decides which trial looks best.
	Observed []float64

	bestSoFar bool // whether Values are the best so far, see BestSoFar

	// Not in a Store:
	Trials  []goptuna.FrozenTrial // nil for a run that a plan's Make made
	Suggest []float64             // seconds in the sampler by trial
	Numbers map[string]float64    // what else a plan's Make has found
}

// String returns what no other run has: problem, method and seed.
func (r *Run) String() string { return fmt.Sprintf("%s, %s, seed %d", r.Problem, r.Method, r.Seed) }

// BestSoFar returns the run whose values are the best so far: its curve is its values. They
// may rise, since what looks better because of noise may be worse.
func (r *Run) BestSoFar() *Run {
	curve := *r
	curve.Values, curve.Observed, curve.bestSoFar = r.Curve(), nil, true
	return &curve
}

// Curve returns the value of the best trial so far after each trial, +Inf before
// the first success.
func (r *Run) Curve() []float64 {
	if r.bestSoFar {
		return slices.Clone(r.Values)
	}
	curve := make([]float64, len(r.Values))
	best, lowest := math.Inf(1), math.Inf(1)
	for i, value := range r.Values {
		observed := value
		if r.Observed != nil {
			observed = r.Observed[i]
		}
		if !math.IsNaN(value) && (observed < lowest || math.IsInf(best, 1)) {
			best, lowest = value, observed
		}
		curve[i] = best
	}
	return curve
}

// Best returns the best value after n trials, +Inf if all of them failed, and
// NaN if the run has fewer.
func (r *Run) Best(n int) float64 {
	if n > len(r.Values) {
		return math.NaN()
	}
	return r.Curve()[n-1]
}

// Reach returns the number of trials after which the value is reached, +Inf if
// it is not.
func (r *Run) Reach(value float64) float64 {
	i := slices.IndexFunc(r.Values, func(y float64) bool { return y <= value })
	if i < 0 {
		return math.Inf(1)
	}
	return float64(i + 1)
}

// Failed returns the number of trials that failed.
func (r *Run) Failed() int {
	failed := 0
	for _, y := range r.Values {
		if math.IsNaN(y) {
			failed++
		}
	}
	return failed
}

// Each returns a number of each run.
func Each(runs []*Run, number func(*Run) float64) []float64 {
	xs := make([]float64, len(runs))
	for i, r := range runs {
		xs[i] = number(r)
	}
	return xs
}

// Differences returns the number of each run of as, minus that of the run in bs
// with the same problem and seed, where there is one.
func Differences(as, bs []*Run, number func(*Run) float64) []float64 {
	var xs []float64
	for _, a := range as {
		for _, b := range bs {
			if a.Problem == b.Problem && a.Seed == b.Seed {
				xs = append(xs, number(a)-number(b))
			}
		}
	}
	return xs
}

// Sample is the runs of a row of a table, or of a line of a picture.
type Sample struct {
	Name, Title string
	Runs        []*Run
}

// Samples returns the runs on a problem by method. Methods without runs are left
// out.
func Samples(methods []*Method, problem string, runs []*Run) (samples []Sample) {
	for _, m := range methods {
		if found := RunsOf(runs, problem, m.Name); len(found) > 0 {
			samples = append(samples, Sample{m.Name, m.Title, found})
		}
	}
	return samples
}

// RunsOf returns the runs of a method on a problem; "" stands for any.
func RunsOf(runs []*Run, problem, method string) (found []*Run) {
	for _, r := range runs {
		if (problem == "" || r.Problem == problem) && (method == "" || r.Method == method) {
			found = append(found, r)
		}
	}
	return found
}

// MeanRuns returns a run of the problem name for each method and seed that has a run on each
// of the problems: the mean of their values. All of a method are the best so far, or none is.
func MeanRuns(name string, problems []string, runs []*Run) []*Run {
	type key struct {
		method string
		seed   int64
	}
	groups := map[key][]*Run{}
	var keys []key
	for _, r := range runs {
		if !slices.Contains(problems, r.Problem) {
			continue
		}
		k := key{r.Method, r.Seed}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], r)
	}
	var means []*Run
	share := 1 / float64(len(problems))
	for _, k := range keys {
		if len(groups[k]) < len(problems) {
			continue
		}
		mean := &Run{Problem: name, Method: k.method, Seed: k.seed, Numbers: map[string]float64{}}
		mean.Values, mean.bestSoFar = make([]float64, len(groups[k][0].Values)), groups[k][0].bestSoFar
		for _, r := range groups[k] {
			for i, y := range r.Values {
				mean.Values[i] += share * y
			}
			mean.Seconds += share * r.Seconds
			for name, x := range r.Numbers {
				mean.Numbers[name] += share * x
			}
		}
		means = append(means, mean)
	}
	return means
}
