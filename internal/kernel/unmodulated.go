package kernel

import "math"

// maxUnmodulated is the number of vertices up to which the matrix of a factor is kept.
const maxUnmodulated = 64

// unmodulatedFactor is a factor at t = 0: a matrix. An entry is computed when it is first
// needed; all pairs of points with its two vertices share it.
type unmodulatedFactor struct {
	factor
	n        int
	entries  []float64 // n×n; NaN where not computed yet
	dLogBeta []float64 // their logarithmic derivatives by log β, likewise

	one, slope, t []float64 // scratch, of length 1
	to            []int32
}

// unmodulated returns a factor that is evaluated at t = 0 only, on a graph with n vertices.
func unmodulated(f factor, n int) factor {
	if n > maxUnmodulated {
		return f
	}
	return &unmodulatedFactor{
		factor: f, n: n, entries: make([]float64, n*n), dLogBeta: make([]float64, n*n),
		one: make([]float64, 1), slope: make([]float64, 1), t: make([]float64, 1), to: make([]int32, 1),
	}
}

func (f *unmodulatedFactor) bind(beta float64) {
	f.factor.bind(beta)
	for i := range f.entries {
		f.entries[i], f.dLogBeta[i] = math.NaN(), math.NaN()
	}
}

func (f *unmodulatedFactor) mulRow(dst []float64, v int32, vs []int32, _ float64, _ []float64) {
	row := f.entries[int(v)*f.n:][:f.n]
	for j, w := range vs[:len(dst)] {
		if math.IsNaN(row[w]) {
			f.one[0], f.to[0] = 1, w
			f.factor.mulRow(f.one, v, f.to, 0, f.t)
			row[w] = f.one[0]
		}
		dst[j] *= row[w]
	}
}

func (f *unmodulatedFactor) gradRow(_, u []float64, v int32, vs []int32, _ float64, _ []float64) (dBeta, dAlpha float64) {
	row := f.dLogBeta[int(v)*f.n:][:f.n]
	for j, w := range vs[:len(u)] {
		if math.IsNaN(row[w]) {
			f.one[0], f.to[0] = 1, w
			row[w], _ = f.factor.gradRow(f.slope, f.one, v, f.to, 0, f.t)
		}
		dBeta += u[j] * row[w]
	}
	return dBeta, 0
}
