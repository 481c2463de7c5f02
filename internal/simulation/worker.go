package simulation

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// worker is a process that evaluates one trial after another.
type worker struct {
	study *goptuna.Study
	trial *running
}

// running is a trial that asks for its parameters.
type running struct {
	goptuna.Trial
	space  *space // as the objective was when the trial began
	values map[string]any
	fixed  map[string]float64 // by EnqueueTrial
	// mayRepeat is set where a trial cannot avoid the configuration of another:
	// its values were enqueued, or others came in after it was planned.
	mayRepeat bool
}

// begin makes a new trial, or takes one from the queue, as Study.Optimize does.
func begin(study *goptuna.Study, sp *space) (*running, error) {
	trials, err := study.GetTrials()
	if err != nil {
		return nil, err
	}
	for _, waiting := range trials {
		if waiting.State != goptuna.TrialStateWaiting {
			continue
		}
		if err := study.Storage.SetTrialState(waiting.ID, goptuna.TrialStateRunning); err != nil {
			return nil, err
		}
		fixed := map[string]float64{}
		if err := json.Unmarshal([]byte(waiting.SystemAttrs["fixed_params"]), &fixed); err != nil {
			return nil, err
		}
		return begun(&running{Trial: goptuna.Trial{Study: study, ID: waiting.ID}, space: sp, fixed: fixed, mayRepeat: true})
	}
	return beginNew(study, sp)
}

// beginNew makes a new trial.
func beginNew(study *goptuna.Study, sp *space) (*running, error) {
	id, err := study.Storage.CreateNewTrial(study.ID)
	if err != nil {
		return nil, err
	}
	return begun(&running{Trial: goptuna.Trial{Study: study, ID: id}, space: sp})
}

func begun(t *running) (*running, error) {
	t.values = map[string]any{}
	if err := t.CallRelativeSampler(); err != nil {
		return nil, undocumented("in a defined space", err)
	}
	return t, nil
}

// undocumented is the violation of an error that no input explains.
func undocumented(what string, err error) error {
	if v := (*violation)(nil); errors.As(err, &v) {
		return err
	}
	return violated("%s: error without a reason: %v", what, err)
}

// ask asks for a parameter and checks the answer.
func (t *running) ask(n node) (internal float64, err error) {
	value, err := fmtest.SuggestExternal(&t.Trial, fmtest.Param{Name: n.name, Distribution: n.distribution})
	if err != nil {
		return 0, undocumented(fmt.Sprintf("trial id %d, parameter %q of %#v", t.ID, n.name, n.distribution), err)
	}
	t.values[n.name] = value
	if internal, err = t.Study.Storage.GetTrialParam(t.ID, n.name); err != nil {
		return 0, err
	}
	if want, ok := t.fixed[n.name]; ok && fmtest.Contains(n.distribution, want) {
		if internal != want {
			return 0, violated("trial id %d: %q is %v, and was enqueued with %v", t.ID, n.name, internal, want)
		}
	} else if !contains(n.distribution, internal) {
		return 0, violated("trial id %d: %q is %v, which is not in %#v", t.ID, n.name, internal, n.distribution)
	}
	return internal, nil
}

// value is the objective: smooth in numbers, of any shape in texts.
func (t *running) value() (sum float64) {
	for _, n := range t.space.nodes {
		value, ok := t.values[n.name]
		if !ok || !n.isActive(t.values) {
			continue
		}
		sum += math.Pow(position(n.distribution, value)-part(n.name), 2)
	}
	return sum
}

// position returns where in its range a value lies, from 0 to 1.
func position(distribution, value any) float64 {
	x, low, high := 0.0, 0.0, 0.0
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		x, low, high = value.(float64), d.Low, d.High
	case goptuna.LogUniformDistribution:
		x, low, high = math.Log(value.(float64)), math.Log(d.Low), math.Log(d.High)
	case goptuna.DiscreteUniformDistribution:
		x, low, high = value.(float64), d.Low, d.High
	case goptuna.IntUniformDistribution:
		x, low, high = float64(value.(int)), float64(d.Low), float64(d.High)
	case goptuna.StepIntUniformDistribution:
		x, low, high = float64(value.(int)), float64(d.Low), float64(d.High)
	case goptuna.CategoricalDistribution:
		return part(value.(string))
	}
	if low == high {
		return 0
	}
	return (x/2 - low/2) / (high/2 - low/2)
}

// part is a number from 0 to 1 that belongs to a text.
func part(text string) float64 {
	h := fnv.New32a()
	fmt.Fprint(h, text)
	return float64(h.Sum32()%1000) / 1000
}

// start begins a trial.
func (s *simulation) start(w *worker) (err error) {
	if s.options.Restart {
		if err := s.connect(w); err != nil {
			return err
		}
	}
	sp := s.space
	if chance(s.rng, s.rates.shuffle) {
		sp = &space{nodes: slices.Clone(sp.nodes)}
		s.rng.Shuffle(len(sp.nodes), func(i, j int) { sp.nodes[i], sp.nodes[j] = sp.nodes[j], sp.nodes[i] })
	}
	if s.open(w) > 0 && (s.finished == 0 || !s.space.flat()) {
		s.exact.off()
	}
	if w.trial, err = begin(w.study, sp); err != nil {
		return err
	}
	s.note("trial id %d begins, with %v", w.trial.ID, w.trial.fixed)
	if w.trial.mayRepeat && len(s.workers) > 1 {
		s.exact.off()
	}
	// What is planned with the first answer may be no configuration of the space any more.
	w.trial.mayRepeat = w.trial.mayRepeat || s.unseenEdit
	s.unseenEdit = false
	return nil
}

// open returns how many workers besides w have a trial.
func (s *simulation) open(w *worker) (n int) {
	for _, other := range s.workers {
		if other != w && other.trial != nil {
			n++
		}
	}
	return n
}

// advance lets a trial ask its next question, or ends it.
func (s *simulation) advance(w *worker) error {
	t := w.trial
	if chance(s.rng, s.rates.fail/10) { // before it has asked for everything
		s.exact.off()
		return s.end(w, goptuna.TrialStateFail)
	}
	if chance(s.rng, s.rates.senseless/5) {
		s.exact.off()
		d := senseless(s.rng)
		_, err := fmtest.SuggestExternal(&t.Trial, fmtest.Param{Name: "senseless", Distribution: d})
		if err == nil || !strings.HasPrefix(err.Error(), "fm:") || !strings.Contains(err.Error(), `"senseless"`) {
			return violated("trial id %d: %#v gives the error %v, want one with the prefix fm: that names the parameter", t.ID, d, err)
		}
		return s.end(w, goptuna.TrialStateFail)
	}
	n, ok := t.space.next(t.values)
	if !ok {
		return s.finish(w)
	}
	value, err := t.ask(n)
	if err != nil {
		return err
	}
	s.note("trial id %d: %q is %v", t.ID, n.name, value)
	// A database has one row per name.
	if _, memory := s.storage.(*goptuna.InMemoryStorage); memory && chance(s.rng, s.rates.again) {
		again, err := t.ask(n)
		if err == nil && again != value {
			err = violated("trial id %d: %q was %v and is %v when asked again", t.ID, n.name, value, again)
		}
		return err
	}
	return nil
}

// finish checks a trial that has all its values, and ends it in one way or
// another.
func (s *simulation) finish(w *worker) error {
	if err := s.check(w, s.open(w)); err != nil {
		return err
	}
	s.saidExhausted = s.log.saysExhausted()
	storage, id := s.storage, w.trial.ID
	value := s.rates.scale * w.trial.value()
	if s.direction == goptuna.StudyDirectionMaximize {
		value = -value
	}
	state := goptuna.TrialStateComplete
	switch {
	case chance(s.rng, s.rates.abandon):
		w.trial = nil // and runs for ever
		s.dead++
		if !s.space.flat() || s.finished == 0 {
			s.exact.off()
		}
		return nil
	case chance(s.rng, s.rates.fail):
		state = goptuna.TrialStateFail
	case chance(s.rng, s.rates.prune):
		state = goptuna.TrialStatePruned
		for step := range 1 + s.rng.IntN(5) {
			value *= 0.9
			if chance(s.rng, s.rates.odd) {
				value = math.MaxFloat64
			}
			if err := storage.SetTrialIntermediateValue(id, step, value); err != nil {
				return err
			}
		}
	case chance(s.rng, s.rates.odd):
		value = pick(s.rng, math.NaN(), math.Inf(1), math.Inf(-1), 0, -math.MaxFloat64, 1e300)
	}
	if s.constraints != nil {
		var err error
		if value, state, err = s.constraints.constrain(w.trial, value, state); err != nil {
			return err
		}
	}
	hasNone := state != goptuna.TrialStateComplete || math.IsNaN(value) || math.IsInf(value, 0)
	if hasNone && !s.space.flat() {
		s.exact.off()
	}
	if state != goptuna.TrialStateFail {
		// Some databases refuse values that are no numbers.
		if err := storage.SetTrialValue(id, value); err != nil && !hasNone {
			return err
		}
	}
	return s.end(w, state)
}

func (s *simulation) end(w *worker, state goptuna.TrialState) error {
	id := w.trial.ID
	w.trial = nil
	s.finished++
	s.note("trial id %d: %v", id, state)
	return s.storage.SetTrialState(id, state)
}
