package history

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// InterruptedAttr is the system attribute of a failed trial that was stopped
// with its study. It says nothing about its configuration, which may come again.
const InterruptedAttr = "fm:interrupted"

// MaxText is how many characters an attribute may have: a column of rdb.v2 has so many, which
// SQLite does not enforce. Of a text that can be cut, or parted, an attribute gets SafeText.
const (
	MaxText  = 2048
	SafeText = 2000
)

// Trial is a trial, and what can be learned from it.
type Trial struct {
	goptuna.FrozenTrial
	// Y is the objective value, to be minimised whatever the direction of the
	// study. It means nothing in a trial without a value.
	Y float64
	// NoValue marks a finished trial without a value to learn from: failed,
	// pruned, or complete with NaN, an infinity or a penalty.
	NoValue bool
	// Penalty marks one that is complete with a penalty: it has asked for all that there
	// is to ask.
	Penalty bool
	// Violations are on a common scale: see ScaleViolations.
	Violations Violations
}

// Failed reports whether a trial has no value for an unknown reason that says something
// about its configuration. A pruned one could have been finished; of one that violates a
// constraint the reason is known.
func (t Trial) Failed() bool {
	return t.NoValue && t.State != goptuna.TrialStatePruned && !t.Violates()
}

// Has reports whether the trial has asked for the parameter.
func (t Trial) Has(name string) bool {
	_, ok := t.InternalParams[name]
	return ok
}

// History is what storage knows of a study, in the order of trial numbers.
type History struct {
	// Self is the id of the trial that it was read for, which is not in it.
	Self         int
	Finished     []Trial
	Observations int // how many of these have a value
	// Running are the trials that other workers evaluate now. Of these only ID,
	// Number, DatetimeStart and SystemAttrs are set.
	Running []Trial
	// Sign is -1 where the study maximises, and otherwise 1: a value times Sign is to be
	// minimised.
	Sign float64
	// Infeasible says that the values are sums of violations: see OfViolations.
	Infeasible bool
	// LimitEdits are the limits that were edited: all trials are judged by the new ones.
	LimitEdits []LimitEdit

	latestID int
	waiting  []int // the trials that waited when it was read, by id
}

// Has reports whether a trial with a value has asked for the parameter.
func (h *History) Has(name string) bool {
	return slices.ContainsFunc(h.Finished, func(t Trial) bool { return !t.NoValue && t.Has(name) })
}

// ErrNoStudy is the error where a study is nil.
var ErrNoStudy = errors.New("fm: the study is nil: look at the error of goptuna.CreateStudy, or of LoadStudy")

// Trials returns the trials of the study in the order of their numbers. A value that is NULL
// in the database is NaN. Where limits of constraints were edited, all trials are as they are
// within the new ones: see Judge. It calls GetTrials once.
func Trials(study *goptuna.Study) (trials []goptuna.FrozenTrial, edits []LimitEdit, err error) {
	if study == nil {
		return nil, nil, ErrNoStudy
	}
	trials, err = study.GetTrials()
	// A storage that has forgotten some trials returns the others.
	if err != nil && !errors.Is(err, goptuna.ErrTrialsPartiallyDeleted) {
		return nil, nil, fmt.Errorf("fm: reading the trials of the study: %w", err)
	}
	isNull, err := nullValues(study, trials)
	if err != nil {
		return nil, nil, err
	}
	trials = slices.Clone(trials)
	for i, t := range trials {
		if isNull[t.ID] {
			trials[i].Value = math.NaN()
		}
	}
	slices.SortStableFunc(trials, func(a, b goptuna.FrozenTrial) int { return a.Number - b.Number })
	trials = withoutCopies(trials)
	edits = limitEdits(trials)
	return judgeByEdits(trials, edits), edits, nil
}

// CopiedAttr is the system attribute of a trial that was copied from another study, which has its
// origin there.
const CopiedAttr = "fm:copied"

// withoutCopies returns the trials without those that were copied twice, as by two workers that
// start at once: one that is there eight times looks as if it had no noise.
func withoutCopies(trials []goptuna.FrozenTrial) []goptuna.FrozenTrial {
	known := map[string]bool{}
	return slices.DeleteFunc(trials, func(t goptuna.FrozenTrial) bool {
		if !t.State.IsFinished() { // its maps may change while they are read
			return false
		}
		origin := t.SystemAttrs[CopiedAttr]
		again := origin != "" && known[origin]
		known[origin] = true
		return again
	})
}

// NoTrial is no trial's id: the self of who is none.
const NoTrial = -1

// Read returns the history of the study as trial self sees it: without itself
// and without waiting trials.
func Read(study *goptuna.Study, self int) (*History, error) {
	trials, edits, err := Trials(study)
	if err != nil {
		return nil, err
	}
	return Of(study, trials, edits, self)
}

// Of is Read where Trials has returned the trials and edits.
func Of(study *goptuna.Study, trials []goptuna.FrozenTrial, edits []LimitEdit, self int) (*History, error) {
	direction, err := Direction(study)
	if err != nil {
		return nil, err
	}
	sign := 1.0
	if direction == goptuna.StudyDirectionMaximize {
		sign = -1
	}
	h := &History{Self: self, Sign: sign, LimitEdits: edits}
	for _, t := range trials {
		h.latestID = max(h.latestID, t.ID)
		switch {
		case t.ID == self:
		case t.State == goptuna.TrialStateRunning && t.DatetimeStart.IsZero():
			// a place that BlackHoleStorage has not filled yet
		case t.State == goptuna.TrialStateRunning:
			attrs, known, err := runningAttrs(study, t)
			if err != nil {
				return nil, err
			}
			if known {
				h.Running = append(h.Running, Trial{FrozenTrial: goptuna.FrozenTrial{
					ID: t.ID, Number: t.Number, DatetimeStart: t.DatetimeStart, SystemAttrs: attrs,
				}})
			}
		case t.State == goptuna.TrialStateWaiting:
			h.waiting = append(h.waiting, t.ID)
		case t.State == goptuna.TrialStateFail && t.SystemAttrs[InterruptedAttr] != "":
		case t.State.IsFinished():
			h.Finished = append(h.Finished, finished(t, sign))
		}
	}
	ScaleViolations(h.violations())
	h.excludePenalties()
	for _, t := range h.Finished {
		if !t.NoValue {
			h.Observations++
		}
	}
	return h, nil
}

// Direction returns that of the study in storage. Goptuna creates a study, and then sets its
// direction: the study of a worker that looked in between has the wrong one.
func Direction(study *goptuna.Study) (goptuna.StudyDirection, error) {
	direction, err := study.Storage.GetStudyDirection(study.ID)
	if err != nil {
		return direction, fmt.Errorf("fm: reading the direction of the study: %w", err)
	}
	return direction, nil
}

// finished returns a finished trial, and what can be learned from it alone.
func finished(t goptuna.FrozenTrial, sign float64) Trial {
	t.Distributions = space.Stored(t.Distributions) // the same on every storage
	isFinite := !math.IsNaN(t.Value) && !math.IsInf(t.Value, 0)
	read := Trial{FrozenTrial: WithBoth(t), Y: sign * t.Value, NoValue: t.State != goptuna.TrialStateComplete || !isFinite}
	return read.measured(sign)
}

// runningAttrs returns the system attributes of a running trial, and false where the storage
// has forgotten it. Storage in memory returns the live maps of such a trial. Its attributes,
// and nothing else, are read through a lock.
func runningAttrs(study *goptuna.Study, t goptuna.FrozenTrial) (attrs map[string]string, known bool, err error) {
	if Shared(study) {
		return t.SystemAttrs, true, nil
	}
	attrs, err = study.Storage.GetTrialSystemAttrs(t.ID)
	if errors.Is(err, goptuna.ErrTrialAlreadyDeleted) { // BlackHoleStorage
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("fm: reading running trial %d: %w", t.Number, err)
	}
	return attrs, true, nil
}

// WithBoth returns a trial with both representations of all of its parameters. In memory,
// one that was copied from elsewhere may have one of them only.
func WithBoth(t goptuna.FrozenTrial) goptuna.FrozenTrial {
	if len(t.InternalParams) < len(t.Params) {
		internal := make(map[string]float64, len(t.Params))
		for name, value := range t.Params {
			internal[name] = space.Internal(t.Distributions[name], value)
		}
		maps.Copy(internal, t.InternalParams)
		t.InternalParams = internal
	}
	if len(t.Params) < len(t.InternalParams) {
		params := make(map[string]any, len(t.InternalParams))
		for name, internal := range t.InternalParams {
			if value, ok := space.External(t.Distributions[name], internal); ok {
				params[name] = value
			}
		}
		maps.Copy(params, t.Params)
		t.Params = params
	}
	return t
}
