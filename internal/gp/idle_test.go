package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// Under the prior that says so a dimension and a graph do nothing: not before a fit, not
// after it, and not with hyperparameters from another prior, whose others stay as they are.
// The predictions are those of a process that never knew of them.
func TestWithIdle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 81))
	pr := sample(t, rng, known, 40)
	prior := gp.NewPrior(2, 2, false)
	idle := prior.WithIdle(gp.Idle{C: []bool{false, true}, V: []bool{true, false}})
	fitted, _, err := gp.Fit(pr.kernel, idle, pr.xs, pr.y, rng, gp.FitSettings{Warm: &known, RandomStarts: 2})
	if err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]gp.Hyper{"typical": idle.Typical(pr.kernel), "fitted": fitted, "adapted": idle.Adapt(pr.kernel, known)} {
		model, err := gp.Condition(pr.kernel, h, pr.xs, pr.y)
		if err != nil {
			t.Fatal(name, err)
		}
		var left []fmkernel.Point
		for _, x := range pr.xs {
			left = append(left, without(x))
		}
		small, err := gp.Condition(newKernel(t, 1, []*graphs.Graph{graphs.Path(5)}), gp.Hyper{
			Noise: h.Noise, Scale: h.Scale, Mean: h.Mean,
			Params: fmkernel.Params{Alpha: h.Params.Alpha[1:], Beta: h.Params.Beta[1:], Theta: h.Params.Theta[:1]},
		}, left, pr.y)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, x := range pr.points(rng, 20) {
			mean, variance := model.Predictor().Predict(x)
			wantMean, wantVariance := small.Predictor().Predict(without(x))
			if math.Abs(mean-wantMean) > 1e-4 || math.Abs(variance-wantVariance) > 1e-4 {
				t.Errorf("%s: %v ± %v, without what does nothing %v ± %v", name, mean, variance, wantMean, wantVariance)
			}
		}
	}
	if p := fitted.Params; p.Alpha[1] < 1e-6 || p.Beta[1] > 1e6 || p.Theta[0] > 1e6 {
		t.Errorf("%+v, of which only what does nothing should be at its limit", fitted)
	}
	adapted := idle.Adapt(pr.kernel, known)
	if adapted.Params.Theta[0] != known.Params.Theta[0] || adapted.Params.Beta[1] != known.Params.Beta[1] || adapted.Noise != known.Noise {
		t.Errorf("%+v, of which only what does nothing should differ from %+v", adapted, known)
	}
	// What does something again is typical again.
	back, typical := prior.Adapt(pr.kernel, adapted), prior.Typical(pr.kernel)
	if back.Params.Theta[1] != typical.Params.Theta[1] || back.Params.Beta[0] != typical.Params.Beta[0] || back.Params.Alpha[0] != typical.Params.Alpha[0] {
		t.Errorf("%+v, want typical values of what did nothing: %+v", back, typical)
	}
	if again := prior.Adapt(pr.kernel, known); again.Params.Theta[1] != known.Params.Theta[1] {
		t.Errorf("%+v changes what was never idle: %+v", again, known)
	}
}

// So it is with every kernel and on graphs of every shape, before a fit and after one.
func TestWithIdleEverywhere(t *testing.T) {
	kernels := map[string]func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error){
		"ModLap": fmkernel.NewModLap, "ModDif": fmkernel.NewModDif, "ProdLap": fmkernel.NewProdLap, "ProdDif": fmkernel.NewProdDif,
		"AddLap": fmkernel.NewAddLap, "AddDif": fmkernel.NewAddDif,
		"kernelized": func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error) {
			return fmkernel.New(fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{}}, dims, gs...)
		},
	}
	shapes := map[string]*graphs.Graph{
		"complete": graphs.Complete(5), "path": graphs.Path(6), "long path": graphs.Path(60), "cycle": graphs.Cycle(7), "long cycle": graphs.Cycle(40),
	}
	for name, newKernel := range kernels {
		for shape, g := range shapes {
			rng := rand.New(rand.NewPCG(1, 83))
			pr := problem{dims: 2, graphs: []*graphs.Graph{g, graphs.Complete(3)}}
			k, err := newKernel(pr.dims, pr.graphs...)
			if err != nil {
				t.Fatal(err)
			}
			pr.kernel, pr.xs = k, pr.points(rng, 20)
			for _, x := range pr.xs {
				pr.y = append(pr.y, math.Sin(5*x.C[0])+float64(x.V[1]))
			}
			standardise(pr.y)
			prior := gp.NewPrior(2, 2, false).WithIdle(gp.Idle{C: []bool{false, true}, V: []bool{true, false}})
			fitted, _, err := gp.Fit(k, prior, pr.xs, pr.y, rng, gp.FitSettings{RandomStarts: 1})
			if err != nil {
				t.Fatal(name, shape, err)
			}
			for _, h := range []gp.Hyper{prior.Typical(k), fitted} {
				model, err := gp.Condition(k, h, pr.xs, pr.y)
				if err != nil {
					t.Fatal(name, shape, err)
				}
				for _, x := range pr.points(rng, 5) {
					mean, variance := model.Predictor().Predict(x)
					x.C[1], x.V[0] = rng.Float64(), rng.IntN(g.Order())
					if m, v := model.Predictor().Predict(x); !(math.Abs(m-mean) < 0.01) || !(math.Abs(v-variance) < 0.01) {
						t.Errorf("%s, %s: %v ± %v, elsewhere in what does nothing %v ± %v", name, shape, mean, variance, m, v)
					}
				}
			}
		}
	}
}

// Where no graph does anything, one still carries what the dimensions do.
func TestIdleGraphsModulate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 82))
	pr := sample(t, rng, known, 30)
	h := gp.NewPrior(2, 2, false).WithIdle(gp.Idle{V: []bool{true, true}}).Typical(pr.kernel)
	model, err := gp.Condition(pr.kernel, h, pr.xs, pr.y)
	if err != nil {
		t.Fatal(err)
	}
	x := pr.xs[0].Clone()
	at, _ := model.Predictor().Predict(x)
	x.C[0] = math.Mod(x.C[0]+0.5, 1)
	if away, _ := model.Predictor().Predict(x); math.Abs(at-away) < 1e-3 {
		t.Errorf("the prediction is %v at both ends of a dimension", at)
	}
}

// without returns the point without its second dimension and its first graph.
func without(x fmkernel.Point) fmkernel.Point { return fmkernel.Point{C: x.C[:1], V: x.V[1:]} }
