package sampler_test

import (
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// panicking panics where it is evaluated, with more than one eigenvalue: not when the
// option is given.
type panicking struct{ fmkernel.Laplacian }

func (panicking) Eval(dst, lambda []float64, beta, t float64) { panic("broken modulator") }
func (panicking) EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64) {
	panic("broken modulator")
}

// A panic in the model ends neither the process nor a trial, and the log says where
// it came from.
func TestPanicIsLoggedWithItsStack(t *testing.T) {
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionKernel(with(panicking{})), fm.SamplerOptionNumberOfStartupTrials(5)), goptuna.StudyOptionLogger(log))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 10)
	if n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateComplete); n != 10 {
		t.Errorf("%d of 10 trials are complete", n)
	}
	log.Check(t, 1, "broken modulator")
	for _, w := range log.Warnings() {
		if !strings.Contains(w, "guard_test.go") {
			t.Errorf("the stack is not in %q", w)
		}
	}
}
