package kernel

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// maxUneven is the number of graphs with unequal vertices that stay as they are: in
// spaces of few such parameters the best is at an end often enough.
const maxUneven = 3

// Normalized returns k with the prior variance spread more evenly over the vertices:
// fmkernel.Kernel.Normalized.
func (k *Kernel) Normalized() *Kernel {
	uneven := 0
	for _, g := range k.graphs {
		if isUneven(g) {
			uneven++
		}
	}
	if uneven <= maxUneven {
		return k
	}
	few := maxUneven / float64(uneven)
	normalized := *k
	normalized.share = 1 - few*few
	return &normalized
}

// isUneven reports whether some vertices may have a larger k_p(v, v) than others: not
// where each looks like every other.
func isUneven(g *graphs.Graph) bool {
	return g.Shape() != graphs.ShapeComplete && g.Shape() != graphs.ShapeCycle
}

// factor returns the factor of one of the graphs.
func (k *Kernel) factor(g *graphs.Graph) (factor, error) {
	f, err := k.modulation.factor(g)
	if err != nil {
		return nil, err
	}
	n := g.Order()
	if k.isUnmodulated() {
		f = unmodulated(f, n)
	}
	if k.share == 0 || !isUneven(g) {
		return f, nil
	}
	return &normalizedFactor{
		factor: f, share: k.share, weight: make([]float64, n), dWeight: make([]float64, n),
	}, nil
}

// normalizedFactor is a factor k_p, divided by a share of its diagonal at t = 0:
//
//	k_p(v, w) / (k_p(v, v) k_p(w, w))^{share/2}.
type normalizedFactor struct {
	factor
	share   float64   // in (0, 1)
	weight  []float64 // by vertex, k_p(v, v)^{-share/2}
	dWeight []float64 // the derivative of its logarithm by log β_p
}

func (f *normalizedFactor) bind(beta float64) {
	f.factor.bind(beta)
	one, diag, slope, t := []float64{1}, []float64{1}, []float64{0}, []float64{0}
	at := []int32{0}
	for v := range f.weight {
		diag[0], at[0] = 1, int32(v)
		f.factor.mulRow(diag, at[0], at, 0, t)
		dBeta, _ := f.factor.gradRow(slope, one, at[0], at, 0, t)
		f.weight[v] = math.Pow(diag[0], -f.share/2)
		f.dWeight[v] = -f.share / 2 * dBeta
	}
}

func (f *normalizedFactor) mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64) {
	f.factor.mulRow(dst, v, vs, alpha, d2)
	weight := f.weight[v]
	for j := range dst {
		dst[j] *= weight * f.weight[vs[j]]
	}
}

func (f *normalizedFactor) gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64) {
	dBeta, dAlpha = f.factor.gradRow(slope, u, v, vs, alpha, d2)
	for j, uj := range u {
		dBeta += uj * (f.dWeight[v] + f.dWeight[vs[j]])
	}
	return dBeta, dAlpha
}

func (f *normalizedFactor) meanDiag() (mean, dLogBeta float64) {
	power := 2 - 2/f.share // of the weight: k_p(v, v)^{1-share}
	var sum, dSum float64
	for v, weight := range f.weight {
		diag := math.Pow(weight, power)
		sum += diag
		dSum += diag * power * f.dWeight[v]
	}
	return sum / float64(len(f.weight)), dSum / sum
}
