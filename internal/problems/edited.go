package problems

import (
	"math"

	"github.com/c-bata/goptuna"
)

// Edition is an objective as it is between two changes of its space.
type Edition struct {
	Change    string // what is new since the edition before
	Objective goptuna.FuncObjective
}

// Edited is the history of an objective to be minimised, the loss of a made-up
// network, whose author changes its space six times. The minimum of each
// edition lies inside its ranges.
func Edited() []Edition {
	changes := [...]string{
		"the first space",
		"learning rate widened, activation added",
		"learning rate on a log scale, weight decay new",
		"layers a float, activations reordered",
		"dropout moved, warm-up new and asked for first",
		"activation removed, momentum dropped",
		"learning rate and activation under other names",
	}
	editions := make([]Edition, len(changes))
	for i, change := range changes {
		editions[i] = Edition{change, func(trial goptuna.Trial) (float64, error) {
			a := asker{trial: &trial}
			value := edited(&a, i)
			return value, a.err
		}}
	}
	return editions
}

// edited asks as the edition does and returns the loss. What is no parameter has
// the value that stands in the code.
func edited(a *asker, edition int) float64 {
	warmup, momentum, decay := 0., 0.9, -6.
	if edition >= 4 {
		warmup = a.float("warmup", 0, 0.5)
	}
	rateName, activationName := "rate", "activation"
	if edition >= 6 {
		rateName, activationName = "learning_rate", "nonlinearity"
	}
	var rate float64
	switch edition {
	case 0:
		rate = math.Log10(a.float(rateName, 0.001, 0.5))
	case 1:
		rate = math.Log10(a.float(rateName, 0.0001, 1))
	default:
		rate = a.log10(rateName, 1e-4, 1)
	}
	var layers float64
	if edition < 3 {
		layers = a.int("layers", 1, 8)
	} else {
		layers = a.float("layers", 1, 8)
	}
	activations := [...][]string{
		{"relu", "tanh", "sigmoid"},
		{"gelu", "relu", "tanh", "sigmoid"},
		{"gelu", "relu", "tanh", "sigmoid"},
		{"sigmoid", "gelu", "tanh", "relu"},
		{"sigmoid", "gelu", "tanh", "relu"},
		{"gelu", "tanh", "relu"},
	}[min(edition, 5)]
	activation := activations[a.choice(activationName, activations...)]
	var dropout float64
	if edition < 4 {
		dropout = a.float("dropout", 0, 0.5)
	} else {
		dropout = a.float("dropout", 0.2, 0.7)
	}
	if edition < 5 {
		momentum = a.float("momentum", 0, 0.99)
	}
	if edition >= 2 {
		decay = a.log10("decay", 1e-6, 0.1)
	}
	return 0.4*well(rate, -1.4, 0.5) + 0.2*well(layers, 4.6, 1.5) + 0.1*well(dropout, 0.34, 0.15) +
		0.15*well(momentum, 0.85, 0.15) + 0.15*well(decay, -3.5, 1) + 0.1*well(warmup, 0.2, 0.1) +
		map[string]float64{"gelu": 0, "relu": 0.05, "tanh": 0.12, "sigmoid": 0.3}[activation]
}
