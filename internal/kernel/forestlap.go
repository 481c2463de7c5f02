package kernel

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// forestLap is f_Lap on any small graph, by the matrix forest theorem: with
// s = 1 + t and τ = β/s,
//
//	[(sI + βL)⁻¹]_vw = Σ_m Q_m(v,w) τ^m / (s Σ_m F_m τ^m),
//
// F_m the total weight of the rooted spanning forests with m edges and Q_m(v,w)
// that of those where v is in the tree rooted at w. No coefficient is negative,
// so every entry has full relative accuracy at any s and β.
type forestLap struct {
	laplacianFactor
	forests *forests
	n       int
}

const (
	// Polynomials in a τ above hugeTau are those in 1/τ: its powers would overflow.
	hugeTau = 1e8
	// maxForests is the largest weight of forests that, times such powers of τ up to
	// hugeTau, is a float64.
	maxForests = 1e150
)

// newForestLap reports false where the weight of forests leaves the range of a
// float64, or would with powers of τ.
func newForestLap(g *graphs.Graph) (*forestLap, bool) {
	f := &forestLap{laplacianFactor{lambda: g.Eigenvalues()}, forestsOf(g), g.Order()}
	return f, f.forests.total[f.n-1] > 0 && slices.Max(f.forests.total) <= maxForests
}

// row returns the coefficients Q_m(v, ·), n×n.
func (f *forestLap) row(v int32) []float64 {
	size := f.n * f.n
	return f.forests.rooted[int(v)*size : (int(v)+1)*size]
}

func (f *forestLap) mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64) {
	n, row := f.n, f.row(v)
	total := f.forests.total[:n]
	vs, d2 = vs[:len(dst)], d2[:len(dst)]
	for j := range dst {
		s := 1 + alpha*d2[j]
		tau := f.beta / s
		at := int(vs[j]) * n
		entry := row[at : at+n]
		var a, b float64
		if tau <= hugeTau {
			for m := n - 1; m >= 0; m-- {
				a = a*tau + entry[m]
				b = b*tau + total[m]
			}
		} else {
			for m := range n {
				a = a/tau + entry[m]
				b = b/tau + total[m]
			}
		}
		dst[j] *= a / (s * b)
	}
}

func (f *forestLap) gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64) {
	n, row := f.n, f.row(v)
	total := f.forests.total[:n]
	slope, vs, d2 = slope[:len(u)], vs[:len(u)], d2[:len(u)]
	for j, uj := range u {
		t := alpha * d2[j]
		s := 1 + t
		tau := f.beta / s
		at := int(vs[j]) * n
		entry := row[at : at+n]
		var a, b, da, db float64
		if tau <= hugeTau {
			for m := n - 1; m >= 0; m-- {
				da = da*tau + a
				db = db*tau + b
				a = a*tau + entry[m]
				b = b*tau + total[m]
			}
		} else { // ∂log a/∂log τ is n-1 less that by log 1/τ, and so is that of b
			tau = 1 / tau
			for m := range n {
				da = da*tau + a
				db = db*tau + b
				a = a*tau + entry[m]
				b = b*tau + total[m]
			}
			da, db = -da, -db
		}
		q := 0.0
		if a > 0 { // else the entry has underflowed, and its derivatives do not matter
			q = tau * (da/a - db/b)
		}
		r := -(1 + q) / s // homogeneous of degree -1 in (s, β)
		slope[j] += alpha * r
		dBeta += uj * q
		dAlpha += uj * t * r
	}
	return dBeta, dAlpha
}
