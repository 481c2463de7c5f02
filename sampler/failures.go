package sampler

import (
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// likelyFails is the probability of a feasible trial below which a start-up point is
	// drawn again.
	likelyFails = 0.3
	// alikeSD is the standard deviation of the bell that says how much alike two
	// values of an ordered parameter are, whose range is 1.
	alikeSD = 0.2
	// maxFailed is the number of failures that count, the latest ones: a start-up in
	// which thousands fail draws many points.
	maxFailed = 1000
)

// failures is what the few trials of a start-up tell of where trials fail: by each
// parameter by itself, and by two together.
type failures struct {
	single naiveBayes
	pairs  exclusions
}

func newFailures(p *observe.Problem) failures {
	b := naiveBayes{space: p.Space, valued: slices.Clone(p.X)}
	for _, v := range p.Valueless {
		if v.Trial.Failed() {
			b.failed = append(b.failed, v.X)
		} else {
			b.valued = append(b.valued, v.X)
		}
	}
	b.failed = b.failed[max(0, len(b.failed)-maxFailed):]
	return failures{b, newExclusions(p.Space, b.valued, b.failed)}
}

// probability returns that of a value at x.
func (f failures) probability(x fmkernel.Point) float64 {
	return f.single.probability(x) * f.pairs.probability(x)
}

// naiveBayes takes parameters for independent. After ten trials it ranks others as well as
// the Gaussian process of package surrogate, and costs nothing; after twenty the process is
// ahead.
type naiveBayes struct {
	space          *space.Space
	valued, failed []fmkernel.Point
}

// probability returns that of a value at x, 1 as long as none failed or all did.
func (b naiveBayes) probability(x fmkernel.Point) float64 {
	valued, failed := float64(len(b.valued)), float64(len(b.failed))
	if valued == 0 || failed == 0 {
		return 1
	}
	share := valued / (valued + failed)
	prior := math.Log(share / (1 - share))
	odds := prior
	// Each parameter changes the odds to those of the trials that are like x in it,
	// and of one more that is like all trials.
	add := func(param *space.Param, alike func(y fmkernel.Point) float64) {
		if !b.space.Active(x, param) {
			return
		}
		count := func(points []fmkernel.Point) (n float64) {
			for _, y := range points {
				if b.space.Active(y, param) {
					n += alike(y)
				}
			}
			return n
		}
		odds += math.Log((count(b.valued)+share)/(count(b.failed)+1-share)) - prior
	}
	for d, param := range b.space.Dims() {
		add(param, func(y fmkernel.Point) float64 { return bell(x.C[d] - y.C[d]) })
	}
	for g, param := range b.space.Graphs() {
		add(param, func(y fmkernel.Point) float64 {
			switch {
			case x.V[g] == y.V[g]:
				return 1
			case param.Graph.Shape() == graphs.ShapePath:
				return bell(float64(x.V[g]-y.V[g]) / float64(param.Graph.Order()-1))
			}
			return 0
		})
	}
	return 1 / (1 + math.Exp(-odds))
}

// bell returns how much alike two values at the distance are.
func bell(distance float64) float64 {
	return math.Exp(-0.5 * distance * distance / (alikeSD * alikeSD))
}
