package sampler

import "github.com/goptuna-fm/goptuna-fm/internal/space"

const (
	// explorePeriod: one trial in so many takes a branch at random.
	explorePeriod = 2
	// branchDraws is how often it draws one that nothing follows, and that was
	// taken, before the model chooses.
	branchDraws = 20
)

// chooseBranch fixes, in one trial of explorePeriod, the parameters that decide
// which others a trial asks for to values drawn at random. The model of the
// shared parameters sees the average of what follows them, and would stay in the
// branch that is good on average. What there is to gain in a branch is known to
// the model of its own trials, which plans the rest once a trial is in it.
func (t *task) chooseBranch() {
	if len(t.branches) == 0 || t.trial.Number%explorePeriod != 0 {
		return
	}
	var chosen []*space.Param
	for _, p := range t.space.Vertices() {
		if _, fixed := t.fixed[p.Name]; !fixed && t.selects(p) {
			chosen = append(chosen, p)
		}
	}
	for range branchDraws {
		for _, p := range chosen {
			t.fixed[p.Name] = p.FromUnit(t.rng.Float64())
		}
		if len(t.fixed) < len(t.space.Params()) || !t.isUsed(nil) {
			return
		}
	}
	for _, p := range chosen { // the model chooses
		delete(t.fixed, p.Name)
	}
}

// selects reports whether the value of p decides about some further parameter:
// some values always come with it, all others never.
func (t *task) selects(p *space.Param) bool {
	foreseen := map[string]bool{}
	for _, q := range t.params {
		foreseen[q.Name] = true
	}
	trials := map[float64]int{}             // by value of p
	further := map[string]map[float64]int{} // of these, trials with a further parameter
	for _, f := range t.relevant {
		if f.Censored {
			continue
		}
		value := f.InternalParams[p.Name]
		trials[value]++
		for name := range f.InternalParams {
			if !foreseen[name] {
				if further[name] == nil {
					further[name] = map[float64]int{}
				}
				further[name][value]++
			}
		}
	}
	for _, with := range further {
		decides := len(with) < len(trials)
		for value, n := range with {
			decides = decides && n == trials[value]
		}
		if decides {
			return true
		}
	}
	return false
}
