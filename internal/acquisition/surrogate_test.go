package acquisition_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// surrogate is a Gaussian process on Func3C with what a search needs.
type surrogate struct {
	post       *gp.Predictor
	best       float64 // smallest mean at an observation
	incumbents []fmkernel.Point
	dom        *acquisition.Domain
}

// randomPoint draws from the whole domain.
func (s *surrogate) randomPoint(rng *rand.Rand) fmkernel.Point { return anywhere(rng, s.dom) }

// newSurrogate fits a model to n observations of Func3C: the first third of
// them random, the others close to the best so far, as in a study.
func newSurrogate(t testing.TB, rng *rand.Rand, n int) *surrogate {
	t.Helper()
	gs := []*graphs.Graph{graphs.Complete(3), graphs.Complete(5), graphs.Complete(4)}
	s := &surrogate{dom: newDomain(make([]acquisition.Dim, 2), gs...)}
	k, err := fmkernel.NewModLap(2, gs...)
	if err != nil {
		t.Fatal(err)
	}
	xs, y := make([]fmkernel.Point, n), make([]float64, n)
	for i := range xs {
		xs[i] = s.randomPoint(rng)
		if 3*i > n {
			near := xs[floats.MinIdx(y[:i])].Clone()
			for d := range near.C {
				near.C[d] = math.Min(math.Max(near.C[d]+0.1*rng.NormFloat64(), 0), 1)
			}
			p := rng.IntN(3)
			near.V[p] = xs[i].V[p]
			xs[i] = near
		}
		if y[i], err = problems.Func3C().Eval([]float64{2*xs[i].C[0] - 1, 2*xs[i].C[1] - 1}, xs[i].V); err != nil {
			t.Fatal(err)
		}
	}
	mean, sd := stat.PopMeanStdDev(y, nil)
	floats.AddConst(-mean, y)
	floats.Scale(1/sd, y)

	h, _, err := gp.Fit(k, gp.NewPrior(2, 3, false), xs, y, rng, gp.FitSettings{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := gp.Condition(k, h, xs, y)
	if err != nil {
		t.Fatal(err)
	}
	s.post = model.Predictor()
	means, variances := make([]float64, n), make([]float64, n)
	s.post.PredictBatch(means, variances, xs)
	s.best = slices.Min(means)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(y[i], y[j]) })
	for _, i := range order[:10] {
		s.incumbents = append(s.incumbents, xs[i])
	}
	return s
}

// The search finds a larger expected improvement than 20,000 random points do,
// with a fraction of the work.
func TestMaximizeBeatsRandomSearch(t *testing.T) {
	const (
		seeds, points = 20, 20000
		minWins       = 18
	)
	wins := 0
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 8))
		s := newSurrogate(t, rng, 30)
		c, ok := maximizeIn(s.post, s.best, s.dom, s.incumbents, rng, acquisition.Settings{})
		checkInside(t, fmt.Sprintf("seed %d", seed), s.dom, c.X)
		mean, variance := s.post.Predict(c.X)
		if want := acquisition.LogEI(s.best, mean, variance); !ok || math.Abs(c.Value-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("seed %d: log EI %v, %t; want %v", seed, c.Value, ok, want)
		}

		xs := make([]fmkernel.Point, points)
		for i := range xs {
			xs[i] = s.randomPoint(rng)
		}
		means, variances := make([]float64, points), make([]float64, points)
		s.post.PredictBatch(means, variances, xs)
		dense := math.Inf(-1)
		for i := range xs {
			dense = math.Max(dense, acquisition.LogEI(s.best, means[i], variances[i]))
		}
		if c.Value >= dense {
			wins++
		} else {
			t.Logf("seed %d: log EI %.4f, random search %.4f", seed, c.Value, dense)
		}
	}
	t.Logf("as good as random search on %d of %d seeds", wins, seeds)
	if wins < minWins {
		t.Errorf("as good as random search on %d of %d seeds, want %d", wins, seeds, minWins)
	}
}

// BenchmarkMaximize is one search with the defaults.
func BenchmarkMaximize(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500} {
		b.Run(fmt.Sprintf("func3c/n=%d", n), func(b *testing.B) {
			s := newSurrogate(b, rand.New(rand.NewPCG(1, 9)), n)
			b.ReportAllocs()
			for b.Loop() {
				rng := rand.New(rand.NewPCG(1, 10))
				maximizeIn(s.post, s.best, s.dom, s.incumbents, rng, acquisition.Settings{})
			}
		})
	}
}
