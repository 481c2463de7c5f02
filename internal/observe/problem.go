package observe

import (
	"slices"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// MinStartup is the number of start-up trials with a value in most spaces. The first
// MinStartup values come from no search, but for a few where the space is small, the
// user wants fewer start-up trials, or many failed before.
const MinStartup = 10

// Problem is what a trial has to decide, and what it knows. It is complete when it
// is made and not changed afterwards.
type Problem struct {
	Number int
	Space  *space.Space
	// Fixed holds the values that are decided already, by name.
	Fixed map[string]float64
	// Regions are what the trial may still become, at least one.
	Regions []Region

	// X, Y and Trials are the configurations with a value, in the order in which
	// their trials finished, and their objective values, to be minimised, at the level of
	// what the trial may have.
	X      []fmkernel.Point
	Y      []float64
	Trials []history.Trial
	// FeasibleY are the values of those that violate no constraint.
	FeasibleY []float64
	// Valueless are the configurations that gave no value.
	Valueless []Valueless
	// Pending are the configurations that other workers evaluate.
	Pending []fmkernel.Point
	// Tried are the configurations of all of them.
	Tried *space.Tried
	// Sign is -1 where the study maximises, and otherwise 1.
	Sign float64
	// Infeasible says that no trial of the space was feasible so far: the values are sums of
	// violations.
	Infeasible bool

	// BadFixed is why the values that the trial was enqueued with cannot be read.
	BadFixed error
	// Unusable holds, by the name of a parameter whose value has no place in the
	// space, the first trial that is left out for it.
	Unusable map[string]history.Trial

	history     *history.History // by the names in the space
	variants    variants
	constraints []string     // names
	left        map[int]int  // vertices of parameters that have one value left, by graph
	plans       []*plan.Plan // of the running trials that count
	lost        map[int]bool // the others, by id: their workers are taken to be dead
	elsewhere   map[int]bool // the trials that say nothing of what is feasible now, by id
	alone       *Problem     // see Alone
	isAlone     bool
}

// Region is a region and what came of it.
type Region struct {
	space.Region
	// Trials is the number of whole trials that it was learned from, and Infeasible that of those
	// which violate a constraint.
	Trials, Infeasible int
	// Valueless is the number of others, which gave no value, and Failures that of those
	// which failed where no trial has one.
	Valueless, Failures int
}

// Valueless is a configuration that gave no value, and its trial.
type Valueless struct {
	X     fmkernel.Point
	Trial history.Trial
}

// Settings are what of a problem the user decides.
type Settings struct {
	NewParam NewParam
	// RunningTimeout is how long a running trial counts; 0 means
	// runningFactor times the longest finished one.
	RunningTimeout time.Duration
}

// Observe returns the problem of a trial, which has asked for its Distributions and has the
// answers that are among its InternalParams. As long as no trial with a place in the space is
// feasible, the problem is to violate the constraints least: the values are then sums of
// violations. The error is that of one of the distributions.
func Observe(h *history.History, trial goptuna.FrozenTrial, s Settings) (*Problem, error) {
	p, err := observe(h, trial, s)
	if err != nil || len(p.FeasibleY) > 0 {
		return p, err
	}
	if of, ok := h.OfViolations(); ok {
		return observe(of, trial, s)
	}
	return p, nil
}

// observe returns the problem of the values in a history: of the objective, or of violations.
func observe(h *history.History, trial goptuna.FrozenTrial, s Settings) (*Problem, error) {
	v := findVariants(h, trial)
	trial, h = v.trial(trial), v.history(h)
	whole, rest := split(h)
	sp, err := buildSpace(whole, trial, v, s.NewParam)
	if err != nil {
		return nil, err
	}
	p := &Problem{
		Number: trial.Number, Space: sp, Sign: h.Sign, Infeasible: h.Infeasible, lost: map[int]bool{},
		Tried: sp.NewTried(), Unusable: map[string]history.Trial{}, history: h, variants: v,
		constraints: constraintsOf(h.Finished), left: valuesLeft(sp),
	}
	p.Fixed, p.BadFixed = fixed(sp, trial)
	byEnd := orderByEnd(h.Finished)
	slices.SortStableFunc(whole, byEnd)
	regions := p.learnRegions(p.addWhole(whole), rest, byEnd)
	for _, t := range rest {
		regions = p.addIncomplete(regions, t)
	}
	p.setRunning(trial, s.RunningTimeout)
	asked := slices.DeleteFunc(slices.Clone(sp.Params()), func(param *space.Param) bool { return trial.Distributions[param.Name] == nil })
	p.Tried = p.Tried.Without(asked)
	p.Regions = p.openRegions(regions, asked)
	p.bringToLevel()
	p.setElsewhere()
	for i, t := range p.Trials {
		if p.IsFeasible(t) {
			p.FeasibleY = append(p.FeasibleY, p.Y[i])
		}
	}
	p.setAlone()
	return p, nil
}

// orderByEnd returns the order in which the finished trials ended, in a time that does not go
// back: where a trial began before one with a lower number, clocks differ, or one was set
// back, and what the trials asked for before the program was changed would look like the
// latest for hours.
func orderByEnd(finished []history.Trial) func(a, b history.Trial) int {
	ended := make(map[int]time.Time, len(finished))
	var latest time.Time // when one began
	var behind time.Duration
	for _, t := range finished {
		if !t.DatetimeStart.IsZero() { // imported trials may have no dates
			behind = max(behind, latest.Sub(t.DatetimeStart))
			latest = t.DatetimeStart.Add(behind)
		}
		ended[t.ID] = t.DatetimeComplete
		if !t.DatetimeComplete.IsZero() {
			ended[t.ID] = t.DatetimeComplete.Add(behind)
		}
	}
	return func(a, b history.Trial) int { return ended[a.ID].Compare(ended[b.ID]) }
}

// fixed returns the values that are decided: the answers that the trial has had,
// and those that Goptuna will give it because it was enqueued with them, as far as
// they can be read.
func fixed(sp *space.Space, trial goptuna.FrozenTrial) (fixed map[string]float64, bad error) {
	enqueued, bad := Enqueued(trial.SystemAttrs)
	fixed = map[string]float64{}
	for _, param := range sp.ParentsFirst() {
		value, ok := trial.InternalParams[param.Name]
		switch {
		case !ok:
			if value, ok = enqueued[param.AskedName]; ok {
				value, ok = sp.FromForm(fixed, param, value)
			}
		case param.Forms.By != nil:
			value, ok = param.Convert(value, trial.Distributions[param.Name])
		}
		if ok && param.Contains(value) {
			if _, ok := param.Encode(value); ok {
				fixed[param.Name] = value
			}
		}
	}
	return fixed, bad
}
