package baseline

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/boxmin"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

const (
	cocaboStartup  = 10  // random points; in the comparison of Oh et al., CoCaBO's own scripts take 24
	cocaboInterval = 10  // suggestions between two fits of the hyperparameters
	cocaboKappa    = 2.0 // factor of the lower confidence bound
	cocaboSamples  = 5000
	cocaboRefined  = 3 // of the samples, the best ones
)

// CoCaBO is the method of Ru, Alvi, Nguyen, Osborne, Roberts, Bayesian
// Optimisation over Multiple Continuous and Categorical Inputs (2020): one
// bandit per discrete variable draws the categories; given them, a Gaussian
// process proposes the continuous values by a lower confidence bound. Ordinal
// parameters are categorical to it.
type CoCaBO struct {
	Space  problems.Space
	Mix    float64 // weight λ of the product of the two kernels
	Trials int     // budget, which sets the bandits' learning rate
	Seed   int64

	hyper  cocaboHyper
	fitted int // number of values that hyper is the fit of; 0 means none
}

// Suggest implements Method.
func (m *CoCaBO) Suggest(history []Trial) (c []float64, v []int, err error) {
	rng := newRand(m.Seed, len(history))
	bandits, good := m.replay(history)
	if len(good) < cocaboStartup {
		c, v = draw(m.Space, rng)
		return c, v, nil
	}
	for _, b := range bandits {
		v = append(v, b.draw(rng))
	}
	continuous, _ := split(m.Space)
	if len(continuous) == 0 {
		return nil, v, nil
	}
	data := newCocaboData(continuous, good, m.Mix)
	if n := len(good) - (len(good)-cocaboStartup)%cocaboInterval; n != m.fitted {
		m.hyper = newCocaboData(continuous, good[:n], m.Mix).fit(newRand(m.Seed, -n))
		m.fitted = n
	}
	model, err := data.condition(m.hyper)
	if err != nil {
		return nil, nil, err
	}
	u := minimizeLCB(model, v, len(continuous), rng)
	for d, q := range continuous {
		c = append(c, q.Low+(q.High-q.Low)*u[d])
	}
	return c, v, nil
}

// replay returns the bandits after the history, and the trials with a value.
// Random trials are seen, but move no weight.
func (m *CoCaBO) replay(history []Trial) (bandits []*bandit, good []Trial) {
	_, discrete := split(m.Space)
	for _, q := range discrete {
		bandits = append(bandits, newBandit(q.Levels, m.Trials))
	}
	for _, t := range history {
		if math.IsNaN(t.Value) {
			continue
		}
		for p, b := range bandits {
			b.see(t.V[p], t.Value)
			if len(good) >= cocaboStartup {
				b.reward(t.V[p])
			}
		}
		good = append(good, t)
	}
	return bandits, good
}

// minimizeLCB returns the point of the unit box, of that dimension, with the
// smallest lower confidence bound given the categories v.
func minimizeLCB(model *cocaboModel, v []int, dims int, rng *rand.Rand) []float64 {
	samples := make([][]float64, cocaboSamples)
	order := make([]int, cocaboSamples)
	for i := range samples {
		order[i] = i
		samples[i] = make([]float64, dims)
		for d := range samples[i] {
			samples[i][d] = rng.Float64()
		}
	}
	at := model.given(v)
	bounds := at.lowerBounds(samples, cocaboKappa)
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(bounds[i], bounds[j]) })

	lower, upper := make([]float64, dims), make([]float64, dims)
	for d := range upper {
		upper[d] = 1
	}
	best := boxmin.Result{F: math.Inf(1)}
	for _, i := range order[:cocaboRefined] {
		f := func(grad, u []float64) float64 { return at.lowerBoundGrad(grad, u, cocaboKappa) }
		if result := boxmin.Minimize(f, samples[i], lower, upper, boxmin.Settings{FirstStep: 0.05}); result.F < best.F {
			best = result
		}
	}
	return best.X
}
