package main

import (
	"fmt"
	"math"
)

// An optimiser moves params against their gradient by a step of the given learning rate.
type optimiser func(params, grad []float64, rate float64)

// newOptimiser returns the optimiser of that name for n parameters.
func newOptimiser(name string, n int) (optimiser, error) {
	switch name {
	case "sgd":
		return func(params, grad []float64, rate float64) {
			addScaled(params, -rate, grad)
		}, nil

	case "momentum":
		velocity := make([]float64, n)
		return func(params, grad []float64, rate float64) {
			for i, g := range grad {
				velocity[i] = 0.9*velocity[i] + g
			}
			addScaled(params, -rate, velocity)
		}, nil

	case "rmsprop":
		square := make([]float64, n) // moving mean of the squared gradient
		return func(params, grad []float64, rate float64) {
			for i, g := range grad {
				square[i] += 0.01 * (g*g - square[i])
				params[i] -= rate * g / (math.Sqrt(square[i]) + 1e-8)
			}
		}, nil

	case "adam":
		mean, square := make([]float64, n), make([]float64, n)
		decay1, decay2 := 1., 1.
		return func(params, grad []float64, rate float64) {
			decay1 *= 0.9
			decay2 *= 0.999
			for i, g := range grad {
				mean[i] += 0.1 * (g - mean[i])
				square[i] += 0.001 * (g*g - square[i])
				m, s := mean[i]/(1-decay1), square[i]/(1-decay2)
				params[i] -= rate * m / (math.Sqrt(s) + 1e-8)
			}
		}, nil
	}
	return nil, fmt.Errorf("unknown optimiser %q", name)
}
