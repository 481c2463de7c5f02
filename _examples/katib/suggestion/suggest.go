package suggestion

import (
	"math/rand/v2"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

// snapRetries bounds how often the model, and snapDraws how often chance, is asked
// for values that no trial has.
const (
	snapRetries = 5
	snapDraws   = 1000
)

// suggest returns a new running trial.
func (s *study) suggest(number int) (trial, error) {
	t := trial{number: number, state: goptuna.TrialStateRunning}
	var ids []int
	for {
		id, err := s.add(t)
		if err != nil {
			return t, err
		}
		if t.numbers, err = s.sample(id, number); err != nil {
			return t, err
		}
		isNew := !s.isSnapped || !s.seen[s.key(t.numbers)]
		if !isNew && len(ids) == snapRetries {
			t.numbers, isNew = s.draw(number, t.numbers), true
		}
		if isNew {
			if err := s.forget(ids); err != nil {
				return t, err
			}
			return s.keep(t, id)
		}
		// Values between two of a grid became some that a trial has. The sampler
		// sees them evaluated while it looks for others.
		ids = append(ids, id)
	}
}

// forget makes trials count nowhere: there is no way to delete one.
func (s *study) forget(ids []int) error {
	for _, id := range ids {
		if err := s.storage.SetTrialState(id, goptuna.TrialStateWaiting); err != nil {
			return err
		}
	}
	return nil
}

// keep makes the trial one that is evaluated, with values of the grids.
func (s *study) keep(t trial, id int) (trial, error) {
	attrs, err := s.storage.GetTrialSystemAttrs(id)
	if err != nil {
		return t, err
	}
	fit := plan.Decode(attrs).Fit
	if fit != nil {
		s.fit = fit
	}
	texts := s.texts(t.numbers)
	for i, p := range s.params {
		if p.isSnapped() {
			t.numbers[p.name], _ = p.parse(texts[i])
		}
	}
	t.name = trialName(s.name, t.number, texts)
	s.seen[s.key(t.numbers)] = true
	if !s.isSnapped {
		return t, nil
	}
	return t, s.plan(t.numbers, fit).Store(s.study, id)
}

// sample returns what the sampler suggests, and the single values of parameters.
func (s *study) sample(id, number int) (map[string]float64, error) {
	frozen, err := s.storage.GetTrial(id)
	if err != nil {
		return nil, err
	}
	frozen.Number = number
	return s.sampler.SampleRelative(s.study, frozen, s.distributions)
}

// draw returns random values that no trial has, or the given ones where it finds
// none.
func (s *study) draw(number int, repeated map[string]float64) map[string]float64 {
	rng := rand.New(rand.NewPCG(uint64(s.seed), uint64(number)))
	for range snapDraws {
		numbers := make(map[string]float64, len(s.params))
		for _, p := range s.params {
			numbers[p.name] = s.sampled[p.name].FromUnit(rng.Float64())
		}
		if !s.seen[s.key(numbers)] {
			return numbers
		}
	}
	return repeated
}
