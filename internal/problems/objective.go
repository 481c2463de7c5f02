package problems

import (
	"fmt"
	"math"
	"slices"

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

// Suggest asks the trial for every parameter of p, in the order of p.Params,
// and returns the point (c, v).
//
// Continuous parameters are asked for by SuggestFloat, nominal ones by
// SuggestCategorical, and ordinal ones by SuggestInt if their values are
// consecutive integers and by SuggestDiscreteFloat otherwise.
func (p *Problem) Suggest(trial *goptuna.Trial) (c []float64, v []int, err error) {
	c = make([]float64, 0, len(p.BestC))
	v = make([]int, 0, len(p.BestV))
	for i := range p.Params {
		q := &p.Params[i]
		if q.Kind == Continuous {
			x, err := trial.SuggestFloat(q.Name, q.Low, q.High)
			if err != nil {
				return nil, nil, err
			}
			c = append(c, x)
			continue
		}
		level, err := q.suggestLevel(trial)
		if err != nil {
			return nil, nil, err
		}
		v = append(v, level)
	}
	return c, v, nil
}

// suggestLevel asks for a discrete parameter and returns its level.
func (q *Param) suggestLevel(trial *goptuna.Trial) (int, error) {
	if q.Kind == Nominal {
		choice, err := trial.SuggestCategorical(q.Name, q.Choices)
		if err != nil {
			return 0, err
		}
		return slices.Index(q.Choices, choice), nil
	}
	step := q.step()
	if step == 1 && q.Low == math.Trunc(q.Low) {
		x, err := trial.SuggestInt(q.Name, int(q.Low), int(q.High))
		return x - int(q.Low), err
	}
	x, err := trial.SuggestDiscreteFloat(q.Name, q.Low, q.High, step)
	if err != nil {
		return 0, err
	}
	level := int(math.Round((x - q.Low) / step))
	if level < 0 || level >= q.Levels {
		return 0, fmt.Errorf("problems: %s = %v is not on its grid", q.Name, x)
	}
	return level, nil
}
