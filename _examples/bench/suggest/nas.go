package main

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/architecture"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// nas is a space of network architectures with the settings of their training:
// 6 continuous parameters, 8 operations, the inputs of 3 states, and which
// states make the output.
func nas() *space {
	return newSpace("nas", append(problems.Space{
		problems.LogFloat("learning_rate", 1e-4, 1),
		problems.LogFloat("weight_decay", 1e-6, 1e-2),
		problems.LogFloat("final_rate_share", 1e-4, 1),
		problems.Float("momentum", 0.5, 0.999),
		problems.Float("dropout", 0, 0.6),
		problems.Float("smoothing", 0, 0.3),
	}, architecture.Space()...), nasError)
}

// operations says of each operation how much of the signal it keeps, how far it
// sees, and what it costs. The numbers are made up, for the order of
// architecture.Operations.
var operations = [...]struct{ signal, reach, cost float64 }{
	{0, 0, 0}, {0.7, 0, 0}, {0.6, 1, 0.1}, {0.65, 1, 0.1}, {1, 2, 1}, {1.1, 4, 1.9}, {0.9, 3, 0.6}, {0.95, 5, 1.1},
}

// nasError stands for a validation error, with a small price for the cost of
// the network: too weak a signal, too near or too far a reach, and training
// settings that do not suit the network make it larger. Parameters are in the
// order of nas.
func nasError(x []float64) float64 {
	rate, decay, finalShare, momentum, dropout, smoothing := x[0], x[1], x[2], x[3], x[4], x[5]
	ops, inputs, output := x[6:14], x[14:17], int(x[17])

	// Index i holds input i-1 of the cell, or the state of that number.
	var signal, reach [architecture.States + 2]float64
	signal[0], signal[1] = 0.8, 1
	var cost float64
	for k := 1; k <= architecture.States; k++ {
		pair := [2]int{-1, 0}
		if k > 1 {
			pair = architecture.InputPairs(k)[int(inputs[k-2])]
		}
		for i, from := range pair {
			o := operations[int(ops[2*(k-1)+i])]
			signal[k+1] += 0.55 * o.signal * signal[from+1]
			reach[k+1] += 0.5 * (reach[from+1] + o.reach)
			cost += o.cost
		}
	}
	var outSignal, outReach float64
	used := output + 1
	for k := architecture.States + 1 - used; k <= architecture.States; k++ {
		outSignal += signal[k+1] / float64(used)
		outReach += reach[k+1] / float64(used)
	}
	outSignal *= 1 + 0.05*float64(output)

	// Momentum makes steps longer, weak networks need longer ones.
	step := math.Log10(rate/(1-momentum)) + 0.5*math.Log1p(outSignal)
	regular := math.Log10(decay) + 3*dropout + 4*smoothing + 0.3*math.Log10(finalShare)
	capacity := cost / (1 + cost)
	err := 0.06 +
		0.3*math.Exp(-2*outSignal) +
		0.01*math.Pow(outReach-4.5, 2)/(1+0.1*outReach) +
		0.04*math.Pow(step+0.7, 2) +
		0.02*math.Pow(regular+4.5-2*capacity, 2) +
		0.05*math.Pow(dropout-0.3*capacity, 2)
	const maxCost = 2 * architecture.States * 1.9
	return 1 - math.Exp(-err) + 0.02*cost/maxCost // no error is above 1
}
