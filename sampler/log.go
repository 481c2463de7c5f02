package sampler

import (
	"fmt"
	"maps"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
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
// with, values that are no numbers or penalties, and finished trials, once per parameter.
func (l logger) unusable(p *observe.Problem) {
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
		l.info(fmt.Sprintf("trials whose %q has no place in its distribution as it is now are not used", name),
			fmt.Sprintf("first: trial %d with %v of %#v", t.Number, t.InternalParams[name], t.Distributions[name]))
	}
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

// limitEdits logs the limits that were edited. Goptuna's best trial goes by those that each
// trial had.
func (l logger) limitEdits(h *history.History) {
	for _, e := range h.LimitEdits {
		l.warn(fmt.Sprintf("the limit of %q was edited: the sampler judges all trials by the new one, and Goptuna's best trial goes by those that trials had", e.Name),
			fmt.Sprintf("from trial %d on: %s, for %s; CopyTrials makes a study in which all have the new one", e.Number, e.New.Bound(), e.Old.Bound()))
	}
}

// minBefore and minSince are how many complete trials have to have had a parameter, all of
// them, and how many not, none of them, before its name was edited: others come and go with
// the choices that they depend on.
const minBefore, minSince = 5, 3

// editedNames logs the parameters that trials no longer ask for, and those that they ask for
// instead: one of them may be misspelt.
func (l logger) editedNames(h *history.History) {
	isComplete := func(t history.Trial) bool { return t.State == goptuna.TrialStateComplete } // others may have asked for a part
	i := slices.IndexFunc(h.Finished, isComplete)
	if i < 0 {
		return
	}
	first, last := h.Finished[i], h.Finished[i]
	for _, t := range slices.Backward(h.Finished) {
		if isComplete(t) {
			last = t
			break
		}
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(first.InternalParams)), last.Has)
	if len(names) == 0 {
		return
	}
	complete := slices.DeleteFunc(slices.Clone(h.Finished), func(t history.Trial) bool { return !isComplete(t) })
	gone := map[int][]string{} // by the first trial without them
	edit := 0
	for _, name := range names {
		has := func(t history.Trial) bool { return t.Has(name) }
		n := slices.IndexFunc(complete, func(t history.Trial) bool { return !has(t) })
		if n >= minBefore && len(complete)-n >= minSince && !slices.ContainsFunc(complete[n:], has) {
			gone[n] = append(gone[n], name)
			edit = max(edit, n)
		}
	}
	if edit == 0 {
		return
	}
	text := fmt.Sprintf("from trial %d on not for %q", complete[edit].Number, gone[edit])
	var added []string
	for _, name := range slices.Sorted(maps.Keys(last.InternalParams)) {
		if complete[edit].Has(name) && !complete[edit-1].Has(name) {
			added = append(added, name)
		}
	}
	if added != nil {
		text += fmt.Sprintf(", and for %q instead", added)
	}
	l.info("trials ask for other parameters than those before", text)
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
