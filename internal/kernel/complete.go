package kernel

import "math"

// completeLap is f_Lap on the complete graph with n vertices. With s = 1 + t
// the factor is (β + s·δ_vw) / (s (s + βn)); see the proof of Thm 3.2 for
// general f.
type completeLap struct {
	n    float64
	beta float64
	same []float64 // indicator of the row's vertex, all 0 between calls
}

func (f *completeLap) bind(beta float64) { f.beta = beta }

func (f *completeLap) mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64) {
	b, bn, same := f.beta, f.beta*f.n, f.same
	same[v] = 1
	vs, d2 = vs[:len(dst)], d2[:len(dst)]
	for j := range dst {
		s := 1 + alpha*d2[j]
		dst[j] *= (b + s*same[vs[j]]) / (s * (s + bn))
	}
	same[v] = 0
}

func (f *completeLap) gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64) {
	b, bn, same := f.beta, f.beta*f.n, f.same
	same[v] = 1
	slope, vs, d2 = slope[:len(u)], vs[:len(u)], d2[:len(u)]
	for j, uj := range u {
		t := alpha * d2[j]
		s := 1 + t
		x, y := b+s*same[vs[j]], s+bn
		inv := 1 / (s * x * y)
		// ∂log k/∂log β = β/x - βn/y; homogeneity of degree -1 in (s, β)
		// gives ∂log k/∂s = -(1 + ∂log k/∂log β)/s.
		q := s * inv * (b*y - bn*x)
		r := -(1 + q) * x * y * inv
		slope[j] += alpha * r
		dBeta += uj * q
		dAlpha += uj * t * r
	}
	same[v] = 0
	return dBeta, dAlpha
}

func (f *completeLap) meanDiag() (mean, dLogBeta float64) {
	// Eigenvalue 0 once, n with multiplicity n-1.
	g := 1 / (1 + f.beta*f.n)
	mean = (1 + (f.n-1)*g) / f.n
	return mean, -(f.n - 1) * f.beta * g * g / mean
}

// completeDif is f_Dif on the complete graph with n vertices. By the proof of
// Thm 3.2, for any f, the factor is (f(0) - f(n))/n for different vertices and
// f(n) more for the same, where f(0) = 1.
type completeDif struct {
	n, beta float64
}

func (f *completeDif) bind(beta float64) { f.beta = beta }

func (f *completeDif) mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64) {
	bn := f.beta * f.n
	for j := range dst {
		loss := math.Expm1(-(1 + alpha*d2[j]) * bn) // f(n) - 1
		k := -loss / f.n
		if vs[j] == v {
			k += 1 + loss
		}
		dst[j] *= math.Max(k, minEntry)
	}
}

func (f *completeDif) gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64) {
	bn := f.beta * f.n
	for j, uj := range u {
		t := alpha * d2[j]
		loss := math.Expm1(-(1 + t) * bn)
		k, dF := -loss/f.n, -1/f.n // the factor, and its derivative by f(n)
		if vs[j] == v {
			k, dF = k+1+loss, dF+1
		}
		if k < minEntry {
			continue
		}
		g := -bn * (1 + loss) * dF / k // ∂log k/∂t
		slope[j] += alpha * g
		dBeta += uj * (1 + t) * g
		dAlpha += uj * t * g
	}
	return dBeta, dAlpha
}

func (f *completeDif) meanDiag() (mean, dLogBeta float64) {
	bn := f.beta * f.n
	g := math.Exp(-bn)
	mean = (1 + (f.n-1)*g) / f.n
	return mean, -(f.n - 1) / f.n * bn * g / mean
}
