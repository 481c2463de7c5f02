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
func (c *Covariance) Extended(more []fmkernel.Point) (*Covariance, error) {
	if len(more) == 0 {
		return c, nil
	}
	n, size := len(c.xs), len(c.xs)+len(more)
	e := c.grown(more)
	eval, row := kernel.NewEvaluator(c.kernel, c.hyper.Params), make([]float64, size)
	for m := n; m < size; m++ {
		k := row[:m+1]
		eval.RowTo(k, e.xs[m], e.cols)
		floats.Scale(e.factor, k)
		k[m] += e.hyper.Noise
		if err := e.chol.Extend(k, 1); err != nil {
			return nil, fmt.Errorf("gp: conditioning on %d points: %w", m+1, err)
		}
	}
	return e, nil
}

// Joined is Extended for points that do not stay: many are several times as fast
// as one block, and come out a rounding apart from one by one.
func (c *Covariance) Joined(more []fmkernel.Point) (*Covariance, error) {
	n, size := len(c.xs), len(c.xs)+len(more)
	e := c.grown(more)
	eval, rows := kernel.NewEvaluator(c.kernel, c.hyper.Params), make([]float64, len(more)*size)
	for i, x := range more {
		row := rows[i*size : i*size+n+i+1]
		eval.RowTo(row, x, e.cols)
		floats.Scale(e.factor, row)
		row[n+i] += e.hyper.Noise
	}
	if err := e.chol.Extend(rows, len(more)); err != nil {
		return nil, fmt.Errorf("gp: conditioning on %d points: %w", size, err)
	}
	return e, nil
}

// grown returns a copy of c with the points more and room for their rows.
func (c *Covariance) grown(more []fmkernel.Point) *Covariance {
	size := len(c.xs) + len(more)
	e := &Covariance{kernel: c.kernel, hyper: c.hyper, factor: c.factor, chol: c.chol.Clone(size)}
	e.xs = append(append(make([]fmkernel.Point, 0, size), c.xs...), more...)
	e.cols = kernel.NewColumns(c.kernel, e.xs)
	return e
}

// Points returns the points of c, not to be modified.
func (c *Covariance) Points() []fmkernel.Point { return c.xs }

// Hyper returns the hyperparameters.
func (c *Covariance) Hyper() Hyper { return c.hyper.Clone() }
