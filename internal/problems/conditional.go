package problems

import (
	"fmt"
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

// ConditionalByName returns the conditional problem of that name, ignoring case,
// or an error that lists the names there are.
func ConditionalByName(name string) (*Conditional, error) {
	var names []string
	for _, p := range Conditionals() {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("problems: no conditional problem %q; there are %s", name, strings.Join(names, ", "))
}

// asker asks a trial for values. Once it has failed, it asks no more, and its
// answers mean nothing.
type asker struct {
	trial *goptuna.Trial
	err   error
}

func (a *asker) float(name string, low, high float64) float64 {
	if a.err != nil {
		return low
	}
	var x float64
	x, a.err = a.trial.SuggestFloat(name, low, high)
	return x
}

// log10 asks for a parameter on the log scale and returns its decimal logarithm.
func (a *asker) log10(name string, low, high float64) float64 {
	if a.err != nil {
		return low
	}
	var x float64
	x, a.err = a.trial.SuggestLogFloat(name, low, high)
	return math.Log10(x)
}

func (a *asker) int(name string, low, high int) float64 {
	if a.err != nil {
		return float64(low)
	}
	var x int
	x, a.err = a.trial.SuggestInt(name, low, high)
	return float64(x)
}

// choice returns the number of the choice that the trial is given.
func (a *asker) choice(name string, choices ...string) int {
	if a.err != nil {
		return 0
	}
	var text string
	text, a.err = a.trial.SuggestCategorical(name, choices)
	return slices.Index(choices, text)
}

// well is 0 at x = at, rises like ((x-at)/width)² around it, and to 1 far away:
// what is wrong by much is as bad as what is wrong by more.
func well(x, at, width float64) float64 {
	u := sq((x - at) / width)
	return u / (1 + u)
}
