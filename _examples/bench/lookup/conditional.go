package lookup

import (
	"fmt"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// dependence says where the rows have one value of a parameter only.
type dependence struct {
	choice int             // the categorical parameter that it depends on
	only   map[int]float64 // that value, by the level of the choice
}

// dependences returns the dependence of each parameter on the first choice before
// it beside some of whose levels the rows have one value of it, and beside others
// several; nil where there is none.
func (t *Table) dependences() []*dependence {
	found := make([]*dependence, len(t.Params))
	for i := range t.Params {
		for j := range i {
			if t.Params[j].Type != "categorical" || found[i] != nil {
				continue
			}
			if only := t.only(i, j); len(only) > 0 && len(only) < len(t.Params[j].Choices) {
				found[i] = &dependence{j, only}
			}
		}
	}
	return found
}

// only returns the levels of choice j beside which parameter i has one value, and
// that value.
func (t *Table) only(i, j int) map[int]float64 {
	seen := map[int][]float64{}
	for _, r := range t.rows {
		if level := int(r.at[j]); !slices.Contains(seen[level], r.at[i]) {
			seen[level] = append(seen[level], r.at[i])
		}
	}
	only := map[int]float64{}
	for level, values := range seen {
		if len(values) == 1 {
			only[level] = values[0]
		}
	}
	return only
}

// Conditional returns the problem in which a parameter is not asked for where the
// rows have one value of it beside a choice before it.
func (t *Table) Conditional(choices bool) (*harness.Problem, error) {
	space, value, err := t.values(choices)
	if err != nil {
		return nil, err
	}
	dependences := t.dependences()
	return &harness.Problem{Name: t.Name, Optimum: 0, Plain: t.Regret, Objective: func(trial goptuna.Trial) (float64, error) {
		at := make([]float64, len(space))
		for i := range space {
			if d := dependences[i]; d != nil {
				if only, ok := d.only[int(at[d.choice])]; ok {
					at[i] = only
					continue
				}
			}
			c, v, err := space[i : i+1].Suggest(&trial)
			if err != nil {
				return 0, err
			}
			if len(c) > 0 {
				at[i] = c[0]
			} else {
				at[i] = float64(v[0])
			}
		}
		y, err := value(at)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", harness.ErrFailed, err)
		}
		return y, nil
	}}, nil
}
