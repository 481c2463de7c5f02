package observe

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// valuesLeft returns the vertices of parameters that have one value left of several, by graph.
func valuesLeft(sp *space.Space) map[int]int {
	left := map[int]int{}
	for g, param := range sp.Graphs() {
		if len(param.Open) == 1 && !sp.Optional(param) {
			left[g] = param.Open[0]
		}
	}
	return left
}

// NamesLeft returns the names of these parameters, as objectives ask for them.
func (p *Problem) NamesLeft() (names []string) {
	for g, param := range p.Space.Graphs() {
		if _, ok := p.left[g]; ok {
			names = append(names, param.AskedName)
		}
	}
	return names
}

// HasValuesLeft reports whether x has the value that is left of each parameter with one.
func (p *Problem) HasValuesLeft(x fmkernel.Point) bool {
	for g, v := range p.left {
		if x.V[g] != v {
			return false
		}
	}
	return true
}

// bringToLevel adds a constant to the values of trials that had other values of a parameter
// which has one left, such as the data set or the machine that trials are made on now. The
// search is for the best configuration with the value that is left, and the others say where
// to look. At a level of their own they would all be better than any that the trial can have,
// or worse, and what is observed now would differ too little to count.
//
// Trials with the same other values have the same constant: the median difference between
// configurations that are otherwise the same, or where there are none, that between the best.
// As long as nothing was observed with the value that is left, values stay as they are.
func (p *Problem) bringToLevel() {
	if len(p.left) == 0 || p.Infeasible {
		return
	}
	here, best := map[string][]float64{}, math.Inf(1) // values by configuration, and the best
	others := map[string][]int{}                      // by their values in place of those that are left
	keys := make([]string, len(p.X))                  // of the configurations with those that are left
	for i, x := range p.X {
		moved, replaced := x.Clone(), map[int]int{}
		for g, v := range p.left {
			if moved.V[g] != v {
				replaced[g], moved.V[g] = moved.V[g], v
			}
		}
		keys[i] = p.Space.Key(moved)
		if len(replaced) > 0 {
			group := fmt.Sprint(replaced) // in the order of the graphs
			others[group] = append(others[group], i)
			continue
		}
		here[keys[i]] = append(here[keys[i]], p.Y[i])
		if p.IsFeasible(p.Trials[i]) {
			best = min(best, p.Y[i])
		}
	}
	for _, group := range others {
		var differences []float64
		bestThere := math.Inf(1)
		for _, i := range group {
			if same := here[keys[i]]; len(same) > 0 {
				differences = append(differences, stat.Mean(same, nil)-p.Y[i])
			}
			if p.IsFeasible(p.Trials[i]) {
				bestThere = min(bestThere, p.Y[i])
			}
		}
		shift := best - bestThere
		if len(differences) > 0 {
			slices.Sort(differences)
			shift = stat.Quantile(0.5, stat.Empirical, differences, nil)
		}
		for _, i := range group {
			if y := p.Y[i] + shift; !math.IsNaN(y) && !math.IsInf(y, 0) {
				p.Y[i] = y
			}
		}
	}
}

// setElsewhere sets which trials are at another level once one with the values that are left
// tells of the constraints: what is within a limit on one machine may be beyond it on another.
func (p *Problem) setElsewhere() {
	if len(p.left) == 0 || len(p.constraints) == 0 {
		return
	}
	known, others := false, map[int]bool{}
	add := func(x fmkernel.Point, t history.Trial) {
		if !p.HasValuesLeft(x) {
			others[t.ID] = true
		} else if !t.NoValue || t.Violates() {
			known = true
		}
	}
	for i, x := range p.X {
		add(x, p.Trials[i])
	}
	for _, v := range p.Valueless {
		add(v.X, v.Trial)
	}
	if known {
		p.elsewhere = others
	}
}

// Alone returns the problem where only trials with the values that are left have observations:
// the others may mislead. It is nil where there are no others, or nothing but these.
func (p *Problem) Alone() *Problem { return p.alone }

// IsAlone reports whether it is such a problem.
func (p *Problem) IsAlone() bool { return p.isAlone }

func (p *Problem) setAlone() {
	if len(p.left) == 0 {
		return
	}
	alone := *p
	alone.isAlone, alone.X, alone.Y, alone.Trials, alone.FeasibleY = true, nil, nil, nil, nil
	for i, x := range p.X {
		if !p.HasValuesLeft(x) {
			continue
		}
		alone.X, alone.Y, alone.Trials = append(alone.X, x), append(alone.Y, p.Y[i]), append(alone.Trials, p.Trials[i])
		if p.IsFeasible(p.Trials[i]) {
			alone.FeasibleY = append(alone.FeasibleY, p.Y[i])
		}
	}
	if n := len(alone.X); n > 0 && n < len(p.X) {
		p.alone = &alone
	}
}
