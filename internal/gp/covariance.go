package gp

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
	"github.com/goptuna-fm/goptuna-fm/internal/linalg"
)

// Covariance is the factorised covariance K of the observations at some points,
// for fixed hyperparameters: what of a posterior does not depend on targets. It
// is immutable.
type Covariance struct {
	kernel *kernel.Kernel
	hyper  Hyper
	factor float64 // Scale / c̄
	xs     []fmkernel.Point
	cols   *kernel.Columns
	chol   *linalg.Cholesky
}

// NewCovariance factorises the covariance of the points xs, which it keeps. The
// error wraps linalg.ErrNotPositiveDefinite when no jitter helps.
func NewCovariance(k *fmkernel.Kernel, h Hyper, xs []fmkernel.Point) (*Covariance, error) {
	n := len(xs)
	c := &Covariance{kernel: (*kernel.Kernel)(k), hyper: h.Clone(), xs: xs, chol: &linalg.Cholesky{}}
	c.cols = kernel.NewColumns(c.kernel, xs)
	eval := kernel.NewEvaluator(c.kernel, c.hyper.Params)
	c.factor = h.Scale / eval.MeanDiag()
	cov := make([]float64, n*n)
	assemble(cov, eval, c.factor, xs, c.cols)
	for i := range n {
		cov[i*n+i] += h.Noise
	}
	if _, err := c.chol.Factorize(cov, n); err != nil {
		return nil, fmt.Errorf("gp: conditioning on %d points: %w", n, err)
	}
	return c, nil
}

// Extended returns the covariance of the points of c followed by more, in
// O(n²) for each. It gives the same numbers, to the last bit, whether points
// come together or one by one.
func (c *Covariance) Extended(more []fmkernel.Point) (*Covariance, error) { return c.extended(more, 1) }

// Joined is Extended for points that do not stay: many are several times as fast
// as one block, and come out a rounding apart from one by one.
func (c *Covariance) Joined(more []fmkernel.Point) (*Covariance, error) {
	return c.extended(more, len(more))
}

// extended extends c by so many points at once.
func (c *Covariance) extended(more []fmkernel.Point, block int) (*Covariance, error) {
	if len(more) == 0 {
		return c, nil
	}
	size := len(c.xs) + len(more)
	e := &Covariance{kernel: c.kernel, hyper: c.hyper, factor: c.factor, chol: c.chol.Clone(size)}
	e.xs = append(append(make([]fmkernel.Point, 0, size), c.xs...), more...)
	e.cols = kernel.NewColumns(c.kernel, e.xs)
	eval, scratch := kernel.NewEvaluator(c.kernel, c.hyper.Params), make([]float64, block*size)
	for n := len(c.xs); n < size; n += block {
		m := n + block
		rows := scratch[:block*m]
		for i := n; i < m; i++ {
			row := rows[(i-n)*m:][:i+1]
			eval.RowTo(row, e.xs[i], e.cols)
			floats.Scale(e.factor, row)
			row[i] += e.hyper.Noise
		}
		if err := e.chol.Extend(rows, block); err != nil {
			return nil, fmt.Errorf("gp: conditioning on %d points: %w", m, err)
		}
	}
	return e, nil
}

// Points returns the points of c, not to be modified.
func (c *Covariance) Points() []fmkernel.Point { return c.xs }

// Hyper returns the hyperparameters.
func (c *Covariance) Hyper() Hyper { return c.hyper.Clone() }
