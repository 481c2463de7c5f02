package objectives

import (
	"context"
	"io"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// SVM is a NuSVR on Boston housing, after standard scaling: the mean over five
// splits, 70:30, of the RMSE on the test rows. The paper's Sec. 5.2; the order
// of the parameters is that of the authors' code.
func SVM(ctx context.Context, o Options) (*harness.Problem, io.Closer, error) {
	return open(ctx, o, "SVM", "", "svm.py", svmSpace(), map[string]any{}, file{
		"boston/boston.csv",
		"Boston housing (Harrison and Rubinfeld 1978) as comma-separated values, columns CRIM to MEDV, with a header line",
	})
}

func svmSpace() problems.Space {
	return problems.Space{
		problems.Float("log10_C", -4, 1),
		problems.Float("log10_tol", -6, 0),
		problems.Float("log10_nu", -6, 0),
		problems.Choice("kernel", "linear", "poly", "rbf", "sigmoid"),
		problems.Choice("gamma", "scale", "auto"),
		problems.Choice("shrinking", "on", "off"),
	}
}
