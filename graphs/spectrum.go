package graphs

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// mergeTolerance is the distance, relative to the largest eigenvalue, up to
	// which computed eigenvalues count as equal. The error of a dense
	// eigendecomposition is near 1e-13 for a thousand vertices, and two equal
	// eigenvalues left apart cost time only.
	mergeTolerance = 1e-12

	// maxTableOrder is the largest order for which the coefficients of all
	// pairs of vertices are kept: at most 64³ numbers, 2 MB.
	maxTableOrder = 64
)

var errEigen = errors.New("graphs: eigendecomposition of the Laplacian failed")

// Spectrum is the eigendecomposition L = U Λ Uᵀ with equal eigenvalues merged.
// It is safe for concurrent use.
type Spectrum struct {
	// Lambda holds the M distinct eigenvalues in ascending order. Lambda[0] is
	// exactly 0. In a graph of no special shape it stands for those below about 1e-12 of
	// the largest, too: links that are weaker do not connect. It is shared and must not
	// be modified.
	Lambda []float64

	multiplicity []int // len M
	order        int
	projectors   projectors
	table        []float64 // order×order×M, nil for orders above maxTableOrder
}

// projectors are the orthogonal projectors E_m = U_m U_mᵀ on the eigenspaces.
type projectors interface {
	// coef returns E_m[v, w] for all m, in dst or in a shared slice.
	coef(dst []float64, v, w int) []float64
}

// Spectrum returns the spectrum of the Laplacian. It is computed by the first
// call, in closed form unless the shape is [ShapeGeneral], and shared by all
// later ones. The error is not nil only if the eigendecomposition of a general
// graph fails.
func (g *Graph) Spectrum() (*Spectrum, error) { return g.spectrum() }

// Eigenvalues returns all n eigenvalues of the Laplacian in ascending order, in
// a new slice. A repeated eigenvalue appears as often as its multiplicity. The
// result is nil if [Graph.Spectrum] returns an error.
func (g *Graph) Eigenvalues() []float64 {
	s, err := g.Spectrum()
	if err != nil {
		return nil
	}
	all := make([]float64, 0, g.order)
	for m, lambda := range s.Lambda {
		for range s.multiplicity[m] {
			all = append(all, lambda)
		}
	}
	return all
}

// Multiplicity returns how often each entry of Lambda occurs, in a new slice of
// length M. The multiplicities add up to the order of the graph.
func (s *Spectrum) Multiplicity() []int { return slices.Clone(s.multiplicity) }

// Coef returns, for every entry of Lambda, the sum over its eigenvectors i of
// U_vi U_wi. The slice has length M, may be shared and must not be modified.
// With c = Coef(v, w), L_vw = Σ_m c_m Lambda_m and Σ_m c_m is 1 if v == w and 0
// otherwise.
//
// Complete graphs and graphs of up to 64 vertices answer from a table. Others
// take O(M) (paths and cycles) or O(n) time and a new slice. Coef panics if v
// or w is out of range.
func (s *Spectrum) Coef(v, w int) []float64 {
	if v < 0 || v >= s.order || w < 0 || w >= s.order {
		panic(badVertex)
	}
	m := len(s.Lambda)
	if s.table != nil {
		at := (v*s.order + w) * m
		return s.table[at : at+m : at+m]
	}
	return s.projectors.coef(nil, v, w)
}

func (g *Graph) newSpectrum() (*Spectrum, error) {
	var s *Spectrum
	switch g.shape {
	case ShapeComplete:
		return completeSpectrum(g.order), nil // its table has two rows only
	case ShapePath:
		s = pathSpectrum(g.order)
	case ShapeCycle:
		s = cycleSpectrum(g.order)
	default:
		var err error
		if s, err = denseSpectrum(g.Laplacian()); err != nil {
			return nil, err
		}
	}
	if s.order <= maxTableOrder {
		s.fillTable()
	}
	return s, nil
}

func (s *Spectrum) fillTable() {
	n, m := s.order, len(s.Lambda)
	table := make([]float64, n*n*m)
	for v := range n {
		for w := range n {
			at := (v*n + w) * m
			s.projectors.coef(table[at:at+m], v, w)
		}
	}
	s.table = table
}

// denseProjectors are the projectors of a dense eigendecomposition.
type denseProjectors struct {
	u     *mat.Dense // n×n, one eigenvector per column
	start []int      // len M+1: columns start[m] to start[m+1] belong to m
}

func (e *denseProjectors) coef(dst []float64, v, w int) []float64 {
	m := len(e.start) - 1
	if dst == nil {
		dst = make([]float64, m)
	}
	uv, uw := e.u.RawRowView(v), e.u.RawRowView(w)
	for i := range m {
		dst[i] = floats.Dot(uv[e.start[i]:e.start[i+1]], uw[e.start[i]:e.start[i+1]])
	}
	return dst
}

// denseSpectrum decomposes the Laplacian l, which it overwrites.
func denseSpectrum(l *mat.SymDense) (*Spectrum, error) {
	// gonum v0.17 panics for some matrices whose norm is near the ends of the
	// range of float64. A power of two changes no digit.
	exponent := normalize(l)
	var eigen mat.EigenSym
	if !eigen.Factorize(l, true) {
		return nil, errEigen
	}
	raw := eigen.Values(nil)
	for _, lambda := range raw {
		if math.IsNaN(lambda) || math.IsInf(lambda, 0) {
			return nil, errEigen
		}
	}
	u := new(mat.Dense)
	eigen.VectorsTo(u)

	lambda, start := merge(raw)
	for m := range lambda {
		lambda[m] = math.Ldexp(lambda[m], exponent)
	}
	multiplicity := make([]int, len(lambda))
	for m := range multiplicity {
		multiplicity[m] = start[m+1] - start[m]
	}
	return &Spectrum{
		Lambda:       lambda,
		multiplicity: multiplicity,
		order:        len(raw),
		projectors:   &denseProjectors{u: u, start: start},
	}, nil
}

// negligible is the size of entries, relative to the largest, that are taken for 0:
// far below rounding. gonum v0.17 returns wrong eigenvalues where entries span 150
// orders of magnitude.
const negligible = 1e-100

// normalize divides l by 2^exponent, such that its largest diagonal entry is in
// [½, 1), and sets what is negligible to 0.
func normalize(l *mat.SymDense) (exponent int) {
	n := l.SymmetricDim()
	var largest float64
	for i := range n {
		largest = max(largest, l.At(i, i))
	}
	_, exponent = math.Frexp(largest)
	for i := range n {
		for j := i; j < n; j++ {
			x := math.Ldexp(l.At(i, j), -exponent)
			if math.Abs(x) < negligible {
				x = 0
			}
			l.SetSym(i, j, x)
		}
	}
	return exponent
}

// merge groups the ascending eigenvalues raw. Group m is raw[start[m]:start[m+1]]
// and lambda[m] its mean; group 0 stands for the eigenvalue 0, which every
// Laplacian has.
func merge(raw []float64) (lambda []float64, start []int) {
	n := len(raw)
	tol := mergeTolerance * raw[n-1]
	anchor := 0.0 // a group spans at most tol, however long the chain
	for i, v := range raw {
		if i == 0 || v-anchor > tol {
			if i > 0 {
				anchor = v
			}
			lambda = append(lambda, anchor)
			start = append(start, i)
		}
		if m := len(lambda) - 1; m > 0 {
			lambda[m] += (v - lambda[m]) / float64(i-start[m]+1)
		}
	}
	return lambda, append(start, n)
}
