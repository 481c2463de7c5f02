package kernel

import "math"

// pathLap is f_Lap on the unit path with any number n of vertices. With s = 1+t,
// p = √s, q = √(s+4β) and r = (q-p)/(q+p) = e^-φ, cosh φ = 1 + s/(2β), entry
// i ≤ j of the resolvent is
//
//	r^{j-i} (1 + r^{2i+1}) (1 + r^{2(n-j)-1}) / (p q (1 - r^{2n})).
type pathLap struct {
	laplacianFactor
	n int
}

// pathAngle returns φ, p and q for s and β. φ = -log r is taken from 1-r or
// from r, whichever is not close to 1, so it keeps its relative accuracy at
// both ends.
func pathAngle(s, beta float64) (phi, p, q float64) {
	p, q = math.Sqrt(s), math.Sqrt(s+4*beta)
	if e := 2 * p / (p + q); e < 0.5 {
		return -math.Log1p(-e), p, q
	}
	return -math.Log(4*beta) + 2*math.Log(p+q), p, q
}

func (f *pathLap) mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64) {
	n := float64(f.n)
	for j := range dst {
		lo, hi := float64(min(v, vs[j])), float64(max(v, vs[j]))
		phi, p, q := pathAngle(1+alpha*d2[j], f.beta)
		g := math.Exp(-(hi-lo)*phi) * (1 + math.Exp(-(2*lo+1)*phi)) * (1 + math.Exp(-(2*(n-hi)-1)*phi))
		dst[j] *= g / (p * q * -math.Expm1(-2*n*phi))
	}
}

func (f *pathLap) gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64) {
	n := float64(f.n)
	for j, uj := range u {
		lo, hi := float64(min(v, vs[j])), float64(max(v, vs[j]))
		t := alpha * d2[j]
		phi, p, q := pathAngle(1+t, f.beta)
		// ∂log k/∂φ of the cosh form, and ∂φ/∂s = 1/(p q).
		x, y := lo+0.5, n-0.5-hi
		dPhi := x*math.Tanh(x*phi) + y*math.Tanh(y*phi) - 1/math.Tanh(phi) - n/math.Tanh(n*phi)
		r := dPhi / (p * q)
		slope[j] += alpha * r
		dBeta += uj * (-1 - (1+t)*r)
		dAlpha += uj * t * r
	}
	return dBeta, dAlpha
}

// cycleLap is f_Lap on the unit cycle with n vertices. With the symbols of
// pathLap and h ≤ n/2 the number of hops, the entry is
//
//	r^h (1 + r^{n-2h}) / (p q (1 - r^n)).
type cycleLap struct {
	laplacianFactor
	n int
}

func (f *cycleLap) hops(v, w int32) float64 {
	h := int(max(v, w) - min(v, w))
	return float64(min(h, f.n-h))
}

func (f *cycleLap) mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64) {
	n := float64(f.n)
	for j := range dst {
		h := f.hops(v, vs[j])
		phi, p, q := pathAngle(1+alpha*d2[j], f.beta)
		dst[j] *= math.Exp(-h*phi) * (1 + math.Exp(-(n-2*h)*phi)) / (p * q * -math.Expm1(-n*phi))
	}
}

func (f *cycleLap) gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64) {
	n := float64(f.n)
	for j, uj := range u {
		t := alpha * d2[j]
		phi, p, q := pathAngle(1+t, f.beta)
		// The entry is cosh((n/2-h)φ) / (2β sinh φ sinh(nφ/2)).
		x := n/2 - f.hops(v, vs[j])
		dPhi := x*math.Tanh(x*phi) - 1/math.Tanh(phi) - n/2/math.Tanh(n/2*phi)
		r := dPhi / (p * q)
		slope[j] += alpha * r
		dBeta += uj * (-1 - (1+t)*r)
		dAlpha += uj * t * r
	}
	return dBeta, dAlpha
}
