package kernel

import (
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// forests holds the weights of the rooted spanning forests of a graph, by
// number of edges m. By the matrix forest theorem
//
//	det(sI + βL)            = s Σ_m total[m] β^m s^{n-1-m}
//	adj(sI + βL)_vw         =   Σ_m rooted[v,w,m] β^m s^{n-1-m}
//
// All entries are non-negative.
type forests struct {
	total  []float64 // Σ of the weights of all forests with m edges, len n
	rooted []float64 // the same over forests where v is in the tree rooted at w, n×n×n, entry (v n + w) n + m
}

// computed has the forests of each graph in use, as a func() *forests: kernels
// come and go with every trial, and their graphs stay.
var computed sync.Map

// forestsOf returns the forest weights of the graph, correct to the last digit.
// They are computed by the first call, in O(n⁴) operations of exact integer
// arithmetic unless the graph is a path, and shared by all later ones: meant
// for small graphs.
func forestsOf(g *graphs.Graph) *forests {
	key := weak.Make(g)
	compute, found := computed.LoadOrStore(key, sync.OnceValue(func() *forests { return newForests(key.Value()) }))
	if !found {
		runtime.AddCleanup(g, func(key weak.Pointer[graphs.Graph]) { computed.Delete(key) }, key)
	}
	f := compute.(func() *forests)()
	runtime.KeepAlive(g)
	return f
}

// newForests chooses the way to the forests.
func newForests(g *graphs.Graph) *forests {
	if weights, ok := g.PathWeights(); ok {
		return pathForests(weights)
	}
	return exactForests(g)
}

// pathForests multiplies the minors of sI + L to the left and to the right of
// the vertices between v ≤ w, which are polynomials in s,
//
//	adj(sI + L)_vw = weight_v … weight_{w-1} · left_v(s) · right_w(s).
//
// Their recurrences only add, so floating point is accurate enough.
func pathForests(weights []float64) *forests {
	n := len(weights) + 1
	left, det := openMinors(weights)
	reversed := slices.Clone(weights)
	slices.Reverse(reversed)
	right, _ := openMinors(reversed)

	f := &forests{total: make([]float64, n), rooted: make([]float64, n*n*n)}
	for m := range n {
		f.total[m] = det[n-m] // det has a factor s
	}
	for v := range n {
		edges := 1.0
		for w := v; w < n; w++ {
			a := f.rooted[(v*n+w)*n:][:n]
			b := f.rooted[(w*n+v)*n:][:n]
			for i, x := range left[v] {
				for j, y := range right[n-1-w] {
					a[n-1-i-j] += edges * x * y
				}
			}
			copy(b, a)
			if w < n-1 {
				edges *= weights[w]
			}
		}
	}
	return f
}

// openMinors returns the minors d_k of sI + L on the first k < n vertices of a
// path, the edge to vertex k counted in the last degree, and the minor e_n on
// all of them, as coefficients of ascending powers of s:
//
//	e_k = s d_{k-1} + w_{k-2} e_{k-1}   (the edge k-1 to k not counted)
//	d_k = e_k + w_{k-1} d_{k-1},        d_0 = 1, e_0 = 0.
func openMinors(weights []float64) (open [][]float64, det []float64) {
	n := len(weights) + 1
	open = [][]float64{{1}}
	e := make([]float64, n+1)
	for k := 1; k <= n; k++ {
		d := open[k-1]
		w := 0.0
		if k >= 2 {
			w = weights[k-2]
		}
		for m := k; m >= 0; m-- {
			e[m] *= w
			if m >= 1 {
				e[m] += d[m-1]
			}
		}
		if k < n {
			next := slices.Clone(e[:k+1])
			for m, x := range d {
				next[m] += weights[k-1] * x
			}
			open = append(open, next)
		}
	}
	return open, e
}

// exactForests runs the recurrence Q_0 = I, F_0 = 1,
//
//	F_{m+1} = tr(L Q_m)/(m+1),  Q_{m+1} = F_{m+1} I - L Q_m,
//
// whose subtraction would cost digits in floating point. A float64 is an
// integer times a power of two, so L = 2^shift times an integer matrix.
func exactForests(g *graphs.Graph) *forests {
	n := g.Order()
	shift := weightExponent(g)
	l := make([]*big.Int, n*n)
	for i := range l {
		l[i] = new(big.Int)
	}
	for u := range n {
		for _, v := range g.Neighbors(u) {
			weight := big.NewFloat(g.Weight(u, v)) // scaled, it may be too large for a float64
			w, _ := weight.SetMantExp(weight, -shift).Int(nil)
			l[u*n+v].Neg(w)
			l[u*n+u].Add(l[u*n+u], w)
		}
	}

	f := &forests{total: make([]float64, n), rooted: make([]float64, n*n*n)}
	q, lq := make([]*big.Int, n*n), make([]*big.Int, n*n)
	for i := range q {
		q[i], lq[i] = new(big.Int), new(big.Int)
	}
	for v := range n {
		q[v*n+v].SetInt64(1)
	}
	total, term := big.NewInt(1), new(big.Int)
	for m := range n {
		f.total[m] = scaled(total, shift*m)
		for vw, entry := range q {
			f.rooted[vw*n+m] = scaled(entry, shift*m)
		}
		trace := new(big.Int)
		for v := range n {
			for w := range n {
				sum := lq[v*n+w].SetInt64(0)
				for u := range n {
					if l[v*n+u].Sign() != 0 {
						sum.Add(sum, term.Mul(l[v*n+u], q[u*n+w]))
					}
				}
			}
			trace.Add(trace, lq[v*n+v])
		}
		total.Div(trace, big.NewInt(int64(m+1)))
		for vw := range q {
			q[vw].Neg(lq[vw])
		}
		for v := range n {
			q[v*n+v].Add(q[v*n+v], total)
		}
	}
	return f
}

// weightExponent returns the largest e for which every weight is an integer
// times 2^e.
func weightExponent(g *graphs.Graph) int {
	const mantissaBits = 53
	e, found := 0, false
	for u := range g.Order() {
		for _, v := range g.Neighbors(u) {
			_, exp := math.Frexp(g.Weight(u, v))
			if exp -= mantissaBits; !found || exp < e {
				e, found = exp, true
			}
		}
	}
	return e
}

// scaled returns x·2^exp rounded to a float64.
func scaled(x *big.Int, exp int) float64 {
	f := new(big.Float).SetInt(x)
	y, _ := f.SetMantExp(f, exp).Float64()
	return y
}
