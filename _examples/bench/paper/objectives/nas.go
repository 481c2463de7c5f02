package objectives

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/architecture"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
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
	settings := fmt.Sprintf("trained on %d and validated on %d images of %[3]dx%[3]d pixels, %d epochs, %d initialisations",
		s.Train, s.Valid, s.Side, s.Epochs, s.Repeats)
	return open(ctx, o, "NAS", settings, "nas.py", nasSpace(), setup, fashionMNIST()...)
}

// nasSpace is the space of Supp. Sec. 3.2: 6 settings of the training, by
// natural logarithms where the paper takes them, and the architecture.
func nasSpace() problems.Space {
	return append(problems.Space{
		problems.Float("log_learning_rate", math.Log(0.001), math.Log(0.1)),
		problems.Float("momentum", 0.8, 1),
		problems.Float("log_weight_decay", math.Log(1e-6), math.Log(1e-2)),
		problems.Float("reduction_factor", 0.1, 0.9),
		problems.Float("reduction_point1", 0, 1),
		problems.Float("reduction_point2", 0, 1),
	}, architecture.Space()...)
}
