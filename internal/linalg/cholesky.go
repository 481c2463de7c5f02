package linalg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// ErrNotPositiveDefinite is returned for a matrix without a Cholesky factor:
// one that stays indefinite with the largest jitter, or one that holds a NaN or
// an infinity.
var ErrNotPositiveDefinite = errors.New("linalg: matrix is not positive definite")

const (
	// firstJitter is the first jitter tried, relative to the mean diagonal: a
	// few thousand rounding units, the indefiniteness that assembling a
	// matrix of some hundred rows can cause.
	firstJitter = 1e-12

	// jitterGrowth is the factor from one jitter to the next.
	jitterGrowth = 10

	// maxJitter is the last jitter tried, relative to the mean diagonal. Beyond
	// it, jitter is a model of noise rather than a repair.
	maxJitter = 1e-4
)

const (
	badOrder  = "linalg: negative order"
	badMatrix = "linalg: wrong length of matrix"
	badVector = "linalg: wrong length of vector"
)

// Cholesky is the factorisation L Lᵀ = A + jitter·I. The zero value is the
// factorisation of the 0×0 matrix. Its buffers grow as needed and are reused by
// later factorisations; with warm buffers nothing is allocated but what gonum's
// parallel matrix product takes at some hundred rows, and the columns of Extend
// by several rows. Methods that do not change the receiver may run concurrently.
type Cholesky struct {
	n      int
	stride int
	data   []float64 // len stride², strict upper triangle unspecified
	jitter float64
}

// Factorize replaces the receiver by the factorisation of the n×n matrix a,
// which is not modified and must not share memory with the receiver.
//
// It first tries without jitter, then adds 1e-12, 1e-11, …, 1e-4 times the mean
// diagonal. It returns the jitter added to every diagonal entry. On error the
// receiver is left empty, with n = 0. Factorize panics if len(a) != n².
func (c *Cholesky) Factorize(a []float64, n int) (jitter float64, err error) {
	switch {
	case n < 0:
		panic(badOrder)
	case len(a) != n*n:
		panic(badMatrix)
	}
	c.n, c.jitter = 0, 0
	if n == 0 {
		return 0, nil
	}
	var mean float64
	for i := range n {
		row := a[i*n : i*n+i+1]
		if !finite(row) {
			return 0, ErrNotPositiveDefinite
		}
		mean += row[i] / float64(n)
	}
	if !(mean > 0) || math.IsInf(mean, 0) {
		return 0, ErrNotPositiveDefinite
	}
	c.restride(n)

	// The half step keeps rounding from dropping the last rung.
	last := maxJitter * mean * math.Sqrt(jitterGrowth)
	for {
		if c.try(a, n, jitter) {
			c.n, c.jitter = n, jitter
			return jitter, nil
		}
		jitter = max(firstJitter*mean, jitterGrowth*jitter)
		if !(jitter > 0 && jitter < last) {
			return 0, ErrNotPositiveDefinite
		}
	}
}

func (c *Cholesky) try(a []float64, n int, jitter float64) (ok bool) {
	copyLower(c.data, c.stride, a, n, n)
	for i := range n {
		c.data[i*c.stride+i] += jitter
	}
	_, ok = lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Data: c.data, Stride: c.stride})
	return ok
}

// Extend appends k rows and columns to A and updates the factor in O(k n²)
// time. Row i of the k×(n+k) matrix rows holds A[n+i, j] for j ≤ n+i; the rest
// of the row is not read. New diagonal entries get the jitter of the last
// Factorize, and no more: on [ErrNotPositiveDefinite] the receiver still is the
// factorisation it was. Extend panics if len(rows) != k(n+k).
func (c *Cholesky) Extend(rows []float64, k int) error {
	n, m := c.n, c.n+k
	switch {
	case k < 0:
		panic(badOrder)
	case len(rows) != k*m:
		panic(badMatrix)
	case k == 0:
		return nil
	}
	for i := range k {
		if !finite(rows[i*m : i*m+n+i+1]) {
			return ErrNotPositiveDefinite
		}
	}
	if m > c.stride {
		c.restride(max(m, n+n/2))
	}
	for i := range k {
		row := c.data[(n+i)*c.stride:]
		copy(row[:n+i+1], rows[i*m:])
		row[n+i] += c.jitter
	}

	// [A  Bᵀ]   [L  0] [Lᵀ Xᵀ]
	// [B  C ] = [X  Y] [0  Yᵀ]  with X = B L⁻ᵀ and Y Yᵀ = C - X Xᵀ.
	corner := blas64.Symmetric{Uplo: blas.Lower, N: k, Data: c.data[n*c.stride+n:], Stride: c.stride}
	if n > 0 {
		x := blas64.General{Rows: k, Cols: n, Data: c.data[n*c.stride:], Stride: c.stride}
		if k == 1 {
			c.ForwardVecTo(x.Data[:n], x.Data[:n])
		} else {
			c.forwardRows(x)
		}
		blas64.Syrk(blas.NoTrans, -1, x, 1, corner)
	}
	if _, ok := lapack64.Potrf(corner); !ok {
		return ErrNotPositiveDefinite
	}
	c.n = m
	return nil
}

// forwardRows replaces the rows b of x by L⁻¹ b, as columns: it reads L once for
// all of them.
func (c *Cholesky) forwardRows(x blas64.General) {
	columns := make([]float64, x.Rows*x.Cols)
	for i := range x.Rows {
		for j, v := range x.Data[i*x.Stride : i*x.Stride+x.Cols] {
			columns[j*x.Rows+i] = v
		}
	}
	c.ForwardColumns(columns, x.Rows)
	for i := range x.Rows {
		row := x.Data[i*x.Stride : i*x.Stride+x.Cols]
		for j := range row {
			row[j] = columns[j*x.Rows+i]
		}
	}
}

// Clone returns a factorisation that shares nothing with c and can be extended
// to order capacity without moving.
func (c *Cholesky) Clone(capacity int) *Cholesky {
	stride := max(c.n, capacity)
	clone := &Cholesky{n: c.n, stride: stride, jitter: c.jitter, data: make([]float64, stride*stride)}
	copyLower(clone.data, stride, c.data, c.stride, c.n)
	return clone
}

// N returns the order of A.
func (c *Cholesky) N() int { return c.n }

// Stride returns the distance between the rows of L, which is at least n.
func (c *Cholesky) Stride() int { return c.stride }

// L returns the factor, row-major with the stride of the receiver. Entries above
// the diagonal are unspecified. The slice is shared with the receiver and valid
// until the next Factorize or Extend.
func (c *Cholesky) L() []float64 {
	if c.n == 0 {
		return nil
	}
	return c.data[:(c.n-1)*c.stride+c.n]
}

// LogDet returns log|A + jitter·I|, which is 0 for an empty matrix.
func (c *Cholesky) LogDet() float64 {
	var sum float64
	for i := range c.n {
		sum += math.Log(c.data[i*c.stride+i])
	}
	return 2 * sum
}

func (c *Cholesky) triangular() blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: c.n, Data: c.data, Stride: c.stride}
}

// restride makes room for stride rows of that stride and keeps the first n rows.
func (c *Cholesky) restride(stride int) {
	size := stride * stride
	from := c.data
	if size > cap(c.data) {
		// Reserve half as much again, for matrices that grow row by row.
		c.data = make([]float64, size, max(size, cap(c.data)*3/2))
	}
	c.data = c.data[:size]
	// Backwards, since a longer stride moves rows onto their successors.
	for i := c.n - 1; i >= 0; i-- {
		copy(c.data[i*stride:i*stride+i+1], from[i*c.stride:])
	}
	c.stride = stride
}

func finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
