package objectives

import (
	"context"
	"fmt"
	"io"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// XGBoostSettings say how large the task is.
type XGBoostSettings struct {
	Images int // of the 70,000, the same share of each class
	Side   int // of an image in pixels, a divisor of 28
	Rounds int
}

var (
	// ReducedXGBoost makes an evaluation a matter of seconds on one core.
	ReducedXGBoost = XGBoostSettings{Images: 3500, Side: 14, Rounds: 50}

	// PaperXGBoost is the paper's task.
	PaperXGBoost = XGBoostSettings{Images: 70000, Side: 28, Rounds: 50}
)

// XGBoost is a classifier on Fashion-MNIST, split 70:30 in each class: the
// smallest test error over the rounds. The paper's Sec. 5.2; the order of the
// parameters is that of the authors' code.
func XGBoost(ctx context.Context, o Options, s XGBoostSettings) (*harness.Problem, io.Closer, error) {
	setup := map[string]any{"images": s.Images, "side": s.Side, "rounds": s.Rounds}
	settings := fmt.Sprintf("%d images of %[2]dx%[2]d pixels, %d rounds", s.Images, s.Side, s.Rounds)
	return open(ctx, o, "XGBoost", settings, "xgb.py", xgboostSpace(), setup, fashionMNIST()...)
}

func xgboostSpace() problems.Space {
	return problems.Space{
		problems.Float("log10_eta", -6, 0),
		problems.Float("log10_gamma", -4, 1),
		problems.Float("log10_subsample", -3, 0),
		problems.Float("lambda", 0, 5),
		problems.Int("max_depth", 1, 10),
		problems.Choice("booster", "gbtree", "dart"),
		problems.Choice("grow_policy", "depthwise", "lossguide"),
		problems.Choice("objective", "multi:softmax", "multi:softprob"),
	}
}
