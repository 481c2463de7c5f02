package kernel

// factor is k_p of Eq. (5): the kernel of one graph, modulated by t = α·d2.
// Rows are the unit of work, so that one interface call serves n pairs. A
// factor is bound to one β at a time and belongs to one Evaluator.
type factor interface {
	// bind fixes β_p.
	bind(beta float64)
	// mulRow multiplies dst[j] by k_p(v, vs[j]) at t = alpha·d2[j]. vs may be longer.
	mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64)
	// gradRow adds alpha·∂log k_p/∂t of pair j to slope[j], and returns
	// Σ_j u[j]·∂log k_p/∂log β_p and Σ_j u[j]·∂log k_p/∂log α_p.
	gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64)
	// meanDiag returns the mean over v of k_p(v, v) at t = 0, and its
	// derivative with respect to log β_p, relative to it.
	meanDiag() (mean, dLogBeta float64)
}

// laplacianFactor is what the factors of f_Lap on graphs that are not complete have in common.
type laplacianFactor struct {
	lambda []float64 // all eigenvalues
	beta   float64
}

func (f *laplacianFactor) bind(beta float64) { f.beta = beta }

// meanDiag uses that at t = 0 the trace of (I + βL)⁻¹ is Σ_i 1/(1+βλ_i).
func (f *laplacianFactor) meanDiag() (mean, dLogBeta float64) {
	var sum, dSum float64
	for _, l := range f.lambda {
		g := 1 / (1 + f.beta*l)
		sum += g
		dSum -= f.beta * l * g * g
	}
	return sum / float64(len(f.lambda)), dSum / sum
}
