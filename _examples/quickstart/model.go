package main

import (
	"math"
	"math/rand/v2"
)

// A network is a classifier with one hidden layer:
//
//	h = activation(W₁ x + b₁)
//	p = softmax(W₂ h + b₂)
//
// All its parameters lie in one slice, so that an optimiser need not know what they are.
type network struct {
	hidden   int
	activate activation
	params   []float64 // the storage behind layers
	layers

	// Of the latest example that went through.
	h     []float64 // hidden values, after dropout, len hidden
	slope []float64 // how they change with their inputs, len hidden
	p     []float64 // probability of each class, len classes
}

// layers names the parts of a slice of parameters, or of their gradient.
type layers struct {
	w1 []float64 // hidden × features, by rows
	b1 []float64 // hidden
	w2 []float64 // classes × hidden, by rows
	b2 []float64 // classes
}

// view returns the parts of flat, which share its memory.
func view(flat []float64, hidden int) layers {
	cut := func(n int) []float64 {
		part := flat[:n:n]
		flat = flat[n:]
		return part
	}
	return layers{
		w1: cut(hidden * features),
		b1: cut(hidden),
		w2: cut(classes * hidden),
		b2: cut(classes),
	}
}

// newNetwork returns a network with random weights, scaled by the number of inputs of each unit, and zero biases.
func newNetwork(hidden int, activate activation, rng *rand.Rand) *network {
	params := make([]float64, hidden*(features+1)+classes*(hidden+1))
	n := &network{
		hidden:   hidden,
		activate: activate,
		params:   params,
		layers:   view(params, hidden),
		h:        make([]float64, hidden),
		slope:    make([]float64, hidden),
		p:        make([]float64, classes),
	}
	for i := range n.w1 {
		n.w1[i] = rng.NormFloat64() * math.Sqrt(2./features)
	}
	for i := range n.w2 {
		n.w2[i] = rng.NormFloat64() * math.Sqrt(1/float64(hidden))
	}
	return n
}

// forward computes the probabilities p of the classes for one example. keep has a factor for each hidden unit, which is
// how dropout reaches in; nil keeps them all.
func (n *network) forward(x, keep []float64) {
	for j := range n.h {
		z := n.b1[j] + dot(n.w1[j*features:(j+1)*features], x)
		n.h[j], n.slope[j] = n.activate(z)
		if keep != nil {
			n.h[j] *= keep[j]
			n.slope[j] *= keep[j]
		}
	}
	for k := range n.p {
		n.p[k] = n.b2[k] + dot(n.w2[k*n.hidden:(k+1)*n.hidden], n.h)
	}
	softmax(n.p)
}

// backward adds the gradient of -log p[class], for the example that forward saw last, to grad.
func (n *network) backward(grad layers, x []float64, class int) {
	for k, p := range n.p {
		if k == class {
			p--
		}
		grad.b2[k] += p
		addScaled(grad.w2[k*n.hidden:(k+1)*n.hidden], p, n.h)
		n.p[k] = p // from here on ∂loss/∂logits
	}
	for j := range n.h {
		var d float64 // ∂loss/∂z of this unit
		for k, p := range n.p {
			d += p * n.w2[k*n.hidden+j]
		}
		d *= n.slope[j]
		grad.b1[j] += d
		addScaled(grad.w1[j*features:(j+1)*features], d, x)
	}
}

// evaluate returns the mean cross-entropy of the network on data, in nats, and the share of rows that it classifies
// rightly. Guessing has a cross-entropy of log(classes) = 1.10.
func (n *network) evaluate(data dataset) (loss, accuracy float64) {
	for i, x := range data.x {
		n.forward(x, nil)
		loss += crossEntropy(n.p, data.y[i])
		best := 0
		for k, p := range n.p {
			if p > n.p[best] {
				best = k
			}
		}
		if best == data.y[i] {
			accuracy++
		}
	}
	rows := float64(len(data.x))
	return loss / rows, accuracy / rows
}

// crossEntropy returns -log p[class]. A probability that underflowed to 0 counts as the smallest positive number.
func crossEntropy(p []float64, class int) float64 {
	return -math.Log(math.Max(p[class], math.SmallestNonzeroFloat64))
}

// An activation returns the value of a hidden unit and its derivative, for the input z.
type activation func(z float64) (value, slope float64)

// activations are what settings.activation can name.
var activations = map[string]activation{
	"relu": func(z float64) (float64, float64) {
		if z > 0 {
			return z, 1
		}
		return 0, 0
	},
	"sigmoid": func(z float64) (float64, float64) {
		s := 1 / (1 + math.Exp(-z))
		return s, s * (1 - s)
	},
	"silu": func(z float64) (float64, float64) {
		s := 1 / (1 + math.Exp(-z))
		return z * s, s + z*s*(1-s)
	},
	"tanh": func(z float64) (float64, float64) {
		t := math.Tanh(z)
		return t, 1 - t*t
	},
}

// softmax turns logits into probabilities, in place.
func softmax(z []float64) {
	top := math.Inf(-1)
	for _, v := range z {
		top = math.Max(top, v)
	}
	var sum float64
	for k, v := range z {
		z[k] = math.Exp(v - top) // at most 1, so nothing overflows
		sum += z[k]
	}
	for k := range z {
		z[k] /= sum
	}
}

// dot returns aᵀb. Both have the same length.
func dot(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// addScaled adds s·x to dst. Both have the same length.
func addScaled(dst []float64, s float64, x []float64) {
	for i, v := range x {
		dst[i] += s * v
	}
}
