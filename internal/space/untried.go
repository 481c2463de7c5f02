package space

import (
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

const (
	// manyValues is the number of values that no study tries.
	manyValues = 1e9
	// redraws is how often other values of such parameters are drawn, where those
	// at hand were tried.
	redraws = 5
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
		p := s.paramOf(c)
		if c.Count > manyValues {
			continua = append(continua, p)
		} else {
			search.free, search.undecided = append(search.free, c), append(search.undecided, p)
		}
	}
	search.undecided = append(search.undecided, continua...)
	var agreeing []fmkernel.Point
	for _, set := range t.sets {
		if set.outdated && set.activity != r.Activity {
			continue
		}
		for _, z := range set.points {
			if s.attainable(z) && s.hasValues(z, r.fixed) {
				agreeing = append(agreeing, z)
			}
		}
	}
	rng := rand.New(rand.NewPCG(0, uint64(len(agreeing))))
	for range 1 + redraws {
		if ok = search.descend(0, agreeing); ok || len(continua) == 0 {
			break
		}
		search.x = dom.Draw(rng)
	}
	return search.x, ok
}

// paramOf returns the parameter of a free coordinate.
func (s *Space) paramOf(c acquisition.Coordinate) *Param {
	if c.Dim >= 0 {
		return s.dims[c.Dim]
	}
	return s.graphs[c.Graph]
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
