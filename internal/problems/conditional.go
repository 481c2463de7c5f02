package problems

import (
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"
)

// Conditional is a test function to be minimised, some of whose parameters
// exist only where others have certain values: a trial asks for what its earlier
// answers lead to. It is immutable and safe for concurrent use.
type Conditional struct {
	Name    string
	Optimum float64

	// Best is a point at which Optimum is attained, in Goptuna's internal
	// representation, which Study.EnqueueTrial takes.
	Best map[string]float64

	// Targets are distances from the optimum to be reached, the largest first.
	Targets []float64

	// Deciders are the parameters whose values decide which others are asked for,
	// those nearest to the root first. All are choices.
	Deciders []string

	eval func(a *asker) float64
}

// Objective is the function as an objective of a Goptuna study.
func (p *Conditional) Objective(trial goptuna.Trial) (float64, error) {
	a := asker{trial: &trial}
	value := p.eval(&a)
	return value, a.err
}

// Leaf names the leaf of the tree that a trial has come to: the values of the
// deciders that it has, with slashes between them.
func (p *Conditional) Leaf(trial goptuna.FrozenTrial) string {
	var choices []string
	for _, name := range p.Deciders {
		if choice, ok := trial.Params[name].(string); ok {
			choices = append(choices, choice)
		}
	}
	return strings.Join(choices, "/")
}

// Conditionals returns the conditional problems, in a fixed order.
func Conditionals() []*Conditional {
	return []*Conditional{Jenatton(), Pipeline(), Nested(), Solvers(), Tree12()}
}

// asker asks a trial for values. Once it has failed, it asks no more, and its
// answers mean nothing.
type asker struct {
	trial *goptuna.Trial
	err   error
}

// ask returns what suggest returns, or the zero value once the trial has failed.
func ask[T any](a *asker, suggest func() (T, error)) (answer T) {
	if a.err == nil {
		answer, a.err = suggest()
	}
	return answer
}

func (a *asker) float(name string, low, high float64) float64 {
	return ask(a, func() (float64, error) { return a.trial.SuggestFloat(name, low, high) })
}

// log10 asks for a parameter on the log scale and returns its decimal logarithm.
func (a *asker) log10(name string, low, high float64) float64 {
	return math.Log10(ask(a, func() (float64, error) { return a.trial.SuggestLogFloat(name, low, high) }))
}

func (a *asker) int(name string, low, high int) float64 {
	return float64(ask(a, func() (int, error) { return a.trial.SuggestInt(name, low, high) }))
}

// choice returns the number of the choice that the trial is given.
func (a *asker) choice(name string, choices ...string) int {
	text := ask(a, func() (string, error) { return a.trial.SuggestCategorical(name, choices) })
	return max(0, slices.Index(choices, text))
}

// well is 0 at x = at, rises like ((x-at)/width)² around it, and to 1 far away:
// what is wrong by much is as bad as what is wrong by more.
func well(x, at, width float64) float64 {
	u := sq((x - at) / width)
	return u / (1 + u)
}
