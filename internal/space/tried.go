package space

import (
	"maps"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// Tried is the set of the configurations that trials have had, or are about to
// have.
//
// What an objective asks for follows from the values that it was given. So a trial
// that is given all values of an earlier configuration repeats it, whatever else
// was planned for it. Where only some values are decided, each earlier
// configuration z that agrees with them is one of the ways in which the trial can
// go on. The share of these that was tried is
//
//	Σ_z Π_q 1/|values of q|,  q over the parameters of z that are not decided,
//
// the sum of Kraft's inequality: 1 when every completion was tried. Not even its reading
// is safe for concurrent use: shares are indexed when they are asked for.
type Tried struct {
	space   *Space
	sets    []*triedSet     // in the order of their first configuration
	planned map[string]bool // by key
}

// triedSet holds the tried configurations of one activity.
type triedSet struct {
	activity Activity
	points   map[string]fmkernel.Point // by key
	common   map[string]bool           // what Tried.common returns of them
	// outdated says that later trials asked for other parameters after the same
	// values: the objective was edited, or chance decides.
	outdated bool
	// indexes are by the intersection of this activity and another one. Each is made when it
	// is asked for first, and kept up to date from then on.
	indexes map[Activity]*index
}

// index holds the tried share by the values of some of the parameters of a set, see keyOn.
type index struct {
	rest   []*Param // the others
	shares map[string]float64
}

// maxCompared is the number of configurations up to which they are compared one by one:
// their indexes, one for each set of parameters that others have, too, would be larger
// than they are.
const maxCompared = 8

// NewTried returns an empty set.
func (s *Space) NewTried() *Tried { return &Tried{space: s, planned: map[string]bool{}} }

// Plan adds the configuration that a running trial is expected to have.
func (t *Tried) Plan(x fmkernel.Point) { t.planned[t.space.Key(x)] = true }

// WithPlanned returns the set with further configurations of running trials.
func (t *Tried) WithPlanned(xs []fmkernel.Point) *Tried {
	u := &Tried{space: t.space, sets: t.sets, planned: maps.Clone(t.planned)}
	for _, x := range xs {
		u.Plan(x)
	}
	return u
}

// Finished returns the set without the configurations of running trials.
func (t *Tried) Finished() *Tried {
	return &Tried{space: t.space, sets: t.sets, planned: map[string]bool{}}
}

// Add adds the configuration of a trial, after those of earlier ones. A trial that
// is not whole may have ended before it asked for everything.
func (t *Tried) Add(x fmkernel.Point, whole bool) {
	s := t.space
	activity, common := s.Activity(x), t.common(x)
	var set *triedSet
	for _, other := range t.sets {
		if other.activity == activity {
			set = other
		} else if whole && !other.outdated && other.common[common] {
			// What was asked for after the values that both have did not follow from them.
			_, other.outdated = other.share(s, x, activity)
		}
	}
	if set == nil {
		set = &triedSet{activity: activity, points: map[string]fmkernel.Point{}, common: map[string]bool{}, indexes: map[Activity]*index{}}
		t.sets = append(t.sets, set)
	}
	key := s.keyOn(x, activity)
	if _, known := set.points[key]; !known {
		for both, index := range set.indexes {
			index.shares[s.keyOn(x, both)] += s.shareOf(x, index.rest)
		}
	}
	set.points[key] = x
	set.common[common] = true
	set.outdated = set.outdated && !whole
}

// common identifies the values at x of the parameters that every configuration has. Others
// agree with x only where they are the same, which is soon seen: where most trials ask for
// other parameters, there are as many sets as trials.
func (t *Tried) common(x fmkernel.Point) string {
	if len(t.space.groups) == 0 { // there is one set
		return ""
	}
	return t.space.keyOn(x, t.space.none)
}

// Without returns the set without the configurations that lack one of the
// parameters: a trial that was asked for these does not become any of them.
func (t *Tried) Without(lacking []*Param) *Tried {
	rest := &Tried{space: t.space, planned: t.planned}
	for _, set := range t.sets {
		if !slices.ContainsFunc(lacking, func(p *Param) bool { return !t.space.activeIn(set.activity, p) }) {
			rest.sets = append(rest.sets, set)
		}
	}
	return rest
}

// complete is the tried share from which nothing is left, rounding aside.
const complete = 1 - 1e-9

// Covers reports whether a trial that is given the values of x, or as many of them
// as it asks for, repeats a configuration whatever else it is given.
func (t *Tried) Covers(x fmkernel.Point) bool {
	s := t.space
	activity := s.Activity(x)
	if len(t.planned) > 0 && t.planned[s.keyOn(x, activity)] {
		return true
	}
	share, common := 0.0, t.common(x)
	for _, set := range t.sets {
		switch {
		case !set.common[common]:
		case set.activity == activity || !set.outdated && activity.Includes(set.activity):
			if _, ok := set.points[s.keyOn(x, set.activity)]; ok {
				return true
			}
		case !set.outdated:
			more, _ := set.share(s, x, activity)
			share += more
		}
	}
	return share >= complete
}

// share returns the tried share of what can follow the values of x that configurations of
// the set have, too. agrees says whether one of them does; x has another activity.
func (set *triedSet) share(s *Space, x fmkernel.Point, activity Activity) (share float64, agrees bool) {
	if len(set.points) <= maxCompared {
		for _, z := range set.points {
			if s.agree(x, z) {
				share, agrees = share+s.shareOf(z, s.difference(set.activity, activity)), true
			}
		}
		return share, agrees
	}
	both := set.activity.intersection(activity)
	of := set.indexes[both]
	if of == nil {
		of = &index{s.difference(set.activity, both), map[string]float64{}}
		for _, z := range set.points {
			of.shares[s.keyOn(z, both)] += s.shareOf(z, of.rest)
		}
		set.indexes[both] = of
	}
	share, agrees = of.shares[s.keyOn(x, both)]
	return share, agrees
}

// difference returns the parameters of one activity that another has not.
func (s *Space) difference(a, b Activity) (params []*Param) {
	for _, p := range s.params {
		if s.activeIn(a, p) && !s.activeIn(b, p) {
			params = append(params, p)
		}
	}
	return params
}

// shareOf returns the share of the configuration z among those that differ in some
// parameters, 0 where no trial can have it any more.
func (s *Space) shareOf(z fmkernel.Point, params []*Param) float64 {
	share := 1.0
	for _, p := range params {
		share /= s.count(z, p)
	}
	if share == 0 || !s.attainable(z) {
		return 0
	}
	return share
}
