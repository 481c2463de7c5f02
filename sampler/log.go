package sampler

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// logger tells a study's logger each kind of message once.
type logger struct {
	study  *goptuna.Study
	logged map[string]bool // by kind
}

// warn logs trouble that was handled.
func (l logger) warn(kind string, fields ...any) {
	if l.first(kind) {
		l.study.GetLogger().Warn("fm: "+kind, fields...)
	}
}

// info logs what a user may want to know.
func (l logger) info(kind string, fields ...any) {
	if l.first(kind) {
		l.study.GetLogger().Info("fm: "+kind, fields...)
	}
}

// first reports whether a message is to be logged.
func (l logger) first(kind string) bool {
	if l.logged[kind] || l.study.GetLogger() == nil {
		return false
	}
	l.logged[kind] = true
	return true
}

// unusable logs what of the storage is not used: values that a trial was enqueued
// with, values that are no numbers or penalties, and finished trials, once per parameter. One
// that is a choice and a number by turns was rather not meant.
func (l logger) unusable(p *observe.Problem, h *history.History) {
	if p.BadFixed != nil {
		l.warn("cannot read the values of an enqueued trial", p.BadFixed)
	}
	complete := func(v observe.Valueless) bool { return v.Trial.State == goptuna.TrialStateComplete }
	if i := slices.IndexFunc(p.Valueless, complete); i >= 0 {
		t := p.Valueless[i].Trial
		l.info("complete trials whose value is NaN, infinite or far worse than all others are taken for failed ones", fmt.Sprintf("first: trial %d with %v", t.Number, t.Value))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Unusable)) {
		t := p.Unusable[name]
		now := p.Space.Params()[slices.IndexFunc(p.Space.Params(), func(param *space.Param) bool { return param.Name == name })].Distribution
		if number := t.Distributions[name]; isChoice(number) != isChoice(now) && kindsByTurns(h, name) {
			if isChoice(number) {
				number = now
			}
			l.warn(fmt.Sprintf("parameter %q is a choice in some trials and %s in others", name, kindOf(number)),
				"a trial learns from those alone that ask for it alike; two names would keep them apart")
			continue
		}
		l.info(fmt.Sprintf("trials whose %q has no place in its distribution as it is now are not used", name),
			fmt.Sprintf("first: trial %d with %v of %#v", t.Number, t.InternalParams[name], t.Distributions[name]))
	}
}

// kindsByTurns reports whether the latest trials have asked for a choice and for a number by the
// name, by turns. Of a name that was edited, all ask alike since.
func kindsByTurns(h *history.History, name string) bool {
	const latest = 10
	var choices []bool // from the latest trial on
	for _, t := range slices.Backward(h.Finished) {
		if d, ok := t.Distributions[name]; ok && len(choices) < latest {
			choices = append(choices, isChoice(d))
		}
	}
	return len(slices.Compact(choices)) > 2
}

func isChoice(distribution any) bool {
	_, choice := distribution.(goptuna.CategoricalDistribution)
	return choice
}

// kindOf says what a number is.
func kindOf(distribution any) string {
	switch distribution.(type) {
	case goptuna.IntUniformDistribution, goptuna.StepIntUniformDistribution:
		return "an int"
	}
	return "a float"
}

// unasked logs the parameters that have a graph and that no trial with a value has asked for:
// a name may be misspelt, or come with a choice that was not made yet.
func (l logger) unasked(h *history.History, of map[string]*graphs.Graph) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if !h.Has(name) {
			l.warn(fmt.Sprintf("no trial with a value has asked for the parameter %q of SamplerOptionGraph", name), "is the name right?")
		}
	}
}

// A value is suspect if it is better than all others, suspectOthers at least, by suspectRanges
// times the range of these, as where a decimal point slipped. They have to differ by minRange of
// their size: beside a plateau, or a limit of time, any value that is better stands out.
const suspectOthers, suspectRanges, minRange = 10, 3, 0.1

// suspect logs such a value, as the objective gave it: the search goes after it, and a value that
// is too good is never left out. As long as no trial is feasible the values are no objective's.
func (l logger) suspect(p *observe.Problem) {
	if p.Infeasible || len(p.FeasibleY) <= suspectOthers {
		return
	}
	best, second, worst := math.Inf(1), math.Inf(1), math.Inf(-1)
	var trial history.Trial // with the best
	for i, y := range p.Y {
		if !p.IsFeasible(p.Trials[i]) {
			continue
		}
		if y < best {
			trial = p.Trials[i]
		}
		best, second, worst = min(best, y), min(second, max(best, y)), max(worst, y)
	}
	others := worst - second
	if others > minRange*max(math.Abs(worst), math.Abs(second)) && second-best > suspectRanges*others {
		l.info("the best value is far better than all others, by more than these differ",
			fmt.Sprintf("trial %d with %v; if it is wrong, CopyTrials makes a study without it", trial.Number, trial.Value))
	}
}

// lost logs which running trials no longer count.
func (l logger) lost(p *observe.Problem) {
	if numbers := p.LostTrials(); len(numbers) > 0 {
		l.info("trials that run for much longer than any before no longer count, and their configurations may come again",
			fmt.Sprintf("trials %v; where they still run, SamplerOptionRunningTimeout lets them count", numbers))
	}
}

// limitEdits logs the limits that were edited. Goptuna's best trial goes by those that each
// trial had.
func (l logger) limitEdits(h *history.History) {
	for _, e := range h.LimitEdits {
		l.warn(fmt.Sprintf("the limit of %q was edited: the sampler judges all trials by the new one, and Goptuna's best trial goes by those that trials had", e.Name),
			fmt.Sprintf("from trial %d on: %s, for %s; CopyTrials makes a study in which all have the new one", e.Number, e.New.Bound(), e.Old.Bound()))
	}
}

// editedNames logs the parameters that trials no longer ask for, and those that they ask for
// instead: one of them may be misspelt.
func (l logger) editedNames(h *history.History) {
	edit, ok := h.NameEdit()
	if !ok {
		return
	}
	text := fmt.Sprintf("from trial %d on not for %q", edit.Number, edit.Gone)
	if edit.Added != nil {
		text += fmt.Sprintf(", and for %q instead", edit.Added)
	}
	l.info("trials ask for other parameters than those before", text)
}

// valuesLeft logs the parameters that have one value left of several.
func (l logger) valuesLeft(p *observe.Problem) {
	for _, name := range p.NamesLeft() {
		l.info(fmt.Sprintf("%q has one value left", name), "trials with others say where to look, and not how good it is there")
	}
}

// alone logs that the model leaves out trials with other values than are left.
func (l logger) alone(p *observe.Problem, model *surrogate.Surrogate) {
	if model.Fit.Alone {
		l.info(fmt.Sprintf("trials with another value of %q than is left are left out of the model", p.NamesLeft()), "those with it are predicted better without them, or are enough")
	}
}

// outliers logs which trials, by their numbers, the model leaves out.
func (l logger) outliers(numbers []int) {
	if len(numbers) > 0 {
		l.info("trials whose values all others contradict are left out of the model", fmt.Sprintf("so far: %v; where the objective has no noise, SamplerOptionDeterministicObjective(true) keeps them", numbers))
	}
}

// exhausted logs that the study repeats configurations, unless it may be what is fixed that
// leaves no others.
func (l logger) exhausted(p *observe.Problem) {
	if len(p.Fixed) > 0 {
		return
	}
	l.warn("every configuration of the space has a trial", "they are repeated: after the start-up, the best")
}
