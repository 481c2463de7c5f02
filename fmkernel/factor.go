package fmkernel

import "github.com/goptuna-fm/goptuna-fm/graphs"

// factor is k_p of Eq. (5): the kernel of one graph, modulated by t = α·d2.
// Rows are the unit of work, so that one interface call serves n pairs. A
// factor is bound to one β at a time and belongs to one Evaluator.
type factor interface {
	// bind fixes β_p.
	bind(beta float64)
	// mulRow multiplies dst[j] by k_p(v, vs[j]) at t = alpha·d2[j].
	mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64)
	// gradRow adds alpha·∂log k_p/∂t of pair j to slope[j], and returns
	// Σ_j u[j]·∂log k_p/∂log β_p and Σ_j u[j]·∂log k_p/∂log α_p.
	gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64)
	// meanDiag returns the mean over v of k_p(v, v) at t = 0, and its
	// derivative with respect to log β_p, relative to it.
	meanDiag() (mean, dLogBeta float64)
}

// maxForestOrder is the largest graph whose factor is a ratio of forest
// polynomials, which cost O(n) per pair: past it the closed forms of long paths
// and cycles are faster, and the exact set-up of other graphs gets slow.
const maxForestOrder = 20

// newFactor chooses the cheapest accurate form for the modulator on the graph.
func newFactor(m Modulator, g *graphs.Graph) (factor, error) {
	switch m := m.(type) {
	case Laplacian:
		return newLapFactor(g)
	case Kernelized:
		if m.delta() == 1 { // f_Lap, of another t
			return newLapFactor(g)
		}
	case Diffusion:
		if g.Shape() == graphs.ShapeComplete {
			return &completeDif{n: float64(g.Order())}, nil
		}
	}
	return newSpectralFactor(m, g)
}

// newLapFactor is newFactor for f_Lap.
func newLapFactor(g *graphs.Graph) (factor, error) {
	n := g.Order()
	if g.Shape() == graphs.ShapeComplete {
		return &completeLap{n: float64(n), same: make([]float64, n)}, nil
	}
	if n <= maxForestOrder {
		if f, ok := newForestLap(g); ok {
			return f, nil
		}
	}
	switch g.Shape() {
	case graphs.ShapePath:
		return &pathLap{n: n, lambda: g.Eigenvalues()}, nil
	case graphs.ShapeCycle:
		return &cycleLap{n: n, lambda: g.Eigenvalues()}, nil
	}
	return newSpectralFactor(Laplacian{}, g)
}

// lapMeanDiag is meanDiag for f_Lap from all eigenvalues: at t = 0 the trace of
// (I + βL)⁻¹ is Σ_i 1/(1+βλ_i).
func lapMeanDiag(lambda []float64, beta float64) (mean, dLogBeta float64) {
	var sum, dSum float64
	for _, l := range lambda {
		f := 1 / (1 + beta*l)
		sum += f
		dSum -= beta * l * f * f
	}
	return sum / float64(len(lambda)), dSum / sum
}
