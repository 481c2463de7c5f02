package space

import (
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// alikeShare is the share of the range up to which coordinates are alike: the results of two
// configurations of which all are tell hardly more than one.
const alikeShare = 0.02

// Alike reports whether two configurations are nearly the same.
func Alike(x, y fmkernel.Point) bool {
	for d := range x.C {
		if math.Abs(x.C[d]-y.C[d]) > alikeShare {
			return false
		}
	}
	return slices.Equal(x.V, y.V)
}
