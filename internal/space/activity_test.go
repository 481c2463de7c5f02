package space_test

import (
	"maps"
	"slices"
	"testing"
)

// Configurations have the same parameters where their activities are equal, and one has all
// of another's where its activity includes that.
func TestActivity(t *testing.T) {
	for _, test := range conditional {
		s, xs := history(t, test.distributions, test.objective, test.n, 1)
		for _, x := range xs {
			for _, z := range xs {
				ours, theirs := s.Decode(x), s.Decode(z)
				includes := !slices.ContainsFunc(slices.Collect(maps.Keys(theirs)), func(name string) bool { _, ok := ours[name]; return !ok })
				if got := s.Activity(x).Includes(s.Activity(z)); got != includes {
					t.Errorf("%s: the activity of %v includes that of %v: %t", test.name, ours, theirs, got)
				}
				equal := includes && len(ours) == len(theirs)
				if got := s.Activity(x) == s.Activity(z); got != equal {
					t.Errorf("%s: the activities of %v and %v are equal: %t", test.name, ours, theirs, got)
				}
			}
		}
	}
}
