package surrogate_test

import (
	"math"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// Where values repeat beside each other, little is expected beside an observation, and
// more where the model knows less. Where none repeats, nothing changes by much.
func TestDistinct(t *testing.T) {
	stepped := func(x values) float64 { // 48 cells, none of which has the value of another
		cell := math.Floor(4*x["u"]) + 4*math.Floor(-4*math.Log10(x["v"])/3) + 16*x["k"]
		return smooth(values{"u": math.Floor(4*x["u"]) / 4, "v": 0.01, "k": x["k"]}) + 0.01*math.Sin(cell)
	}
	losses := func(objective func(values) float64) (beside, farthest float64) {
		s := newStudy(80, objective)
		m := fit(t, s.observe(t), plain, &surrogate.Cache{})
		d := m.Distinct()
		ref := surrogate.Reference{Observed: []int{0}}
		loss := func(x fmkernel.Point) float64 { // in nats
			var before, after [1]float64
			at := func(dst []float64, f acquisition.Func) { f.ValueBatch(dst, []fmkernel.Point{x}) }
			at(before[:], m.Improvement(ref, 0)())
			at(after[:], d.Improvement(ref, 0)())
			return before[0] - after[0]
		}
		near := m.X[3].Clone()
		near.C[0] += 1e-3
		most, far := 0.0, near
		post := m.Model().Predictor()
		for range 200 {
			x := fmkernel.Point{C: []float64{s.rng.Float64(), s.rng.Float64()}, V: []int{s.rng.IntN(3)}}
			if _, variance := post.Predict(x); variance > most {
				most, far = variance, x
			}
		}
		return loss(near), loss(far)
	}
	if beside, farthest := losses(stepped); beside < 1 || farthest > beside/2 {
		t.Errorf("loss beside an observation %v nats, where the variance is largest %v", beside, farthest)
	}
	if beside, farthest := losses(smooth); beside > 0.5 || farthest > 0.1 {
		t.Errorf("smooth: loss beside an observation %v nats, where the variance is largest %v", beside, farthest)
	}
}

// What runs, linear targets and a new process change nothing in how values repeat.
func TestDistinctIsOfTheObservations(t *testing.T) {
	s := newStudy(60, func(x values) float64 { return math.Floor(20 * smooth(x)) })
	problem := s.observe(t)
	cache := &surrogate.Cache{}
	first := fit(t, problem, plain, cache).Distinct().Repeats()
	problem.Pending = append(problem.Pending, problem.X[0])
	if beside := fit(t, problem, plain, &surrogate.Cache{}).Distinct().Repeats(); beside != first {
		t.Errorf("%+v, beside a running trial %+v", first, beside)
	}
	linear, ok := fit(t, s.observe(t), plain, cache).Linear()
	if !ok {
		t.Fatal("no linear targets")
	}
	again, _ := fit(t, s.observe(t), plain, &surrogate.Cache{}).Linear()
	if a, b := linear.Distinct().Repeats(), again.Distinct().Repeats(); a != b || a.Slope == 0 {
		t.Errorf("linear targets: %+v, by a new process %+v", a, b)
	}
}
