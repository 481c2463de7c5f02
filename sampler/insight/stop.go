package insight

import (
	"sync/atomic"

	"github.com/c-bata/goptuna"
)

// advisedPeriod is the number of trials between two looks at the advice.
const advisedPeriod = 5

// StopWhenAdvised returns a function to be called with every trial that has ended.
// After each fifth it fits a model, and when the advice is to stop, it calls stop
// with it: once. With the Optimize of package sampler:
//
//	ctx, cancel := context.WithCancel(ctx)
//	stop := func(advice *insight.Advice) { log.Print(advice); cancel() }
//	err := fm.Optimize(ctx, study, objective, 200,
//		fm.OptimizeOptionFinished(insight.StopWhenAdvised(study, stop)))
//
// With Goptuna's own, call it for the trials of StudyOptionTrialNotifyChannel. Where
// Fit fails, as before a trial has a value, the study goes on. It is safe for concurrent
// use; the caller waits for the fit and for stop. It panics when study or stop is nil.
func StopWhenAdvised(study *goptuna.Study, stop func(*Advice), options ...Option) func(goptuna.FrozenTrial) {
	if study == nil || stop == nil {
		panic("fm: StopWhenAdvised needs a study, and a function to call when it is to stop: one of them is nil")
	}
	var ended atomic.Int64
	var stopped atomic.Bool
	return func(goptuna.FrozenTrial) {
		if ended.Add(1)%advisedPeriod != 0 || stopped.Load() {
			return
		}
		m, err := Fit(study, options...)
		if err != nil {
			return // nothing is known yet
		}
		if advice := m.Advice(); advice.Stop && stopped.CompareAndSwap(false, true) {
			stop(advice)
		}
	}
}
