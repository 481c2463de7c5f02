package kernel

import "github.com/goptuna-fm/goptuna-fm/graphs"

// minEntry keeps a spectral sum away from zero. Its absolute rounding error is
// about 1e-15, so entries below this are rounding, possibly of the wrong sign,
// and their logarithmic derivatives mean nothing.
const minEntry = 1e-15

// spectralFactor is Eq. (2) as it stands, for any modulator on any graph, with
// equal eigenvalues merged: a complete graph has two.
type spectralFactor struct {
	m        Spectral
	spectrum *graphs.Spectrum
	count    []int // multiplicity of each distinct eigenvalue
	beta     float64

	f, df, dt []float64 // scratch, one entry per distinct eigenvalue
}

func newSpectralFactor(m Spectral, g *graphs.Graph) (factor, error) {
	spectrum, err := g.Spectrum()
	if err != nil {
		return nil, err
	}
	n := len(spectrum.Lambda)
	return &spectralFactor{
		m: m, spectrum: spectrum, count: spectrum.Multiplicity(),
		f: make([]float64, n), df: make([]float64, n), dt: make([]float64, n),
	}, nil
}

func (f *spectralFactor) bind(beta float64) { f.beta = beta }

// isRounding reports whether a spectral sum has no digit of its entry.
func (f *spectralFactor) isRounding(sum float64) bool {
	return sum < minEntry && (f.m.NonNegative || sum > -minEntry)
}

func (f *spectralFactor) mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64) {
	for j := range dst {
		if j == 0 || alpha > 0 { // f is the same for the row when nothing modulates it
			f.m.Eval(f.f, f.spectrum.Lambda, f.beta, alpha*d2[j])
		}
		sum := 0.0
		for m, c := range f.spectrum.Coef(int(v), int(vs[j])) {
			sum += c * f.f[m] // Eq. (2)
		}
		if f.isRounding(sum) {
			sum = minEntry
		}
		dst[j] *= sum
	}
}

func (f *spectralFactor) gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64) {
	for j, uj := range u {
		t := alpha * d2[j]
		if j == 0 || alpha > 0 {
			f.m.EvalGrad(f.f, f.df, f.dt, f.spectrum.Lambda, f.beta, t)
		}
		var g, gBeta, gT float64
		for m, c := range f.spectrum.Coef(int(v), int(vs[j])) {
			g += c * f.f[m]
			gBeta += c * f.df[m]
			gT += c * f.dt[m]
		}
		if f.isRounding(g) {
			continue // held at minEntry: constant
		}
		slope[j] += alpha * gT / g
		dBeta += uj * f.beta * gBeta / g
		dAlpha += uj * t * gT / g
	}
	return dBeta, dAlpha
}

func (f *spectralFactor) meanDiag() (mean, dLogBeta float64) {
	f.m.EvalGrad(f.f, f.df, f.dt, f.spectrum.Lambda, f.beta, 0)
	var sum, dSum, n float64
	for m, count := range f.count {
		sum += float64(count) * f.f[m]
		dSum += float64(count) * f.df[m] * f.beta
		n += float64(count)
	}
	return sum / n, dSum / sum
}
