package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// settings are what a trial decides about the training of a network.
type settings struct {
	learningRate float64 // at the start; it falls to 0 in a straight line
	weightDecay  float64 // share of a weight that is lost per unit of learning rate
	dropout      float64 // share of the hidden units that a step leaves out
	hidden       int     // hidden units
	batchSize    int     // rows per step
	activation   string  // a key of activations
	optimiser    string  // a name that newOptimiser knows
}

const (
	epochs = 400 // passes over the training rows

	// divergedLoss is a training loss from which no run comes back. Guessing has log(classes) = 1.1.
	divergedLoss = 50
)

// errDiverged says that a training run went to infinity, mostly because the learning rate was too high.
var errDiverged = errors.New("training diverged")

// train returns a network trained on data. It is a pure function of its arguments.
func train(s settings, data dataset, seed uint64) (*network, error) {
	activate, ok := activations[s.activation]
	if !ok {
		return nil, fmt.Errorf("unknown activation %q", s.activation)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	net := newNetwork(s.hidden, activate, rng)
	update, err := newOptimiser(s.optimiser, len(net.params))
	if err != nil {
		return nil, err
	}

	grad := make([]float64, len(net.params))
	gradLayers := view(grad, s.hidden)
	keep := make([]float64, s.hidden)
	order := make([]int, len(data.x))
	for i := range order {
		order[i] = i
	}

	step, steps := 0, epochs*((len(order)+s.batchSize-1)/s.batchSize)
	for epoch := range epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		var loss float64
		for start := 0; start < len(order); start += s.batchSize {
			batch := order[start:min(start+s.batchSize, len(order))]
			clear(grad)
			for _, i := range batch {
				drawDropout(keep, s.dropout, rng)
				net.forward(data.x[i], keep)
				loss += crossEntropy(net.p, data.y[i])
				net.backward(gradLayers, data.x[i], data.y[i])
			}
			for i := range grad {
				grad[i] /= float64(len(batch))
			}
			rate := s.learningRate * (1 - float64(step)/float64(steps))
			update(net.params, grad, rate)
			scale(net.w1, 1-rate*s.weightDecay)
			scale(net.w2, 1-rate*s.weightDecay)
			step++
		}
		if loss /= float64(len(order)); math.IsNaN(loss) || loss > divergedLoss {
			return nil, fmt.Errorf("%w in epoch %d", errDiverged, epoch+1)
		}
	}
	return net, nil
}

// drawDropout fills keep with 0 for the units to leave out and with 1/(1-share) for the others, which so carry on average
// what all of them would.
func drawDropout(keep []float64, share float64, rng *rand.Rand) {
	for j := range keep {
		keep[j] = 0
		if rng.Float64() >= share {
			keep[j] = 1 / (1 - share)
		}
	}
}

// scale multiplies x by s.
func scale(x []float64, s float64) {
	for i := range x {
		x[i] *= s
	}
}
