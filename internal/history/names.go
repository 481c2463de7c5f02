package history

import (
	"maps"
	"slices"

	"github.com/c-bata/goptuna"
)

// NameEdit is an edit of the objective after which trials ask for other parameters.
type NameEdit struct {
	Number      int      // of the first complete trial after it
	Gone, Added []string // what trials asked for before it, and what they ask for instead
}

// minBefore and minSince are how many complete trials have to have had a parameter, all of
// them, and how many not, none of them, before its name was edited: others come and go with
// the choices that they depend on.
const minBefore, minSince = 5, 3

// NameEdit returns the latest edit that took parameters away, and false where there was none.
// Trials that are not complete may have asked for a part of what they would have.
func (h *History) NameEdit() (edit NameEdit, ok bool) {
	isComplete := func(t Trial) bool { return t.State == goptuna.TrialStateComplete }
	i := slices.IndexFunc(h.Finished, isComplete)
	if i < 0 {
		return edit, false
	}
	first, last := h.Finished[i], h.Finished[i]
	for _, t := range slices.Backward(h.Finished) {
		if isComplete(t) {
			last = t
			break
		}
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(first.InternalParams)), last.Has)
	if len(names) == 0 { // which saves looking at all
		return edit, false
	}
	complete := slices.DeleteFunc(slices.Clone(h.Finished), func(t Trial) bool { return !isComplete(t) })
	at := 0 // in complete
	for _, name := range names {
		has := func(t Trial) bool { return t.Has(name) }
		n := slices.IndexFunc(complete, func(t Trial) bool { return !has(t) })
		if n < max(minBefore, at) || len(complete)-n < minSince || slices.ContainsFunc(complete[n:], has) {
			continue
		}
		if n > at {
			at, edit.Gone = n, nil
		}
		edit.Gone = append(edit.Gone, name)
	}
	if edit.Gone == nil {
		return edit, false
	}
	for _, name := range slices.Sorted(maps.Keys(last.InternalParams)) {
		if complete[at].Has(name) && !complete[at-1].Has(name) {
			edit.Added = append(edit.Added, name)
		}
	}
	edit.Number = complete[at].Number
	return edit, true
}
