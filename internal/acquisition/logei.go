package acquisition

import "math"

// LogEI returns the logarithm of the expected improvement below best, for
// minimisation: log E[max(best - g, 0)] with g ~ N(mean, variance). It is
// finite while (best-mean)/sd is within ±1e154, whose square does not overflow.
func LogEI(best, mean, variance float64) float64 {
	sd := math.Sqrt(variance)
	z := (best - mean) / sd
	h, _, _ := logH(z)
	return math.Log(sd) + h
}

// LogEIGrad returns LogEI and its derivatives with respect to mean and variance.
func LogEIGrad(best, mean, variance float64) (value, dMean, dVariance float64) {
	sd := math.Sqrt(variance)
	z := (best - mean) / sd
	h, cdf, pdf := logH(z)
	// EI = sd·h(z), ∂EI/∂mean = -Φ(z), ∂EI/∂sd = φ(z).
	return math.Log(sd) + h, -cdf / sd, pdf / (2 * variance)
}

const (
	invSqrt2Pi = 0.3989422804014327
	logSqrt2Pi = 0.9189385332046727

	// Above zDirect the two terms of h(z) = φ(z) + zΦ(z) hardly cancel.
	zDirect = -1
	// Below zSeries exp(z²/2)·erfc overflows its factors and 1 + zM(z) loses
	// 2 log10|z| digits, while the series in 1/z² has full precision.
	zSeries = -25
	// The first term left out, 17!! z⁻¹⁶, is 1.5e-15 at zSeries.
	seriesTerms = 7
)

// logH returns log h(z) for h(z) = φ(z) + zΦ(z), and the ratios Φ(z)/h(z) and
// φ(z)/h(z).
func logH(z float64) (logH, cdfRatio, pdfRatio float64) {
	switch {
	case z > zDirect:
		pdf, cdf := invSqrt2Pi*math.Exp(-0.5*z*z), 0.5*math.Erfc(-z/math.Sqrt2)
		h := pdf + z*cdf
		return math.Log(h), cdf / h, pdf / h
	case z > zSeries:
		// h = φ·(1 + zM) with the Mills ratio M = Φ/φ.
		mills := math.Sqrt(math.Pi/2) * math.Exp(0.5*z*z) * math.Erfc(-z/math.Sqrt2)
		r := 1 + z*mills
		return -0.5*z*z - logSqrt2Pi + math.Log(r), mills / r, 1 / r
	}
	// 1 + zM = z⁻² - 3z⁻⁴ + 3·5z⁻⁶ - 3·5·7z⁻⁸ + …
	w, r := 1/(z*z), 1.0
	for k := seriesTerms; k > 0; k-- {
		r = 1 - float64(2*k+1)*w*r
	}
	r *= w
	return -0.5*z*z - logSqrt2Pi + math.Log(r), (r - 1) / (z * r), 1 / r
}
