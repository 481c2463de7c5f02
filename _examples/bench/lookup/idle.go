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
		name := fmt.Sprintf("idle%d", i)
		idle[i] = []problems.Param{
			problems.Choice(name, "off", "on"),
			problems.Int(name, 0, 9),
			problems.Choice(name, "a", "b", "c", "d"),
			problems.Choice(name, "off", "on"),
			problems.Float(name, 0, 1),
		}[i%5]
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
