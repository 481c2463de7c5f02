package qmc_test

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

func seeds(n int, salt uint64) []uint64 {
	s := make([]uint64, n)
	for i := range s {
		s[i] = qmc.Mix(salt, uint64(i))
	}
	return s
}

func draw(n, dims int, salt uint64) [][]float64 {
	seq := qmc.New(seeds(dims, salt))
	points := make([][]float64, n)
	for i := range points {
		seq.Seek(i)
		points[i] = make([]float64, dims)
		seq.PointTo(points[i])
	}
	return points
}

// Scrambling keeps the net property: the first 2^k points have exactly one in
// each of the 2^k slices of every coordinate.
func TestStratification(t *testing.T) {
	for salt := range uint64(20) {
		for _, n := range []int{2, 8, 64, 256} {
			points := draw(n, 12, salt)
			for d := range 12 {
				seen := make([]int, n)
				for _, p := range points {
					if p[d] < 0 || p[d] >= 1 {
						t.Fatalf("coordinate %g outside [0, 1)", p[d])
					}
					seen[int(p[d]*float64(n))]++
				}
				for slice, count := range seen {
					if count != 1 {
						t.Fatalf("salt %d, n %d, dim %d: slice %d has %d points", salt, n, d, slice, count)
					}
				}
			}
		}
	}
}

// The mean of a smooth function over 64 points is far closer to its integral
// than with independent points, whose mean squared error is the variance / 64.
func TestIntegrationError(t *testing.T) {
	const n, dims, salts = 64, 5, 50
	mse := 0.0
	for salt := range uint64(salts) {
		sum := 0.0
		for _, p := range draw(n, dims, salt) {
			f := 0.0
			for _, u := range p {
				f += (u - 0.5) * (u - 0.5)
			}
			for d := 1; d < dims; d++ {
				f += (p[d] - 0.5) * (p[d-1] - 0.5)
			}
			sum += f
		}
		diff := sum/n - dims/12.0
		mse += diff * diff / salts
	}
	// Var (u-½)² = 1/80-1/144 per coordinate, Var of each product 1/144.
	variance := dims*(1/80.0-1/144.0) + (dims-1)/144.0
	if ratio := mse / (variance / n); ratio > 0.2 {
		t.Errorf("mean squared error is %.2f times that of independent points", ratio)
	}
}

// The first point does not depend on the number or order of coordinates: only
// on the coordinate's own seed.
func TestFirstPointIndependentOfDimension(t *testing.T) {
	s := seeds(5, 9)
	all, one := make([]float64, 5), make([]float64, 1)
	qmc.New(s).PointTo(all)
	for d := range s {
		qmc.New(s[d : d+1]).PointTo(one)
		if one[0] != all[d] {
			t.Errorf("coordinate %d: %g alone, %g among five", d, one[0], all[d])
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	a, b := draw(4, 2, 1), draw(4, 2, 2)
	if a[0][0] == b[0][0] || a[3][1] == b[3][1] {
		t.Error("different seeds give the same points")
	}
	if qmc.HashString(1, "a") == qmc.HashString(1, "b") || qmc.HashString(1, "a") == qmc.HashString(2, "a") {
		t.Error("hash collision on single letters")
	}
}
