package suggestion

import (
	"log/slog"
	"math"
	"strings"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

const (
	// maxModelTrials is the sampler's bound of the trials that the model uses. The
	// time of a suggestion grows with the square of their number: for fewWanted
	// suggestions, half a core needs about 20 s.
	maxModelTrials = 1000
	fewWanted      = 30
)

// started is the time at which running trials have started, for the sampler:
// Katib knows which of them run.
var started = time.Unix(1, 0).UTC()

// study is a study in memory with the trials of one request.
type study struct {
	*experiment
	study   *goptuna.Study
	storage *storage
	sampler *fm.FMSampler
	// sampled is what the sampler makes of each parameter.
	sampled map[string]*space.Param
	seen    map[string]bool
	fit     *plan.Fit
	// distributions are those that the sampler is asked for.
	distributions map[string]any
	isSnapped     bool
}

// storage is Goptuna's storage in memory, with numbers that have gaps.
type storage struct {
	*goptuna.InMemoryStorage
	numbers []int // by id
}

// GetAllTrials returns the trials with their numbers.
func (s *storage) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := s.InMemoryStorage.GetAllTrials(studyID)
	for i := range trials {
		trials[i].Number = s.numbers[i]
	}
	return trials, err
}

// newStudy returns a study of the trials, for so many suggestions. attributes says whether the sampler is
// to write what it knows to the study.
func newStudy(x *experiment, trials []trial, wanted int, fit *plan.Fit, attributes bool, log *slog.Logger) (*study, error) {
	options := append([]fm.SamplerOption{
		fm.SamplerOptionNumberOfModelTrials(modelTrials(wanted)),
		fm.SamplerOptionRunningTimeout(math.MaxInt64), fm.SamplerOptionStudyAttributes(attributes),
	}, x.options...)
	s := &study{
		experiment: x, storage: &storage{InMemoryStorage: goptuna.NewInMemoryStorage()}, fit: fit,
		sampled: map[string]*space.Param{}, seen: map[string]bool{}, distributions: map[string]any{},
	}
	for _, p := range x.params {
		param, err := space.NewParam(p.name, p.distribution, p.graph)
		if err != nil {
			return nil, err
		}
		s.sampled[p.name] = param
		s.distributions[p.name] = p.distribution
		s.isSnapped = s.isSnapped || p.isSnapped()
		if p.graph != nil {
			options = append(options, fm.SamplerOptionGraph(p.name, p.graph))
		}
	}
	s.sampler = fm.NewSampler(options...)
	var err error
	s.study, err = goptuna.CreateStudy(x.name,
		goptuna.StudyOptionStorage(s.storage), goptuna.StudyOptionDirection(x.direction), goptuna.StudyOptionLogger(logger{log}))
	if err != nil {
		return nil, err
	}
	return s, s.addAll(trials)
}

// modelTrials returns how many trials the model uses at most: as many as it does
// by default, or fewer where many suggestions are wanted, so that half a core
// answers in less than a minute.
func modelTrials(wanted int) int {
	return int(maxModelTrials * math.Sqrt(min(1, fewWanted/float64(max(wanted, 1)))))
}

// addAll adds the trials of which the sampler is to know.
func (s *study) addAll(trials []trial) error {
	for _, t := range trials {
		if t.ignored {
			continue
		}
		id, err := s.add(t)
		if err != nil {
			return err
		}
		if t.state == goptuna.TrialStateRunning {
			if err := s.plan(t.numbers, nil).Store(s.study, id); err != nil {
				return err
			}
		}
		s.seen[s.key(t.numbers)] = true
	}
	return s.addFit()
}

// addFit adds the last fit: as that of a running trial without values, which
// counts for nothing else.
func (s *study) addFit() error {
	if s.fit == nil {
		return nil
	}
	id, err := s.add(trial{state: goptuna.TrialStateRunning})
	if err != nil {
		return err
	}
	return (&plan.Plan{Fit: s.fit}).Store(s.study, id)
}

// add adds a trial and returns its id.
func (s *study) add(t trial) (id int, err error) {
	frozen := goptuna.FrozenTrial{
		State: t.state, Value: t.value, DatetimeStart: t.start, DatetimeComplete: t.end,
		InternalParams: t.numbers, Distributions: s.distributions, SystemAttrs: map[string]string{},
	}
	if t.state == goptuna.TrialStateRunning {
		frozen.DatetimeStart, frozen.InternalParams, frozen.Distributions = started, nil, nil
	}
	s.storage.numbers = append(s.storage.numbers, t.number)
	return s.storage.CloneTrial(s.study.ID, frozen)
}

// plan returns the plan of a running trial with the given values.
func (s *study) plan(numbers map[string]float64, fit *plan.Fit) *plan.Plan {
	p := &plan.Plan{Values: map[string]plan.Value{}, Fit: fit}
	for name, param := range s.sampled {
		p.Values[name] = plan.Value{Value: numbers[name], Fingerprint: param.Fingerprint}
	}
	return p
}

// key returns a text that tells configurations apart.
func (s *study) key(numbers map[string]float64) string {
	return strings.Join(s.texts(numbers), "\x00")
}
