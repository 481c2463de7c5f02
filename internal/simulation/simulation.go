package simulation

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Options say how a seed is run. The zero value is fine.
type Options struct {
	// Restart gives every trial a new sampler. The trials must stay the same.
	Restart bool
	// Tape has the first random draws, a byte each, for a fuzzer that changes one
	// decision at a time.
	Tape []byte
	// Sampler stands in for each new sampler of a study, if it is set: the test of
	// this package puts broken ones there.
	Sampler func(Sampler) Sampler
}

// Sampler is what a study needs.
type Sampler interface {
	goptuna.Sampler
	goptuna.RelativeSampler
}

// Result is what a run has seen.
type Result struct {
	Trials, Suggestions int
	// Slowest is the longest time that the sampler took for one answer.
	Slowest     time.Duration
	SlowestWhat string
	// Checked is the number of trials that were compared with the configurations
	// before them.
	Checked int
	// Trace has every event and value, but for those of trials that ran in
	// parallel.
	Trace []string
	// Warnings are the sampler's messages.
	Warnings []string
}

// simulation is one random study.
type simulation struct {
	rng     *rand.Rand
	options Options
	storage goptuna.Storage
	name    string
	sampler func() Sampler

	kind       int
	space      *space
	unseenEdit bool // whether the space was edited after the last trial began
	direction  goptuna.StudyDirection
	// constraints are nil where there are none; constraintRNG draws what belongs to them.
	constraints   *constraints
	constraintRNG *rand.Rand
	relative      map[string]any // the defined space, if any
	workers       []*worker
	rates         rates
	exact         exactness
	finished      int
	dead          int // trials that run for ever
	// saidExhausted is set once the log has said so, rightly or where nobody can
	// say.
	saidExhausted bool
	alone         bool // the first trial ends before the others begin

	log   *log
	times *times
	Result
	step int
}

// rates are probabilities.
type rates struct {
	fail, prune, odd, abandon float64 // per trial
	edit, restart             float64 // per disturbance
	enqueue, load             float64
	senseless, again, shuffle float64 // per trial
	scale                     float64 // of the objective
}

// Run runs the random study of the seed on the storage, in which it makes a new
// study, and returns the first promise that was broken.
func Run(seed uint64, storage goptuna.Storage, o Options) (Result, error) {
	s := &simulation{
		rng: rand.New(&tape{data: o.Tape, then: rand.NewPCG(seed, 1)}), options: o,
		storage: storage, name: fmt.Sprintf("simulation of seed %d, restarts %t", seed, o.Restart), log: &log{}, times: &times{},
	}
	s.constraintRNG = rand.New(rand.NewPCG(seed, 2))
	s.constraints = drawConstraints(s.constraintRNG)
	err := s.run()
	s.Suggestions, s.Slowest, s.SlowestWhat = s.times.suggestions, s.times.slowest, s.times.what
	s.Warnings = s.log.warnings
	if err != nil {
		err = fmt.Errorf("simulation: seed %d, step %d: %w", seed, s.step, err)
	}
	return s.Result, err
}

// tape is a source of random bits that reads bytes first.
type tape struct {
	data []byte
	then rand.Source
}

func (t *tape) Uint64() uint64 {
	x := t.then.Uint64()
	if len(t.data) > 0 {
		x = uint64(t.data[0])<<56 | x>>8 // the upper bits decide
		t.data = t.data[1:]
	}
	return x
}

func (s *simulation) run() error {
	if err := s.begin(); err != nil {
		return err
	}
	trials := 12 + s.rng.IntN(14)
	if chance(s.rng, 0.1) {
		trials *= 4 // what comes late, as plateaus do
	}
	started := 0
	for open := 0; started < trials || open > 0; s.step++ {
		w := s.workers[s.rng.IntN(len(s.workers))]
		if s.alone && s.finished == 0 {
			w = s.workers[0]
		}
		// Mostly between trials.
		if started < trials && (w.trial == nil || chance(s.rng, 0.05)) {
			if err := s.disturb(); err != nil {
				return err
			}
		}
		switch {
		case w.trial == nil && started == trials:
			continue
		case w.trial == nil:
			if err := s.start(w); err != nil {
				return err
			}
			started, open = started+1, open+1
		default:
			if err := s.advance(w); err != nil {
				return err
			}
			if w.trial == nil {
				open--
			}
		}
	}
	s.Trials = trials
	if chance(s.rng, 0.3) {
		if err := s.crowd(); err != nil {
			return err
		}
	}
	if s.log.mistake != "" {
		return violated("the sampler warned of a mistake of its own: %s", s.log.mistake)
	}
	return s.readAll()
}

// note adds an event to the trace.
func (s *simulation) note(format string, args ...any) {
	s.Trace = append(s.Trace, fmt.Sprintf(format, args...))
}

// noteSpace adds the whole space to the trace.
func (s *simulation) noteSpace() {
	for _, n := range s.space.nodes {
		if n.parent == "" {
			s.note("  %s: %#v", n.name, n.distribution)
		} else {
			s.note("  %s: %#v, for %s by %+v", n.name, n.distribution, n.parent, n.when)
		}
	}
}

// begin draws the space, the habits of the study and its sampler's options.
func (s *simulation) begin() error {
	rng := s.rng
	s.kind = pick(rng, finiteFlat, finiteFlat, finiteTree, finiteTree, finiteTree, usual, usual, extreme, extreme, wide)
	s.space = randomSpace(rng, s.kind)
	sometimes := func(share, rate float64) float64 {
		if chance(rng, share) {
			return rate
		}
		return 0
	}
	s.rates = rates{
		fail: sometimes(0.3, 0.2), prune: sometimes(0.2, 0.3), odd: sometimes(0.2, 0.2), abandon: sometimes(0.2, 0.1),
		edit: sometimes(0.5, 0.15), restart: sometimes(0.5, 0.3),
		enqueue: sometimes(0.3, 0.15), load: sometimes(0.3, 0.15),
		senseless: sometimes(0.2, 0.1), again: sometimes(0.1, 0.2), shuffle: sometimes(0.3, 1),
		scale: pick(rng, 1, 1, 1, 1e-12, 1e12, 1e290),
	}
	calm := s.kind <= finiteTree && chance(rng, 0.5)
	if calm { // for a look at repeats
		r := &s.rates
		r.fail, r.prune, r.odd, r.abandon, r.senseless = 0, 0, 0, 0, 0
	}
	s.direction = pick(rng, goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize)
	s.drawSampler()
	if s.space.flat() && chance(rng, 0.2) {
		s.relative = map[string]any{}
		for _, n := range s.space.nodes {
			s.relative[n.name] = n.distribution
		}
	}
	s.exact = newExactness(s.space)
	s.note("a study to %s", s.direction)
	s.noteSpace()
	s.alone = chance(rng, 0.5)
	workers := pick(rng, 1, 1, 1, 2, 4)
	if calm {
		workers = 1
	}
	for range workers {
		w := &worker{}
		s.workers = append(s.workers, w)
		if err := s.connect(w); err != nil {
			return err
		}
	}
	return nil
}

// drawSampler draws the options of all samplers of the study.
func (s *simulation) drawSampler() {
	rng := s.rng
	options := []fm.SamplerOption{
		fm.SamplerOptionSeed(int64(rng.Uint64())),
		fm.SamplerOptionNumberOfStartupTrials(pick(rng, 1, 2, 3, 5, 8)),
		fm.SamplerOptionNumberOfModelTrials(pick(rng, 1000, 1000, 1000, 12, 3)),
		fm.SamplerOptionDeterministicObjective(chance(rng, 0.2)),
		fm.SamplerOptionStudyAttributes(chance(rng, 0.5)),
		fm.SamplerOptionReferenceFit(chance(rng, 0.03)),
	}
	if chance(rng, 0.03) {
		options = append(options, fm.SamplerOptionSliceSampling(2))
	}
	if chance(rng, 0.2) {
		options = append(options, fm.SamplerOptionKernel(pick(rng, fmkernel.NewModDif, fmkernel.NewProdLap, fmkernel.NewProdDif, fmkernel.NewAddLap, fmkernel.NewAddDif)))
	}
	for _, n := range s.space.nodes {
		d, ok := n.distribution.(goptuna.CategoricalDistribution)
		// An edit that changes the number of choices makes it an error.
		if ok && s.rates.edit == 0 && !s.space.isTwin(n) && chance(rng, 0.2) {
			options = append(options, fm.SamplerOptionGraph(n.name, pick(rng, graphs.Complete, graphs.Path)(len(d.Choices))))
		}
	}
	s.sampler = func() Sampler {
		if s.options.Sampler != nil {
			return s.options.Sampler(fm.NewSampler(options...))
		}
		return fm.NewSampler(options...)
	}
}

// connect gives a worker a study of its own with a new sampler, as a process has
// after its start.
func (s *simulation) connect(w *worker) error {
	g := &guard{sampler: s.sampler(), times: s.times}
	options := []goptuna.StudyOption{
		goptuna.StudyOptionStorage(s.storage), goptuna.StudyOptionSampler(g), goptuna.StudyOptionLogger(s.log),
		goptuna.StudyOptionDirection(s.direction), goptuna.StudyOptionLoadIfExists(true),
	}
	if s.relative != nil {
		options = append(options, goptuna.StudyOptionRelativeSampler(g), goptuna.StudyOptionDefineSearchSpace(s.relative))
	}
	study, err := goptuna.CreateStudy(s.name, options...)
	if err == nil && study.Direction() != s.direction {
		err = errors.New("the study has another direction")
	}
	w.study = study
	return err
}
