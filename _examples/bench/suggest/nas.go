package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// operation is what a cell of a network does to an input: how much of the
// signal it keeps, how far it sees, and what it costs.
type operation struct {
	name                string
	signal, reach, cost float64
}

var operations = []operation{
	{"none", 0, 0, 0},
	{"skip", 0.7, 0, 0},
	{"max3", 0.6, 1, 0.1},
	{"avg3", 0.65, 1, 0.1},
	{"sep3", 1, 2, 1},
	{"sep5", 1.1, 4, 1.9},
	{"dil3", 0.9, 3, 0.6},
	{"dil5", 0.95, 5, 1.1},
}

// states is the number of states of a cell. State k combines two of the cell's
// inputs, -1 and 0, and the states before it, 1 to k-1.
const states = 4

// inputPairs returns the pairs that state k chooses its inputs from. State 1
// has one only; the last state must use a state of the cell.
func inputPairs(k int) [][2]int {
	var pairs [][2]int
	for a := -1; a < k; a++ {
		for b := a + 1; b < k; b++ {
			if k < states || b > 0 {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	return pairs
}

// pairGraph joins two pairs that share an input and differ by one in the other.
func pairGraph(pairs [][2]int) *graphs.Graph {
	near := mat.NewSymDense(len(pairs), nil)
	for i, p := range pairs {
		for j, q := range pairs[:i] {
			if areNear(p, q) {
				near.SetSym(i, j, 1)
			}
		}
	}
	g, err := graphs.FromAdjacency(near)
	if err != nil {
		panic(err) // a fixed graph
	}
	return g
}

func areNear(p, q [2]int) bool {
	for i := range p {
		for j := range q {
			if p[i] == q[j] {
				other := p[1-i] - q[1-j]
				return other == 1 || other == -1
			}
		}
	}
	return false
}

// nas is a space of network architectures with the settings of their training:
// 6 continuous parameters, 8 operations, the inputs of 3 states, and which
// states make the output.
func nas() *space {
	s := &space{
		name: "nas",
		params: []param{
			logUniform("learning_rate", 1e-4, 1),
			logUniform("weight_decay", 1e-6, 1e-2),
			logUniform("final_rate_share", 1e-4, 1),
			uniform("momentum", 0.5, 0.999),
			uniform("dropout", 0, 0.6),
			uniform("smoothing", 0, 0.3),
		},
		objective: nasError,
	}
	names := make([]string, len(operations))
	for i, o := range operations {
		names[i] = o.name
	}
	for k := 1; k <= states; k++ {
		for _, input := range []string{"a", "b"} {
			p := choice(fmt.Sprintf("state%d_%s", k, input), names...)
			p.graph = graphs.Complete(len(operations))
			s.params = append(s.params, p)
		}
	}
	for k := 2; k <= states; k++ {
		pairs := inputPairs(k)
		texts := make([]string, len(pairs))
		for i, pair := range pairs {
			texts[i] = fmt.Sprintf("%d,%d", pair[0], pair[1])
		}
		p := choice(fmt.Sprintf("state%d_inputs", k), texts...)
		p.graph = pairGraph(pairs)
		s.params = append(s.params, p)
	}
	output := choice("output", "last state", "last two", "last three")
	output.graph = graphs.Path(3)
	s.params = append(s.params, output)
	return s
}

// nasError stands for a validation error, with a small price for the cost of
// the network: too weak a signal, too near or too far a reach, and training
// settings that do not suit the network make it larger. Parameters are in the
// order of nas.
func nasError(x []float64) float64 {
	rate, decay, finalShare, momentum, dropout, smoothing := x[0], x[1], x[2], x[3], x[4], x[5]
	ops, inputs, output := x[6:14], x[14:17], int(x[17])

	// Index i holds input i-1 of the cell, or the state of that number.
	var signal, reach [states + 2]float64
	signal[0], signal[1] = 0.8, 1
	var cost float64
	for k := 1; k <= states; k++ {
		pair := [2]int{-1, 0}
		if k > 1 {
			pair = inputPairs(k)[int(inputs[k-2])]
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
	for k := states + 1 - used; k <= states; k++ {
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
	const maxCost = 2 * states * 1.9
	return 1 - math.Exp(-err) + 0.02*cost/maxCost // no error is above 1
}
