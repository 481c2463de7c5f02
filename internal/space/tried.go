package space

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
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
// is safe for concurrent use: shares are computed when they are asked for.
type Tried struct {
	space   *Space
	sets    []*triedSet // by their active groups, in the order of their first configuration
	planned map[string]bool
}

// triedSet holds the tried configurations with the same active groups.
type triedSet struct {
	active Activity
	keys   map[string]fmkernel.Point
	// outdated says that later trials asked for other parameters after the same
	// values: the objective was edited, or chance decides.
	outdated bool
	// shares holds, for the active groups of others, the tried share by the values
	// that both have.
	shares map[Activity]map[string]float64
	// on holds the values of some of the groups, by these, to compare them with
	// those of others.
	on map[Activity]map[string]bool
}

// maxCompared is the number of configurations up to which they are compared one by one:
// an index of their values for each set of groups that others have would be larger than
// they are.
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
	active := s.Activity(x)
	var set *triedSet
	for _, other := range t.sets {
		switch {
		case other.active == active:
			set = other
		case whole && !other.outdated && other.contradicts(s, x, active):
			other.outdated = true
		}
	}
	if set == nil {
		set = &triedSet{active: active, keys: map[string]fmkernel.Point{}}
		t.sets = append(t.sets, set)
	}
	set.keys[s.keyOn(x, active)] = x
	for both, on := range set.on {
		on[s.keyOn(x, both)] = true
	}
	set.outdated, set.shares = set.outdated && !whole, nil
}

// contradicts reports whether one of the configurations, which have other parameters
// than x, has the same values of those that both have: what was asked for then did
// not follow from the values.
func (set *triedSet) contradicts(s *Space, x fmkernel.Point, active Activity) bool {
	if len(set.keys) <= maxCompared {
		for _, z := range set.keys {
			if s.agree(x, z) {
				return true
			}
		}
		return false
	}
	both := set.active.intersection(active)
	on, ok := set.on[both]
	if !ok {
		on = map[string]bool{}
		for _, z := range set.keys {
			on[s.keyOn(z, both)] = true
		}
		if set.on == nil {
			set.on = map[Activity]map[string]bool{}
		}
		set.on[both] = on
	}
	return on[s.keyOn(x, both)]
}

// Without returns the set without the configurations that lack one of the
// parameters: a trial that was asked for these does not become any of them.
func (t *Tried) Without(lacking []*Param) *Tried {
	rest := &Tried{space: t.space, planned: t.planned}
	for _, set := range t.sets {
		if !slices.ContainsFunc(lacking, func(p *Param) bool { return !t.space.activeIn(set.active, p) }) {
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
	active := s.Activity(x)
	if len(t.planned) > 0 && t.planned[s.keyOn(x, active)] {
		return true
	}
	share := 0.0
	for _, set := range t.sets {
		both := set.active.intersection(active)
		switch {
		case set.outdated:
			if set.active == active {
				if _, ok := set.keys[s.keyOn(x, active)]; ok {
					return true
				}
			}
		case both == set.active:
			if _, ok := set.keys[s.keyOn(x, both)]; ok {
				return true
			}
		default:
			share += set.sharesOn(s, active, both)[s.keyOn(x, both)]
		}
	}
	return share >= complete
}

// sharesOn returns the tried share by the values of the groups that both the set
// and a configuration with the given active groups have.
func (set *triedSet) sharesOn(s *Space, active, both Activity) map[string]float64 {
	if shares, ok := set.shares[active]; ok {
		return shares
	}
	shares := map[string]float64{}
	var open []*Param
	endless := false
	for _, p := range s.params {
		if s.activeIn(set.active, p) && !s.activeIn(active, p) {
			open = append(open, p)
			endless = endless || math.IsInf(p.Count(), 1)
		}
	}
	if !endless {
		for _, z := range set.keys {
			if s.attainable(z) {
				share := 1.0
				for _, p := range open {
					share /= s.count(z, p)
				}
				shares[s.keyOn(z, both)] += share
			}
		}
	}
	if set.shares == nil {
		set.shares = map[Activity]map[string]float64{}
	}
	set.shares[active] = shares
	return shares
}

const (
	// manyValues is the number of values that no study tries.
	manyValues = 1e9
	// elsewhere is how often other values of such parameters are drawn, where those
	// at hand were tried.
	elsewhere = 5
)

// FirstUntried returns the first configuration of the region that the set does not
// cover, in the order of the coordinates, and false when it covers all.
func (t *Tried) FirstUntried(r Region) (x fmkernel.Point, ok bool) {
	for _, part := range r.Parts() {
		if x, ok = t.firstUntried(part); ok {
			break
		}
	}
	return x, ok
}

func (t *Tried) firstUntried(r Region) (x fmkernel.Point, ok bool) {
	s, dom := t.space, r.Domain()
	if dom.Size() == 0 {
		return x, false
	}
	search := &untriedSearch{Tried: t, x: dom.Nearest(dom.Fixed)}
	var continua []*Param
	for _, c := range dom.Free() {
		p := s.at(c.Dim, c.Graph)
		if c.Count > manyValues {
			continua = append(continua, p)
		} else {
			search.free, search.undecided = append(search.free, c), append(search.undecided, p)
		}
	}
	search.undecided = append(search.undecided, continua...)
	var agreeing []fmkernel.Point
	for _, set := range t.sets {
		if set.outdated && set.active != r.Activity {
			continue
		}
		for _, z := range set.keys {
			if s.attainable(z) && s.hasValues(z, r.fixed) {
				agreeing = append(agreeing, z)
			}
		}
	}
	rng := rand.New(rand.NewPCG(0, uint64(len(agreeing))))
	for range 1 + elsewhere {
		if ok = search.descend(0, agreeing); ok || len(continua) == 0 {
			break
		}
		search.x = dom.Draw(rng)
	}
	return search.x, ok
}

// untriedSearch sets the free coordinates of x one after the other, and turns back
// where every completion of those that are set was tried.
type untriedSearch struct {
	*Tried
	x         fmkernel.Point
	free      []acquisition.Coordinate // those whose values may all be tried
	undecided []*Param                 // theirs, and the other ones
}

// descend sets the coordinates from number k on, given the tried configurations
// that agree with x on those before.
func (u *untriedSearch) descend(k int, agreeing []fmkernel.Point) bool {
	share := 0.0
	for _, z := range agreeing {
		share += u.share(z, k)
	}
	if share >= complete {
		return false
	}
	if k == len(u.free) {
		return !u.Covers(u.x)
	}
	p := u.undecided[k]
	for i := range int(u.free[k].Count) {
		u.free[k].Set(u.x, float64(i))
		var rest []fmkernel.Point
		for _, z := range agreeing {
			if !u.space.Active(z, p) || u.space.Coordinate(z, p) == u.space.Coordinate(u.x, p) {
				rest = append(rest, z)
			}
		}
		if u.descend(k+1, rest) {
			return true
		}
	}
	return false
}

// share returns that of z among what can follow the first k coordinates.
func (u *untriedSearch) share(z fmkernel.Point, k int) float64 {
	share := 1.0
	for _, p := range u.undecided[k:] {
		if u.space.Active(z, p) {
			share /= u.space.count(z, p)
		}
	}
	for _, p := range u.space.params {
		if u.space.Active(z, p) && !u.space.Active(u.x, p) {
			share /= u.space.count(z, p)
		}
	}
	return share
}
