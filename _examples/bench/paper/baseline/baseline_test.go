package baseline

import (
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// run lets a method minimise a test function.
func run(t *testing.T, f *problems.Problem, method Method, trials int) []Trial {
	t.Helper()
	study, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil), goptuna.StudyOptionSampler(&Sampler{Space: f.Params, Method: method}))
	if err != nil {
		t.Fatal(err)
	}
	if err := study.Optimize(problems.Objective(f), trials); err != nil {
		t.Fatal(err)
	}
	history, err := (&Sampler{Space: f.Params}).history(study)
	if err != nil || len(history) != trials {
		t.Fatalf("%d trials, want %d; error %v", len(history), trials, err)
	}
	return history
}

func best(history []Trial) float64 {
	value := math.Inf(1)
	for _, h := range history {
		value = math.Min(value, h.Value)
	}
	return value
}

// Whatever is asked with the history of a run answers as the run did: a study
// can be stopped and continued.
func TestPure(t *testing.T) {
	f := problems.Func3C()
	for _, test := range []struct {
		name   string
		method func() Method
	}{
		{"random", func() Method { return Random{f.Params, 3} }},
		{"evolution", func() Method { return Evolution{f.Params, 3} }},
		{"cocabo", func() Method { return &CoCaBO{Space: f.Params, Mix: 0.5, Trials: 60, Seed: 3} }},
	} {
		history := run(t, f, test.method(), 60)
		for _, n := range []int{0, 9, 10, 25, 30, 55} {
			c, v, err := test.method().Suggest(history[:n])
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(c, history[n].C) || !slices.Equal(v, history[n].V) {
				t.Errorf("%s: after %d trials %v %v, in the run %v %v", test.name, n, c, v, history[n].C, history[n].V)
			}
		}
	}
}

// A child differs from a member of the population in one discrete and one
// continuous value, which stays near and in range.
func TestEvolutionMutates(t *testing.T) {
	f := problems.Ackley5C()
	history := run(t, f, Evolution{f.Params, 1}, 120)
	for i := populationSize; i < len(history); i++ {
		child := history[i]
		if !slices.ContainsFunc(history[i-populationSize:i], func(parent Trial) bool {
			changed := 0
			for p := range parent.V {
				if parent.V[p] != child.V[p] {
					changed++
				}
			}
			return changed == 1 && parent.C[0] != child.C[0] && math.Abs(parent.C[0]-child.C[0]) < 0.1
		}) {
			t.Errorf("trial %d is no child of the last %d", i, populationSize)
		}
	}
}

// Evolution and CoCaBO find more than random search with the same budget, CoCaBO
// on a function of few categories. Means of three seeds.
func TestBeatsRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 1,200 trials")
	}
	for _, test := range []struct {
		f      *problems.Problem
		method func(f *problems.Problem, seed int64) Method
		why    string
	}{
		{problems.Ackley5C(), func(f *problems.Problem, seed int64) Method { return Evolution{f.Params, seed} }, "evolution"},
		{problems.Func2C(), func(f *problems.Problem, seed int64) Method {
			return &CoCaBO{Space: f.Params, Mix: 0.5, Trials: 100, Seed: seed}
		}, "cocabo"},
	} {
		const seeds, trials = 3, 100
		var method, random float64
		for seed := range int64(seeds) {
			method += best(run(t, test.f, test.method(test.f, seed), trials)) / seeds
			random += best(run(t, test.f, Random{test.f.Params, seed}, trials)) / seeds
		}
		if method >= random {
			t.Errorf("%s finds %v on %s, random search %v", test.why, method, test.f.Name, random)
		}
	}
}

// The distribution and the update of EXP3, by hand: three choices, γ given.
func TestBandit(t *testing.T) {
	b := newBandit(3, 100)
	if want := math.Sqrt(3 * math.Log(3) / ((math.E - 1) * 200 / 3)); math.Abs(b.gamma-want) > 1e-15 {
		t.Errorf("γ is %v, want %v", b.gamma, want)
	}
	b.gamma = 0.5
	b.see(1, -0.6) // reward 0.6 at probability 1/3: the weight grows by the factor e^(0.5·0.6·3/3)
	b.see(1, 4)    // a worse value leaves the best
	b.reward(1)
	w := math.Exp(0.3)
	want := []float64{0.5/(2+w) + 0.5/3, 0.5*w/(2+w) + 0.5/3, 0.5/(2+w) + 0.5/3}
	if got := b.probabilities(); !floats.EqualApprox(got, want, 1e-14) {
		t.Errorf("probabilities %v, want %v", got, want)
	}
	for range 1000 {
		b.see(2, -1e6)
		b.reward(2)
	}
	if got := b.probabilities(); !floats.EqualApprox(got, []float64{0.5 / 3, 0.5 / 3, 0.5 + 0.5/3}, 1e-12) {
		t.Errorf("huge rewards lead to %v", got)
	}
}

// testData is the points of a random run.
func testData(t *testing.T, mix float64) *cocaboData {
	f := problems.Func3C()
	continuous, _ := split(f.Params)
	return newCocaboData(continuous, run(t, f, Random{f.Params, 5}, 30), mix)
}

// The likelihood is the textbook's, and its gradient that of finite differences.
func TestLikelihood(t *testing.T) {
	for _, mix := range []float64{0, 0.5, 1} {
		data := testData(t, mix)
		x := cocaboHyper{0.7, 1.3, 0.4, 0.02}.logs()
		grad := make([]float64, cocaboHypers)
		got := data.negLogLikelihood(grad, x)

		n := len(data.y)
		k := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				var same float64
				for p := range data.v[i] {
					if data.v[i][p] == data.v[j][p] {
						same++
					}
				}
				r := floats.Distance(data.u[i], data.u[j], 2) / 0.4
				kh := 0.7 * same / 3
				kx := 1.3 * (1 + math.Sqrt(5)*r + 5*r*r/3) * math.Exp(-math.Sqrt(5)*r)
				k.Set(i, j, (1-mix)*(kh+kx)+mix*kh*kx)
				if i == j {
					k.Set(i, j, k.At(i, j)+0.02)
				}
			}
		}
		var solved mat.VecDense
		y := mat.NewVecDense(n, data.y)
		if err := solved.SolveVec(k, y); err != nil {
			t.Fatal(err)
		}
		logDet, _ := mat.LogDet(k)
		if want := (mat.Dot(y, &solved) + logDet) / 2; math.Abs(got-want) > 1e-8 {
			t.Errorf("λ = %v: likelihood %v, want %v", mix, got, want)
		}
		scratch := make([]float64, cocaboHypers)
		numeric := fd.Gradient(nil, func(x []float64) float64 { return data.negLogLikelihood(scratch, x) }, x, &fd.Settings{Formula: fd.Central})
		if !floats.EqualApprox(grad, numeric, 1e-5) {
			t.Errorf("λ = %v: gradient %v, by differences %v", mix, grad, numeric)
		}
	}
}

// The bound by batches is the bound by points, and has the gradient of finite
// differences.
func TestLowerBound(t *testing.T) {
	for _, mix := range []float64{0, 0.5, 1} {
		model, err := testData(t, mix).condition(cocaboHyper{0.7, 1.3, 0.4, 0.02})
		if err != nil {
			t.Fatal(err)
		}
		at := model.given([]int{1, 1, 0})
		points := [][]float64{{0.1, 0.2}, {0.9, 0.5}, {0.4, 0.4}}
		for i, bound := range at.lowerBounds(points, 2) {
			grad, scratch := make([]float64, 2), make([]float64, 2)
			if got := at.lowerBoundGrad(grad, points[i], 2); math.Abs(got-bound) > 1e-9 {
				t.Errorf("λ = %v: %v by points, %v by batches", mix, got, bound)
			}
			numeric := fd.Gradient(nil, func(u []float64) float64 { return at.lowerBoundGrad(scratch, u, 2) }, points[i], &fd.Settings{Formula: fd.Central})
			if !floats.EqualApprox(grad, numeric, 1e-5) {
				t.Errorf("λ = %v: gradient %v, by differences %v", mix, grad, numeric)
			}
		}
	}
}

func BenchmarkCoCaBO(b *testing.B) {
	f := problems.Func3C()
	for b.Loop() {
		method := &CoCaBO{Space: f.Params, Mix: 0.5, Trials: 200}
		var history []Trial
		for range 200 {
			c, v, err := method.Suggest(history)
			if err != nil {
				b.Fatal(err)
			}
			value, err := f.Eval(c, v)
			if err != nil {
				b.Fatal(err)
			}
			history = append(history, Trial{c, v, value})
		}
	}
}
