package objectives

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// NASSettings say how large the task is.
type NASSettings struct {
	Side     int   // of an image in pixels, a divisor of 28
	Train    int   // images to train on, at most 30,000
	Valid    int   // images for the validation error, at most 30,000
	Channels []int // of the three blocks, multiples of 4
	Epochs   int
	Batch    int  // images per step
	Repeats  int  // initialisations whose errors are averaged
	Augment  bool // move and mirror the images in training, as the authors' code does
}

var (
	// ReducedNAS makes 200 evaluations a matter of an hour on one core. With half
	// the images and 3 epochs they take less than half of that, but two
	// initialisations may then differ as much as two architectures.
	ReducedNAS = NASSettings{Side: 14, Train: 4000, Valid: 4000, Channels: []int{8, 16, 32}, Epochs: 4, Batch: 32, Repeats: 1}

	// PaperNAS is the paper's task (Supp. Sec. 3.2), one for a GPU.
	PaperNAS = NASSettings{Side: 28, Train: 30000, Valid: 30000, Channels: []int{8, 16, 32}, Epochs: 25, Batch: 32, Repeats: 4, Augment: true}
)

// NAS is the joint search of a convolutional network's architecture and the
// settings of its training, on Fashion-MNIST: the validation error plus 0.02
// times the share of the FLOPs that the largest architecture takes (Sec. 5.3).
//
// The paper fits its model to the logarithm of this objective.
func NAS(ctx context.Context, o Options, s NASSettings) (*harness.Problem, io.Closer, error) {
	setup := map[string]any{
		"side": s.Side, "train": s.Train, "valid": s.Valid, "channels": s.Channels,
		"epochs": s.Epochs, "batch": s.Batch, "repeats": s.Repeats, "augment": s.Augment,
	}
	return open(ctx, o, "NAS", "nas.py", nasSpace(), setup, fashionMNIST()...)
}

// nasStates is the number of states of a block. State k adds up two operations
// on two of -1 and 0, the inputs of the block, and the states before it.
const nasStates = 4

// nasSpace is the space of Supp. Sec. 3.2: 6 settings of the training, by
// natural logarithms where the paper takes them, 2 operations per state, the
// inputs of states 2 to 4, and which state is the output beside the last.
func nasSpace() problems.Space {
	space := problems.Space{
		continuous("log_learning_rate", math.Log(0.001), math.Log(0.1)),
		continuous("momentum", 0.8, 1),
		continuous("log_weight_decay", math.Log(1e-6), math.Log(1e-2)),
		continuous("reduction_factor", 0.1, 0.9),
		continuous("reduction_point1", 0, 1),
		continuous("reduction_point2", 0, 1),
	}
	for k := 1; k <= nasStates; k++ {
		for _, side := range []string{"a", "b"} {
			space = append(space, nominal(fmt.Sprintf("op%d%s", k, side),
				"id", "conv1x1", "conv3x3", "conv5x5", "sep3x3", "sep5x5", "max3x3", "max5x5"))
		}
	}
	for k := 2; k <= nasStates; k++ {
		pairs := inputPairs(k)
		texts := make([]string, len(pairs))
		for i, p := range pairs {
			texts[i] = fmt.Sprintf("%d,%d", p[0], p[1])
		}
		inputs := nominal(fmt.Sprintf("inputs%d", k), texts...)
		inputs.Graph = pairGraph(pairs)
		space = append(space, inputs)
	}
	output := nominal("output", "1,4", "2,4", "3,4")
	output.Graph = graphs.Path(3)
	return append(space, output)
}

// inputPairs returns the pairs of inputs that state k may have. The last state
// cannot have the inputs of the block: that would make an identity block
// possible.
func inputPairs(k int) (pairs [][2]int) {
	for a := -1; a < k; a++ {
		for b := a + 1; b < k; b++ {
			if k < nasStates || b > 0 {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	return pairs
}

// pairGraph joins two pairs that share an input and whose other inputs differ
// by one.
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
			if other := p[1-i] - q[1-j]; p[i] == q[j] && (other == 1 || other == -1) {
				return true
			}
		}
	}
	return false
}
