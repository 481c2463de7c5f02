// Package architecture is the space of network architectures of the paper's
// joint search (Supp. Sec. 3.2): a block of four states.
package architecture

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// States is the number of states of a block. State k adds up two operations on
// two of -1 and 0, the inputs of the block, and the states before it.
const States = 4

// Operations are what a state may do to an input.
var Operations = []string{"id", "conv1x1", "conv3x3", "conv5x5", "sep3x3", "sep5x5", "max3x3", "max5x5"}

// Space returns two operations per state, the inputs of states 2 to 4, and which
// state is the output beside the last.
func Space() problems.Space {
	var space problems.Space
	for k := 1; k <= States; k++ {
		for _, side := range []string{"a", "b"} {
			space = append(space, problems.Choice(fmt.Sprintf("op%d%s", k, side), Operations...))
		}
	}
	for k := 2; k <= States; k++ {
		var texts []string
		for _, p := range InputPairs(k) {
			texts = append(texts, fmt.Sprintf("%d,%d", p[0], p[1]))
		}
		space = append(space, withGraph(problems.Choice(fmt.Sprintf("inputs%d", k), texts...), pairGraph(InputPairs(k))))
	}
	return append(space, withGraph(problems.Choice("output", "1,4", "2,4", "3,4"), graphs.Path(3)))
}

func withGraph(q problems.Param, g *graphs.Graph) problems.Param {
	q.Graph = g
	return q
}

// InputPairs returns the pairs of inputs that state k may have. The last state
// cannot have the inputs of the block: that would make an identity block
// possible.
func InputPairs(k int) (pairs [][2]int) {
	for a := -1; a < k; a++ {
		for b := a + 1; b < k; b++ {
			if k < States || b > 0 {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	return pairs
}

// pairGraph joins two pairs that share an input and whose other inputs differ
// by one.
func pairGraph(pairs [][2]int) *graphs.Graph {
	near := mat.NewSymDense(len(pairs), nil)
	for i, p := range pairs {
		for j, q := range pairs[:i] {
			if areNear(p, q) {
				near.SetSym(i, j, 1)
			}
		}
	}
	g, err := graphs.FromAdjacency(near)
	if err != nil {
		panic(err) // a fixed graph
	}
	return g
}

func areNear(p, q [2]int) bool {
	for i := range p {
		for j := range q {
			if other := p[1-i] - q[1-j]; p[i] == q[j] && (other == 1 || other == -1) {
				return true
			}
		}
	}
	return false
}
