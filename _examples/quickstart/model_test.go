package main

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// usual are settings under which training works well, for tests to start from.
var usual = settings{
	learningRate: 0.03,
	weightDecay:  0.001,
	dropout:      0.05,
	hidden:       24,
	batchSize:    32,
	activation:   "silu",
	optimiser:    "adam",
}

// gradientTolerance bounds the relative error of a central difference with a step of 1e-6: its truncation error is near
// 1e-12, its rounding error near 1e-10.
const gradientTolerance = 1e-7

// The gradient agrees with central differences of the loss, for every activation, with and without dropout.
func TestBackward(t *testing.T) {
	const hidden = 5
	for name, activate := range activations {
		for _, keep := range [][]float64{nil, {0, 2, 2, 0, 2}} {
			rng := rand.New(rand.NewPCG(1, 2))
			net := newNetwork(hidden, activate, rng)
			for i := range net.params {
				net.params[i] += 0.1 * rng.NormFloat64() // biases that are not 0
			}
			data, _ := makeData(3)
			x, class := data.x[4], data.y[4]

			grad := make([]float64, len(net.params))
			net.forward(x, keep)
			net.backward(view(grad, hidden), x, class)

			loss := func() float64 {
				net.forward(x, keep)
				return crossEntropy(net.p, class)
			}
			const h = 1e-6
			for i, p := range net.params {
				net.params[i] = p + h
				up := loss()
				net.params[i] = p - h
				down := loss()
				net.params[i] = p
				if want := (up - down) / (2 * h); math.Abs(grad[i]-want) > gradientTolerance*(1+math.Abs(want)) {
					t.Errorf("%s, keep %v: ∂loss/∂params[%d] = %g, want %g", name, keep, i, grad[i], want)
				}
			}
		}
	}
}

// A new network guesses, and each optimiser makes it better than that.
func TestTrainReducesLoss(t *testing.T) {
	if testing.Short() {
		t.Skip("trains four networks to the end")
	}
	data, valid := makeData(1)
	guess := math.Log(classes)
	for _, c := range []struct {
		optimiser string
		rate      float64
	}{
		{"sgd", 0.5},
		{"momentum", 0.1},
		{"rmsprop", 0.01},
		{"adam", 0.03},
	} {
		s := usual
		s.optimiser, s.learningRate = c.optimiser, c.rate
		net, err := train(s, data, 1)
		if err != nil {
			t.Errorf("%s: %v", c.optimiser, err)
			continue
		}
		loss, accuracy := net.evaluate(valid)
		t.Logf("%s: validation loss %.4f, accuracy %.3f", c.optimiser, loss, accuracy)
		if loss > guess/2 {
			t.Errorf("%s: validation loss %.4f, want less than half of guessing's %.4f", c.optimiser, loss, guess)
		}
	}
}

// The same settings and seed give the same network, bit by bit; another seed does not.
func TestTrainIsDeterministic(t *testing.T) {
	data, _ := makeData(1)
	data = dataset{data.x[:60], data.y[:60]} // enough for two batches a pass
	params := func(seed uint64) []float64 {
		net, err := train(usual, data, seed)
		if err != nil {
			t.Fatal(err)
		}
		return net.params
	}
	first := params(1)
	if !slices.Equal(first, params(1)) {
		t.Error("two runs with the same seed differ")
	}
	if slices.Equal(first, params(2)) {
		t.Error("two runs with different seeds agree")
	}
}

// A run that blows up is an error, never a network full of NaN.
func TestTrainDiverges(t *testing.T) {
	s := usual
	s.activation, s.optimiser, s.learningRate = "relu", "momentum", 1e3
	data, _ := makeData(1)
	if _, err := train(s, data, 1); !errors.Is(err, errDiverged) {
		t.Errorf("error is %v, want %v", err, errDiverged)
	}
}

func TestTrainRejectsUnknownNames(t *testing.T) {
	data, _ := makeData(1)
	for _, s := range []settings{
		{hidden: 4, batchSize: 8, activation: "step", optimiser: "sgd"},
		{hidden: 4, batchSize: 8, activation: "relu", optimiser: "newton"},
	} {
		if _, err := train(s, data, 1); err == nil || errors.Is(err, errDiverged) {
			t.Errorf("activation %s, optimiser %s: error is %v", s.activation, s.optimiser, err)
		}
	}
}

// The data are the same each time, the classes are of equal size, and no row is in both halves.
func TestMakeData(t *testing.T) {
	data, valid := makeData(1)
	again, _ := makeData(1)
	if len(data.x) != trainRows || len(valid.x) != validRows {
		t.Errorf("%d and %d rows, want %d and %d", len(data.x), len(valid.x), trainRows, validRows)
	}
	seen := make(map[float64]bool)
	count := make(map[int]int)
	for i, row := range data.x {
		if !slices.Equal(row, again.x[i]) {
			t.Fatalf("row %d differs from run to run", i)
		}
		seen[row[0]] = true
		count[data.y[i]]++
	}
	for i, row := range valid.x {
		if seen[row[0]] {
			t.Errorf("validation row %d is a training row, too", i)
		}
	}
	for class := range classes {
		if n := count[class]; n < trainRows/classes || n > trainRows/classes+1 {
			t.Errorf("class %d has %d of %d rows", class, n, trainRows)
		}
	}
}
