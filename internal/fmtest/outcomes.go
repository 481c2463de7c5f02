package fmtest

import (
	"errors"
	"maps"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// AddTrial puts a trial with one parameter into the study and leaves it in the given
// state. It returns its id.
func AddTrial(t *testing.T, study *goptuna.Study, state goptuna.TrialState, value float64) int {
	t.Helper()
	id, err := study.Storage.CreateNewTrial(study.ID)
	if err != nil {
		t.Fatal(err)
	}
	steps := []error{
		study.Storage.SetTrialParam(id, "x", 0.5, goptuna.UniformDistribution{Low: 0, High: 1}),
		study.Storage.SetTrialSystemAttr(id, "fm:note", "of a test"),
	}
	if state == goptuna.TrialStateComplete || state == goptuna.TrialStatePruned {
		steps = append(steps, study.Storage.SetTrialValue(id, value))
	}
	if state != goptuna.TrialStateRunning {
		steps = append(steps, study.Storage.SetTrialState(id, state))
	}
	if err := errors.Join(steps...); err != nil {
		t.Fatal(err)
	}
	return id
}

// ReadHistory returns the history of a study as the trial self sees it.
func ReadHistory(t *testing.T, study *goptuna.Study, self int) *history.History {
	t.Helper()
	h, err := history.Read(study, self)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// CheckOutcomes checks what each outcome of a trial is to the model, in studies
// with the options.
func CheckOutcomes(t *testing.T, opts ...goptuna.StudyOption) {
	t.Helper()
	type outcome struct {
		state    goptuna.TrialState
		value    float64
		finished bool
		noValue  bool
		why      string
	}
	outcomes := []outcome{
		{goptuna.TrialStateComplete, 2.5, true, false, "an observation"},
		{goptuna.TrialStateComplete, 0, true, false, "zero is a value"},
		{goptuna.TrialStateComplete, -1e300, true, false, "finite"},
		{goptuna.TrialStateComplete, math.NaN(), true, true, "no number"},
		{goptuna.TrialStateComplete, math.Inf(1), true, true, "not finite"},
		{goptuna.TrialStateComplete, math.Inf(-1), true, true, "not finite, and no incumbent"},
		{goptuna.TrialStateComplete, 0, true, false, "zero after NaN"},
		{goptuna.TrialStatePruned, -7, true, true, "the value is an intermediate one"},
		{goptuna.TrialStateFail, 0, true, true, "no value"},
		{goptuna.TrialStateRunning, 0, false, false, "another worker's"},
		{goptuna.TrialStateWaiting, 0, false, false, "enqueued"},
	}
	for _, direction := range []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize} {
		study, err := goptuna.CreateStudy(string(direction), append(opts, goptuna.StudyOptionDirection(direction), goptuna.StudyOptionLogger(nil))...)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range outcomes {
			AddTrial(t, study, o.state, o.value)
		}
		self := AddTrial(t, study, goptuna.TrialStateRunning, 0)
		h := ReadHistory(t, study, self)
		if len(h.Finished) != 9 || len(h.Running) != 1 || h.Observations != 4 {
			t.Errorf("%s: %d finished, %d running, %d observations, want 9, 1, 4", direction, len(h.Finished), len(h.Running), h.Observations)
			continue
		}
		for i, trial := range h.Finished {
			want := outcomes[i]
			if trial.Number != i || trial.NoValue != want.noValue {
				t.Errorf("%s: trial %d with %v %v: number %d, without a value %t, want %t (%s)",
					direction, i, want.state, want.value, trial.Number, trial.NoValue, want.noValue, want.why)
			}
			y := want.value
			if direction == goptuna.StudyDirectionMaximize {
				y = -y
			}
			if !want.noValue && trial.Y != y {
				t.Errorf("%s: Y = %v for value %v", direction, trial.Y, want.value)
			}
			if trial.InternalParams["x"] != 0.5 || trial.Distributions["x"] == nil {
				t.Errorf("%s: trial %d has lost its parameter", direction, i)
			}
		}
		running := h.Running[0]
		if running.Number != 9 || !maps.Equal(running.SystemAttrs, map[string]string{"fm:note": "of a test"}) {
			t.Errorf("%s: running trial %d with attributes %v", direction, running.Number, running.SystemAttrs)
		}
	}
}
