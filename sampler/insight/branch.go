package insight

import (
	"fmt"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

// Branch is a part of a conditional space, as it was learned from what trials
// asked for: with values that satisfy all conditions, these parameters are active.
type Branch struct {
	Conditions []Condition // none where every configuration is in the branch
	Active     []string    // sorted
	Trials     int         // that it was learned from
	Infeasible int         // of these, beyond a limit
	Failures   int         // trials that have failed, where none has a value
	Best       *LeftOut    // its best trial; nil where there is none
}

// Condition demands one of some values of a parameter, or a number in a range.
type Condition struct {
	Param  string
	Values []any // nil for a range
	// Low and High are the ends of a range, both included.
	Low, High any
}

// String returns the condition as "optimizer = adam or sgd".
func (c Condition) String() string {
	if c.Values == nil {
		return fmt.Sprintf("%s from %s to %s", c.Param, words.Value(c.Low), words.Value(c.High))
	}
	texts := make([]string, len(c.Values))
	for i, value := range c.Values {
		texts[i] = words.Value(value)
	}
	return c.Param + " = " + strings.Join(texts, " or ")
}

// Branches returns the leaves of the tree that tells which parameters are active:
// one, without conditions, where all always are. Branches in which several trials
// have failed and none has succeeded are left out while others remain.
func (m *Model) Branches() []Branch {
	left := m.leftOut()
	var branches []Branch
	for _, r := range m.regions {
		b := Branch{Trials: r.Trials, Infeasible: r.Infeasible, Failures: r.Failures}
		for _, c := range r.Conditions() {
			b.Conditions = append(b.Conditions, condition(c))
		}
		for _, p := range m.problem.Space.Params() {
			if r.Active(p) {
				b.Active = append(b.Active, p.Name)
			}
		}
		for i, x := range m.surrogate.X {
			if m.surrogate.IsFeasible(i) && r.Contains(x) && (b.Best == nil || m.problem.Sign*left[i].Observed < m.problem.Sign*b.Best.Observed) {
				best := left[i] // the caller's own
				b.Best = &best
			}
		}
		branches = append(branches, b)
	}
	return branches
}

func condition(of space.Condition) Condition {
	c := Condition{Param: of.Param.Name}
	if of.Vertices == nil {
		first, last := of.Ends()
		c.Low, c.High = external(of.Param, of.Param.Decode(first)), external(of.Param, of.Param.Decode(last))
		return c
	}
	for _, v := range of.Vertices {
		c.Values = append(c.Values, external(of.Param, of.Param.Decode(float64(v))))
	}
	return c
}
