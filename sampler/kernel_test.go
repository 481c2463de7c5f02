package sampler_test

import (
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

type builder = func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)

func with(m fmkernel.Modulator) builder {
	return func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error) { return fmkernel.New(m, dims, gs...) }
}

// hopeless is NaN for most of its arguments.
type hopeless struct{}

func (hopeless) Eval(dst, lambda []float64, beta, t float64) {
	for m := range dst {
		dst[m] = 1 - beta*lambda[m] - t
		if dst[m] < 0 {
			dst[m] = math.NaN()
		}
	}
}

func (h hopeless) EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64) {
	h.Eval(dst, lambda, beta, t)
	for m := range dst {
		dBeta[m], dT[m] = -lambda[m], -1
	}
}

var kernels = map[string]builder{
	"ModDif": fmkernel.NewModDif, "ProdLap": fmkernel.NewProdLap, "ProdDif": fmkernel.NewProdDif,
	"AddLap": fmkernel.NewAddLap, "AddDif": fmkernel.NewAddDif,
	"PowerSum":   with(fmkernel.PowerSum(1, 1)),
	"Reciprocal": with(fmkernel.Reciprocal(1)),
	"Kernelized": with(fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{Bias: 1}}),
}

// Every kernel optimises without a failed trial or a warning, the same way each
// time, also where there is nothing continuous, or nothing discrete.
func TestKernels(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	continuous, discrete := fmtest.Mixed()[:3], []fmtest.Param{
		{Name: "shape", Distribution: goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c", "d"}}},
		{Name: "kind", Distribution: goptuna.CategoricalDistribution{Choices: []string{"tanh", "relu", "gelu"}}},
		{Name: "layers", Distribution: goptuna.StepIntUniformDistribution{Low: 2, High: 14, Step: 3}},
	}
	for name, build := range kernels {
		for space, params := range map[string][]fmtest.Param{"mixed": fmtest.Mixed(), "continuous": continuous, "discrete": discrete} {
			t.Run(name+"/"+space, func(t *testing.T) {
				const trials = 20
				run := func() []goptuna.FrozenTrial {
					log := &fmtest.Recorder{}
					study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionKernel(build)), goptuna.StudyOptionLogger(log))
					fmtest.Optimize(t, study, fmtest.Ask(params, func(x map[string]float64) float64 {
						if space != "mixed" {
							return sq(x["dropout"]-0.3) + sq(x["rate"]) + sq(x["shape"]-1) + x["kind"]*sq(x["layers"]-8)
						}
						return fmtest.MixedValue(x)
					}), trials)
					log.Check(t, 0, "")
					return fmtest.TrialsOf(t, study)
				}
				got := run()
				if n := fmtest.Count(got, goptuna.TrialStateComplete); n != trials {
					t.Errorf("%d trials are complete, want %d", n, trials)
				}
				fmtest.SameTrials(t, "again", run(), got)
			})
		}
	}
}

// A kernel that is numerically hopeless costs a warning, and no trial.
func TestHopelessKernel(t *testing.T) {
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionKernel(with(hopeless{}))), goptuna.StudyOptionLogger(log))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 20)
	if n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateComplete); n != 20 {
		t.Errorf("%d trials are complete, want 20", n)
	}
	if len(log.Warnings()) == 0 {
		t.Error("no warning")
	}
}

// A study that goes on with another kernel does so as if nothing had been
// fitted before.
func TestChangeOfKernel(t *testing.T) {
	fmtest.Sequential(t)
	const before, after = 20, 5
	for _, change := range [][2]builder{
		{fmkernel.NewAddLap, fmkernel.NewModLap},
		{fmkernel.NewModLap, fmkernel.NewModDif},
		{fmkernel.NewProdLap, fmkernel.NewAddLap},
	} {
		first := fmtest.NewStudy(t, fmtest.Seeded(t, 2, fm.SamplerOptionKernel(change[0])))
		fmtest.Optimize(t, first, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), before)

		// The same trials, with and without what the sampler remembers of them.
		var studies [2]*goptuna.Study
		for i := range studies {
			studies[i] = fmtest.NewStudy(t, fmtest.Seeded(t, 2, fm.SamplerOptionKernel(change[1])))
			for _, trial := range fmtest.TrialsOf(t, first) {
				if i == 1 {
					trial.SystemAttrs = map[string]string{}
				}
				if _, err := studies[i].Storage.CloneTrial(studies[i].ID, trial); err != nil {
					t.Fatal(err)
				}
			}
			fmtest.Optimize(t, studies[i], fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), after)
		}
		fmtest.SameTrials(t, "with another kernel", fmtest.TrialsOf(t, studies[0]), fmtest.TrialsOf(t, studies[1]))
	}
}

func TestKernelOptionPanics(t *testing.T) {
	for _, test := range []struct {
		build builder
		part  string
	}{
		{nil, "is nil"},
		{with(fmkernel.PowerSum()), "fails: fmkernel: the family of 0 atoms"},
		{func(int, ...*graphs.Graph) (*fmkernel.Kernel, error) { return nil, nil }, "returns nil"},
		{func(dims int, _ ...*graphs.Graph) (*fmkernel.Kernel, error) { return fmkernel.NewModLap(dims) }, "returns a kernel on 1 and 0"},
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "fm: ") || !strings.Contains(text, test.part) || !strings.Contains(text, "NewProdLap") {
					t.Errorf("want a panic with %q and a remedy, got %q", test.part, text)
				}
			}()
			fm.SamplerOptionKernel(test.build)
		}()
	}
}

// The study's attributes name the kernel.
func TestKernelIsReported(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionKernel(fmkernel.NewProdDif)))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 12)
	attrs, err := study.GetUserAttrs()
	if err != nil {
		t.Fatal(err)
	}
	if text := attrs["fm: model"]; !strings.HasPrefix(text, "ProdDif kernel on ") {
		t.Errorf("the attribute of the model is %q", text)
	}
}
