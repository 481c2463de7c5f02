package sampler_test

import (
	"fmt"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// BenchmarkManyParameters is one whole trial of 400 floats during start-up: at
// most 20 ms.
func BenchmarkManyParameters(b *testing.B) {
	params := make([]fmtest.Param, 400)
	for i := range params {
		params[i] = fmtest.Param{Name: fmt.Sprintf("x%d", i), Distribution: goptuna.UniformDistribution{Low: 0, High: 1}}
	}
	s := fm.NewSampler(fm.SamplerOptionSeed(1), fm.SamplerOptionNumberOfStartupTrials(1_000_000))
	study := fmtest.NewStudy(b, s)
	objective := fmtest.Ask(params, func(x map[string]float64) float64 { return sq(x["x0"] - 0.3) })
	fmtest.Optimize(b, study, objective, 2) // the first trial does not know its parameters
	for b.Loop() {
		fmtest.Optimize(b, study, objective, 1)
	}
	reportTrials(b)
}

// BenchmarkManyMixedParameters is one whole trial of 300 parameters of all kinds
// during start-up.
func BenchmarkManyMixedParameters(b *testing.B) {
	var params []fmtest.Param
	for i := range 50 {
		for _, p := range fmtest.Mixed() {
			params = append(params, fmtest.Param{Name: fmt.Sprintf("%s%d", p.Name, i), Distribution: p.Distribution})
		}
	}
	s := fm.NewSampler(fm.SamplerOptionSeed(1), fm.SamplerOptionNumberOfStartupTrials(1_000_000))
	study := fmtest.NewStudy(b, s)
	objective := fmtest.Ask(params, func(x map[string]float64) float64 { return sq(x["dropout0"] - 0.3) })
	fmtest.Optimize(b, study, objective, 2)
	for b.Loop() {
		fmtest.Optimize(b, study, objective, 1)
	}
	reportTrials(b)
}

// BenchmarkChangingRange is one whole trial of a study in which the range of a
// parameter depends on another one, so that every trial has a distribution of
// its own, after n trials.
func BenchmarkChangingRange(b *testing.B) {
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("a", 0, 1)
		if err != nil {
			return 0, err
		}
		y, err := trial.SuggestFloat("b", 0, 1+x)
		return sq(x-0.3) + sq(y-0.8), err
	}
	for _, n := range []int{300, 3_000, 20_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			// Random trials fill the study: only what comes after them is measured.
			study := fmtest.NewStudy(b, goptuna.NewRandomSampler())
			fmtest.Optimize(b, study, objective, n)
			study.Sampler = fm.NewSampler(fm.SamplerOptionSeed(1), fm.SamplerOptionNumberOfModelTrials(100))
			fmtest.Optimize(b, study, objective, 1)
			for b.Loop() {
				fmtest.Optimize(b, study, objective, 1)
			}
			reportTrials(b)
		})
	}
}

// reportTrials reports milliseconds per trial in place of nanoseconds per
// operation.
func reportTrials(b *testing.B) {
	b.ReportMetric(1e3*b.Elapsed().Seconds()/float64(b.N), "ms/trial")
	b.ReportMetric(0, "ns/op")
}
