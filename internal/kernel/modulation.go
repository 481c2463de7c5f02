package kernel

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Modulator is fmkernel.Modulator: a frequency modulating function.
type Modulator interface {
	Eval(dst, lambda []float64, beta, t float64)
	EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64)
}

// Similarity is fmkernel.BoundedKernel: k_H of Supp. Prop. 3.
type Similarity interface {
	Bound() float64
	Eval(theta, x, y []float64) float64
	EvalGrad(dX, dTheta, theta, x, y []float64) float64
}

// Modulation is how a frequency modulating function is computed: [Spectral],
// [Laplacian] or [Diffusion].
type Modulation interface {
	// factor returns the cheapest accurate factor on the graph.
	factor(g *graphs.Graph) (factor, error)
	// betaUnit returns a typical β of the graph, one of so many.
	betaUnit(g *graphs.Graph, among int) float64
}

// Spectral is any modulator, by Eq. (2) as it stands.
type Spectral struct {
	Modulator
	NonNegative bool // entries are never negative: f is convex in λ (Thm 3.2)
}

func (m Spectral) factor(g *graphs.Graph) (factor, error) { return newSpectralFactor(m, g) }

func (Spectral) betaUnit(*graphs.Graph, int) float64 { return 1 }

// Laplacian is f_Lap, with closed forms.
type Laplacian struct{ Spectral }

// maxForestOrder is the largest graph whose factor is a ratio of forest
// polynomials, which cost O(n) per pair: past it the closed forms of long paths
// and cycles are faster, and the exact set-up of other graphs gets slow.
const maxForestOrder = 20

func (m Laplacian) factor(g *graphs.Graph) (factor, error) {
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
		return &pathLap{laplacianFactor{lambda: g.Eigenvalues()}, n}, nil
	case graphs.ShapeCycle:
		return &cycleLap{laplacianFactor{lambda: g.Eigenvalues()}, n}, nil
	}
	return m.Spectral.factor(g)
}

// betaUnit returns the β with which two vertices are, where t = 0 and on average, P/(P+1)
// as similar as one is to itself, with P graphs: of points that differ in all of them that
// is (1+1/P)^-P, about 1/e for any P. On a complete graph it is P.
func (Laplacian) betaUnit(g *graphs.Graph, among int) float64 {
	p, n := float64(among), float64(g.Order())
	lambda := g.Eigenvalues()
	if g.Shape() == graphs.ShapeComplete || len(lambda) < 2 || !(lambda[1] > 0) {
		return p
	}
	// With d the mean of the diagonal, Σ f(λ)/n, the mean of all other entries is
	// (1-d)/(n-1), since all together are n f(0) = n.
	sum := n / (1 + float64((n-1)*(p/(p+1))))
	low, high := p*n/lambda[len(lambda)-1], p*n/lambda[1] // where all but λ₁ are alike, this is β
	for high/low > 1+1e-9 {
		beta := low * math.Sqrt(high/low)
		rest := sum
		for _, l := range lambda {
			rest -= 1 / (1 + float64(beta*max(l, 0)))
		}
		if rest < 0 {
			low = beta
		} else {
			high = beta
		}
	}
	return high
}

// Diffusion is f_Dif, with the closed form on complete graphs.
type Diffusion struct{ Spectral }

func (m Diffusion) factor(g *graphs.Graph) (factor, error) {
	if g.Shape() == graphs.ShapeComplete {
		return &completeDif{n: float64(g.Order())}, nil
	}
	return m.Spectral.factor(g)
}

// betaUnit returns 1/λ, with λ the smallest eigenvalue above 0, where the
// smoothest function on the graph counts 1/e of a constant: the exponential
// tails of f_Dif make everything far from there either constant or noise.
func (Diffusion) betaUnit(g *graphs.Graph, _ int) float64 {
	if spectrum, err := g.Spectrum(); err == nil && len(spectrum.Lambda) > 1 {
		return 1 / spectrum.Lambda[1]
	}
	return 1
}
