package simulation

import (
	"fmt"
	"math"
	"reflect"
	"sync"
	"time"

	"github.com/c-bata/goptuna"
)

// disturb does now and then what happens to a study besides its trials.
func (s *simulation) disturb() error {
	if chance(s.rng, s.rates.restart) {
		if w := s.workers[s.rng.IntN(len(s.workers))]; w.trial == nil {
			if err := s.connect(w); err != nil {
				return err
			}
		}
	}
	if chance(s.rng, s.rates.edit) {
		s.edit()
	}
	if chance(s.rng, s.rates.enqueue) {
		if err := s.enqueue(); err != nil {
			return err
		}
	}
	if chance(s.rng, s.rates.load) {
		for range 1 + s.rng.IntN(4) {
			if err := s.load(); err != nil {
				return err
			}
		}
	}
	return nil
}

// edit changes the space for the trials to come.
func (s *simulation) edit() {
	before := s.space
	var what int
	s.space, what = before.edited(s.rng, s.kind)
	s.unseenEdit = true
	s.note("edit")
	s.noteSpace()
	s.exact.edited(s.space)
	if what != editRange || s.relative != nil || s.open(nil) > 0 || s.dead > 0 {
		s.exact.off()
		return
	}
	for i, n := range s.space.nodes {
		if reflect.TypeOf(n.distribution) != reflect.TypeOf(before.nodes[i].distribution) {
			s.exact.off()
		}
	}
}

// enqueue adds a trial with values for some parameters, not all of which the
// trial can use.
func (s *simulation) enqueue() error {
	values := map[string]float64{}
	share := pick(s.rng, 0.3, 0.7, 1)
	for _, n := range s.space.nodes {
		if !chance(s.rng, share) {
			continue
		}
		values[n.name] = draw(s.rng, n.distribution)
		if s.space.isTwin(n) { // of another distribution, perhaps
			s.exact.off()
		}
		if chance(s.rng, 0.1) {
			s.exact.off()
			values[n.name] = pick(s.rng, -1, 0.5, 2.4, 1e30, -1e300, 7)
		}
	}
	if chance(s.rng, 0.1) {
		values["unknown"] = 1
	}
	return s.workers[0].study.EnqueueTrial(values)
}

// load adds a finished trial as another program would.
func (s *simulation) load() error {
	t := goptuna.FrozenTrial{
		State:              pick(s.rng, goptuna.TrialStateComplete, goptuna.TrialStateComplete, goptuna.TrialStatePruned, goptuna.TrialStateFail),
		Value:              s.rates.scale * s.rng.Float64(),
		IntermediateValues: map[int]float64{},
		InternalParams:     map[string]float64{},
		Params:             map[string]any{},
		Distributions:      map[string]any{},
		UserAttrs:          map[string]string{},
		SystemAttrs:        map[string]string{},
	}
	if chance(s.rng, 0.5) {
		t.DatetimeStart = time.Date(2020, 1, 1, s.rng.IntN(24), 0, 0, 0, time.UTC)
		t.DatetimeComplete = t.DatetimeStart.Add(time.Duration(s.rng.IntN(7200)) * time.Second)
	}
	if t.State != goptuna.TrialStateComplete && !s.space.flat() {
		s.exact.off()
	}
	for {
		n, ok := s.space.next(t.Params)
		if !ok {
			break
		}
		if chance(s.rng, 0.03) { // the rest is missing
			s.exact.off()
			break
		}
		d := n.distribution
		if chance(s.rng, 0.05) {
			s.exact.off()
			d = changed(s.rng, d)
		}
		internal := draw(s.rng, d)
		external, err := goptuna.ToExternalRepresentation(d, internal)
		if err != nil {
			return fmt.Errorf("a %T: %w", d, err)
		}
		// In memory nobody checks an imported value.
		if _, memory := s.storage.(*goptuna.InMemoryStorage); memory && chance(s.rng, 0.02) {
			s.exact.off()
			internal = math.NaN()
		}
		t.InternalParams[n.name], t.Params[n.name], t.Distributions[n.name] = internal, external, d
	}
	if s.constraints != nil && chance(s.constraintRNG, 0.5) {
		t.SystemAttrs["fm:measured"] = pick(s.constraintRNG, strangeMeasurements[:]...)
		s.exact.off()
	}
	for _, w := range s.workers {
		if w.trial != nil {
			w.trial.mayRepeat = true
		}
	}
	s.note("import of a trial with %v, %v", t.InternalParams, t.State)
	_, err := s.storage.CloneTrial(s.workers[0].study.ID, t)
	return err
}

// crowd lets several workers go on at the same time, in no order.
func (s *simulation) crowd() error {
	const each = 2
	crowd := 2 + s.rng.IntN(3)
	oneProcess := chance(s.rng, 0.5)
	w := &worker{}
	if err := s.connect(w); err != nil {
		return err
	}
	trials, err := w.study.GetTrials()
	if err != nil {
		return err
	}
	before := len(used(s.space, trials, -1))
	errs := make([]error, crowd)
	var wg sync.WaitGroup
	for i := range crowd {
		study := w.study
		if !oneProcess {
			other := &worker{}
			if err := s.connect(other); err != nil {
				return err
			}
			study = other.study
		}
		wg.Go(func() { errs[i] = s.evaluate(study, each) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("%d workers at the same time: %w", crowd, err)
		}
	}
	if !s.exact.on || !oneProcess || !s.space.flat() || s.finished == 0 {
		return nil
	}
	if trials, err = w.study.GetTrials(); err != nil {
		return err
	}
	added := len(used(s.space, trials, -1)) - before
	want := crowd * each
	if !s.exact.infinite {
		want = min(want, s.exact.total-before)
	}
	if added < want {
		return violated("%d trials of %d workers at the same time have %d new configurations, want %d", crowd*each, crowd, added, want)
	}
	return nil
}

// evaluate runs n trials to their end.
func (s *simulation) evaluate(study *goptuna.Study, n int) error {
	for range n {
		t, err := beginNew(study, s.space) // in memory, two may take one from the queue
		if err != nil {
			return err
		}
		for {
			next, ok := t.space.next(t.values)
			if !ok {
				break
			}
			if _, err := t.ask(next); err != nil {
				return err
			}
		}
		value, state := s.rates.scale*t.value(), goptuna.TrialStateComplete
		if s.constraints != nil {
			if value, state, err = s.constraints.constrain(t, value, state); err != nil {
				return err
			}
		}
		if state == goptuna.TrialStateComplete {
			if err := s.storage.SetTrialValue(t.ID, value); err != nil && !math.IsNaN(value) {
				return err
			}
		}
		if err := s.storage.SetTrialState(t.ID, state); err != nil {
			return err
		}
	}
	return nil
}

// readAll reads the study as its next reader will.
func (s *simulation) readAll() error {
	trials, err := s.workers[0].study.GetTrials()
	if err != nil {
		return violated("the study cannot be read: %v", err)
	}
	for _, t := range trials {
		if t.State == goptuna.TrialStateRunning && len(t.InternalParams) != len(t.Distributions) {
			return violated("trial %d has %d values of %d parameters", t.Number, len(t.InternalParams), len(t.Distributions))
		}
	}
	return nil
}
