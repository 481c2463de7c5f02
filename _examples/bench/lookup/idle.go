package lookup

import (
	"fmt"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// WithIdle returns the problem with n parameters more, which do nothing: switches,
// integers, choices and floats, asked for before the others.
func WithIdle(p *harness.Problem, n int) *harness.Problem {
	idle := make(problems.Space, n)
	for i := range idle {
		idle[i] = []problems.Param{
			{Kind: problems.Nominal, Levels: 2, Choices: []string{"off", "on"}},
			{Kind: problems.Ordinal, High: 9, Levels: 10},
			{Kind: problems.Nominal, Levels: 4, Choices: []string{"a", "b", "c", "d"}},
			{Kind: problems.Nominal, Levels: 2, Choices: []string{"off", "on"}},
			{Kind: problems.Continuous, High: 1},
		}[i%5]
		idle[i].Name = fmt.Sprintf("idle%d", i)
	}
	with := *p
	if p.Space != nil {
		with.Space = slices.Concat(idle, p.Space)
	}
	with.Objective = func(trial goptuna.Trial) (float64, error) {
		if _, _, err := idle.Suggest(&trial); err != nil {
			return 0, err
		}
		return p.Objective(trial)
	}
	return &with
}
