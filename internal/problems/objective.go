package problems

import (
	"github.com/c-bata/goptuna"
)

// Objective returns p as an objective for a Goptuna study that minimises.
//
// At an infeasible point it returns ErrInfeasible, so that Goptuna records a
// failed trial: run such problems with goptuna.StudyOptionIgnoreError(true).
func Objective(p *Problem) goptuna.FuncObjective {
	return func(trial goptuna.Trial) (float64, error) {
		c, v, err := p.Suggest(&trial)
		if err != nil {
			return 0, err
		}
		return p.Eval(c, v)
	}
}

// Suggest asks the trial for every parameter of p, see [Space.Suggest].
func (p *Problem) Suggest(trial *goptuna.Trial) (c []float64, v []int, err error) {
	return p.Params.Suggest(trial)
}
