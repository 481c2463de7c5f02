package space_test

import (
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// The conditions of the regions say which values lead there: every configuration
// satisfies those of its own region and not all of any other.
func TestConditions(t *testing.T) {
	s, xs, regions := switchedRegions(t)
	if len(regions) < 2 {
		t.Fatalf("%d regions", len(regions))
	}
	for _, x := range xs {
		for _, r := range regions {
			leads := !slices.ContainsFunc(r.Conditions(), func(c space.Condition) bool {
				value, active := s.Decode(x)[c.Param.Name]
				u, ok := c.Param.Encode(value)
				return !active || !ok || !c.Holds(u)
			})
			if leads != r.Contains(x) {
				t.Errorf("%v: conditions %+v hold: %t; the region contains it: %t", s.Decode(x), r.Conditions(), leads, r.Contains(x))
			}
		}
	}
	if got := s.Root().Conditions(); len(got) != 0 {
		t.Errorf("the whole space has conditions %+v", got)
	}
}

// The ends of a range are values on the grid within it.
func TestConditionEnds(t *testing.T) {
	p, err := space.NewParam("n", goptuna.IntUniformDistribution{Low: 0, High: 100}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := space.Condition{Param: p, Lower: 0.255, Upper: 0.5}
	first, last := c.Ends()
	if p.Decode(first) != 26 || p.Decode(last) != 49 {
		t.Errorf("from %v to %v, want 26 to 49", p.Decode(first), p.Decode(last))
	}
}
