package history

import (
	"errors"
	"maps"
	"slices"

	"github.com/c-bata/goptuna"
)

// ErrInfeasible is what the error of a trial that violates a constraint wraps.
var ErrInfeasible = errors.New("fm: infeasible")

const (
	// ErrorAttr is the user attribute in which a trial says why it failed.
	ErrorAttr = "fm: error"
	// LimitsAttr is the one that has what was measured as text, for those who look at it.
	LimitsAttr = "fm: limits"
)

// Judge returns the trials as they would be under other limits: relimit returns a quantity that
// was measured by the name with the limit to judge it by. A trial that failed by limits which
// it is within now is complete with the value that it measured. Where it measured none, it says
// nothing any more, and is marked as interrupted.
func Judge(trials []goptuna.FrozenTrial, relimit func(name string, q Quantity) Quantity) []goptuna.FrozenTrial {
	judged := slices.Clone(trials)
	for i, t := range judged {
		if t.State.IsFinished() {
			judged[i] = judge(t, relimit)
		}
	}
	return judged
}

func judge(t goptuna.FrozenTrial, relimit func(name string, q Quantity) Quantity) goptuna.FrozenTrial {
	m := MeasurementOf(t.SystemAttrs)
	was := len(m.Violations().Exceeded()) > 0
	before := m.Quantities
	m.Quantities = make(map[string]Quantity, len(before))
	for name, q := range before {
		m.Quantities[name] = relimit(name, q)
	}
	if maps.Equal(m.Quantities, before) {
		return t
	}
	key, text, err := m.Attribute()
	if err != nil { // of no number: as it was
		return t
	}
	t.SystemAttrs, t.UserAttrs = maps.Clone(t.SystemAttrs), maps.Clone(t.UserAttrs)
	if t.UserAttrs == nil {
		t.UserAttrs = map[string]string{}
	}
	t.SystemAttrs[key], t.UserAttrs[LimitsAttr] = text, m.String()
	infeasible := m.Infeasible()
	switch {
	case t.State == goptuna.TrialStatePruned:
	case t.State == goptuna.TrialStateFail && !was && len(m.Unknown) == 0: // for another reason
	case infeasible != nil:
		t.State, t.Value = goptuna.TrialStateFail, 0
		t.UserAttrs[ErrorAttr] = infeasible.Error()
	case t.State == goptuna.TrialStateFail && m.Value != nil:
		t.State, t.Value = goptuna.TrialStateComplete, *m.Value
		delete(t.UserAttrs, ErrorAttr)
	case t.State == goptuna.TrialStateFail:
		t.SystemAttrs[InterruptedAttr] = "its value within these limits was not measured"
	}
	return t
}

// LimitEdit is a limit of a constraint that was edited: it is another one from a trial on. Of
// several edits it is the last.
type LimitEdit struct {
	Name     string
	Number   int // of the first trial with the new one
	Old, New Quantity
}

// minOldLimits is how many trials have one limit of a constraint before another one is an
// edit. A limit that follows from the parameters of a trial comes and goes.
const minOldLimits = 5

// limits are those of one constraint, in the order of the trials.
type limits struct {
	LimitEdit
	trials        int
	olds          int        // trials before the first edit
	retired       []oldLimit // by edits
	both          int        // trials from an edit to the last one with a limit that it had retired
	after         int        // trials since that
	without, from int        // trials that have done without it, and the first
	optional      bool       // it was there again after these
}

// oldLimit is a limit until an edit, which came after that many trials.
type oldLimit struct {
	Quantity
	until int
}

// add adds the limit of the next trial.
func (l *limits) add(q Quantity, number int) {
	if l.comesAndGoes() { // it would be compared with one of nearly every trial before
		return
	}
	at := slices.IndexFunc(l.retired, func(old oldLimit) bool { return sameLimit(old.Quantity, q) })
	switch {
	case l.trials == 0:
		l.New = q
	case at >= 0: // of a worker that runs with it still
		l.both, l.after = max(l.both, l.trials+1-l.retired[at].until), -1
	case !sameLimit(q, l.New):
		l.retired = append(l.retired, oldLimit{l.New, l.trials})
		l.Old, l.New, l.Number = l.New, q, number
	}
	l.trials++
	l.after++
	if len(l.retired) == 0 {
		l.olds++
	}
}

// addNone adds a trial that has done without the limit and is within all others: after minSince
// of them there is none any more. One that comes back is for some trials only.
func (l *limits) addNone(number int) {
	if l.without == 0 {
		l.from = number
	}
	if l.without++; l.without >= minSince && !l.optional {
		l.add(l.New.unlimited(), l.from)
	}
}

// comesAndGoes reports whether the limit follows from the parameters of a trial, whatever comes
// after: it was another one too soon, or an old one was back for too long.
func (l *limits) comesAndGoes() bool { return len(l.retired) > 0 && l.olds < max(minOldLimits, l.both) }

// edited reports whether the limit was edited. Workers with the old one may run beside those
// with the new one, for no longer than either ran alone.
func (l *limits) edited() bool {
	return len(l.retired) > 0 && !l.comesAndGoes() && l.after >= l.both
}

// limitEdits returns the limits that were edited, in the order of names.
func limitEdits(trials []goptuna.FrozenTrial) (edits []LimitEdit) {
	var measured []goptuna.FrozenTrial
	for _, t := range trials {
		if t.State.IsFinished() && t.SystemAttrs[MeasuredAttr] != "" {
			measured = append(measured, t)
		}
	}
	if len(measured) <= minOldLimits {
		return nil
	}
	first, last := MeasurementOf(measured[0].SystemAttrs), MeasurementOf(measured[len(measured)-1].SystemAttrs)
	if maps.EqualFunc(first.Quantities, last.Quantities, sameLimit) { // which saves reading all
		return nil
	}
	of := map[string]*limits{}
	for _, t := range measured {
		m := MeasurementOf(t.SystemAttrs)
		for name, q := range m.Quantities {
			if of[name] == nil {
				of[name] = &limits{LimitEdit: LimitEdit{Name: name}}
			}
			of[name].optional = of[name].optional || of[name].without > 0
			of[name].add(q, t.Number)
		}
		if m.Infeasible() != nil { // another constraint may have come first
			continue
		}
		for name, l := range of {
			if _, ok := m.Quantities[name]; !ok {
				l.addNone(t.Number)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if l := of[name]; l.edited() {
			edits = append(edits, l.LimitEdit)
		}
	}
	return edits
}

// judgeByEdits judges all trials by the limits as they were edited.
func judgeByEdits(trials []goptuna.FrozenTrial, edits []LimitEdit) []goptuna.FrozenTrial {
	if len(edits) == 0 {
		return trials
	}
	return Judge(trials, func(name string, q Quantity) Quantity {
		if i := slices.IndexFunc(edits, func(e LimitEdit) bool { return e.Name == name }); i >= 0 {
			q = q.WithLimit(edits[i].New.Limit)
			q.Least = edits[i].New.Least
		}
		return q
	})
}
