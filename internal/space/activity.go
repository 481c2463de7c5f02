package space

import (
	"strings"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// Activity is a set of the groups of optional parameters in a space: those that are active
// in a configuration. Two configurations have the same parameters where their activities
// are equal.
type Activity string // by group: '1' if it is active, or else '0'

// newActivity returns the set of those of n groups that are active.
func newActivity(n int, active func(group int) bool) Activity {
	var set strings.Builder
	set.Grow(n)
	for g := range n {
		if active(g) {
			set.WriteByte('1')
		} else {
			set.WriteByte('0')
		}
	}
	return Activity(set.String())
}

func (a Activity) has(group int) bool { return a[group] == '1' }

// with returns the set with one group more.
func (a Activity) with(group int) Activity {
	return newActivity(len(a), func(g int) bool { return g == group || a.has(g) })
}

// Includes reports whether all groups of b are in a.
func (a Activity) Includes(b Activity) bool {
	for g := range len(b) {
		if b.has(g) && !a.has(g) {
			return false
		}
	}
	return true
}

func (a Activity) union(b Activity) Activity {
	return newActivity(len(a), func(g int) bool { return a.has(g) || b.has(g) })
}

func (a Activity) intersection(b Activity) Activity {
	return newActivity(len(a), func(g int) bool { return a.has(g) && b.has(g) })
}

// Activity returns that of a configuration.
func (s *Space) Activity(x fmkernel.Point) Activity {
	return newActivity(len(s.groups), func(g int) bool { return s.groupActive(x, g) })
}

// Active reports whether the parameter is active at x.
func (s *Space) Active(x fmkernel.Point, p *Param) bool {
	g, optional := s.groupOf[p.Name]
	return !optional || s.groupActive(x, g)
}

func (s *Space) groupActive(x fmkernel.Point, g int) bool {
	if c := s.groups[g].presence; c >= 0 {
		return x.C[c] != 0
	}
	return s.groups[g].active[x.V[s.groups[g].graph]]
}

// activeIn reports whether the configurations of an activity have the parameter.
func (s *Space) activeIn(a Activity, p *Param) bool {
	g, optional := s.groupOf[p.Name]
	return !optional || a.has(g)
}
