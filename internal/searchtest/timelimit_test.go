package searchtest

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Most of the space takes a time limit: the same value, or with a little noise. Trials
// go on filling the space where the model predicts nothing. It expects most in the
// corners, and half of these studies would see no other value.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	const seeds = 20
	for _, test := range []struct {
		problem       *problems.Problem
		limit, solved float64 // values above the limit are reported as that
		trials, want  int     // want of seeds
	}{
		{problems.Levy6Mixed(), 20, 19.9, 60, 18}, // 95 % of the space is worse
		{problems.TimeLimit(), math.Inf(1), 0.1, 100, 18},
	} {
		objective := problems.Objective(test.problem)
		solved := fmtest.Below(t, test.solved, fmtest.Seeds(seeds), func(trial goptuna.Trial) (float64, error) {
			value, err := objective(trial)
			return min(test.limit, value), err
		}, test.trials)
		t.Logf("%s: %d of %d studies are below %v", test.problem.Name, solved, seeds, test.solved)
		if solved < test.want {
			t.Errorf("%s: %d of %d studies are below %v, want %d", test.problem.Name, solved, seeds, test.solved, test.want)
		}
	}
}
