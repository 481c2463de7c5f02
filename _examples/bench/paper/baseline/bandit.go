package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
)

// bandit is EXP3 (Auer, Cesa-Bianchi, Freund, Schapire, 2002) over the choices
// of one variable, as CoCaBO uses it: the reward of a choice is the best value
// seen with it so far, not scaled to [0, 1].
type bandit struct {
	gamma float64
	// logWeights are relative to the largest: rewards are unbounded, and the
	// weights themselves would overflow. Only their ratios count.
	logWeights []float64
	best       []float64 // largest negated value seen with each choice, -Inf before the first
}

// newBandit returns a bandit over n choices for so many trials.
func newBandit(n, budget int) *bandit {
	c := float64(n)
	b := &bandit{
		gamma:      math.Min(1, math.Sqrt(c*math.Log(c)/((math.E-1)*2*float64(budget)/3))),
		logWeights: make([]float64, n),
		best:       make([]float64, n),
	}
	for i := range b.best {
		b.best[i] = math.Inf(-1)
	}
	return b
}

// probabilities returns the probability of each choice.
func (b *bandit) probabilities() []float64 {
	n := float64(len(b.logWeights))
	var sum float64
	p := make([]float64, len(b.logWeights))
	for i, w := range b.logWeights {
		p[i] = math.Exp(w)
		sum += p[i]
	}
	for i := range p {
		p[i] = (1-b.gamma)*p[i]/sum + b.gamma/n
	}
	return p
}

// draw returns a choice.
func (b *bandit) draw(rng *rand.Rand) int {
	u := rng.Float64()
	p := b.probabilities()
	for i, pi := range p {
		if u -= pi; u < 0 {
			return i
		}
	}
	return len(p) - 1 // rounding
}

// see notes the value of a trial with that choice.
func (b *bandit) see(choice int, value float64) {
	b.best[choice] = math.Max(b.best[choice], -value)
}

// reward updates the weight of a choice that was drawn and seen.
func (b *bandit) reward(choice int) {
	n := float64(len(b.logWeights))
	b.logWeights[choice] += b.gamma * b.best[choice] / b.probabilities()[choice] / n
	largest := slices.Max(b.logWeights)
	for i := range b.logWeights {
		b.logWeights[i] -= largest
	}
}
