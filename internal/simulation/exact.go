package simulation

import (
	"fmt"

	"github.com/c-bata/goptuna"
)

// exactness knows whether it is defined which configurations remain. It is not
//
//   - where the number of values is a matter of rounding,
//   - after an edit that makes another tree of the space: an old trial without a
//     new parameter looks like one of a branch that has none,
//   - after a trial that stopped before it had asked for everything, or that ended
//     without a value in a space with conditions: nobody can say whether it had
//     more to ask for,
//   - when trials of several workers began before the space was known,
//   - when a worker is gone and its trial may have had more to ask for, or the
//     space was edited since.
type exactness struct {
	on       bool
	total    int
	infinite bool
}

func newExactness(s *space) exactness {
	n, infinite, known := s.size()
	return exactness{on: known, total: n, infinite: infinite}
}

// off switches the check off for the rest of the study.
func (e *exactness) off() { e.on = false }

// edited takes the space after an edit that leaves it the same tree.
func (e *exactness) edited(s *space) {
	was := e.on
	*e = newExactness(s)
	e.on = e.on && was
}

// used returns how many trials have each configuration, the trial self apart.
func used(s *space, trials []goptuna.FrozenTrial, self int) map[string]int {
	n := map[string]int{}
	for _, t := range trials {
		if t.ID == self || t.State == goptuna.TrialStateWaiting {
			continue
		}
		if key, ok := s.key(t); ok {
			n[key]++
		}
	}
	return n
}

// check compares a trial that has asked for everything with those before it.
// Others are the trials whose workers have not come so far.
func (s *simulation) check(w *worker, others int) error {
	if !s.exact.on || w.trial.mayRepeat {
		return nil
	}
	trials, err := w.study.GetTrials()
	if err != nil {
		return err
	}
	var own goptuna.FrozenTrial
	for _, t := range trials {
		if t.ID == w.trial.ID {
			own = t
		}
	}
	key, ok := s.space.key(own)
	if !ok {
		return violated("trial %d has %v, which is no configuration of the space", own.Number, own.InternalParams)
	}
	before := used(s.space, trials, own.ID)
	s.Checked++
	remain := s.exact.total - len(before) - others
	if !s.exact.infinite && remain <= 0 {
		return nil
	}
	left := fmt.Sprint(remain)
	if s.exact.infinite {
		left = "infinitely many"
	}
	if before[key] > 0 {
		return violated("trial %d repeats %s while %s configurations remain", own.Number, key, left)
	}
	if s.log.saysExhausted() && !s.saidExhausted {
		return violated("trial %d: the log says that every configuration has a trial; %s remain", own.Number, left)
	}
	return nil
}
