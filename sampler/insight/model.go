package insight

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

// Model is what was learned of the trials that a study had when it was fitted. It is
// immutable and safe for concurrent use.
type Model struct {
	problem   *observe.Problem
	surrogate *surrogate.Surrogate // also of running trials and of those without a value
	observed  *gp.Model            // of the observations alone
	random    stream.Trial
	regions   []observe.Region      // of the space, whatever the next trial may have
	leaves    func() []space.Region // of the tree of parameters, whatever became of them
	cube      *cube

	effort   effort
	bestNear func() map[string]any // the configuration whose value ImportanceSummary calls the best
	// What several answers need is computed once: overview by computeOverview, and so on.
	order      func() (order []int, fitted []float64) // not to be modified
	overview   func() overview
	likely     func() []int // of the overview
	promising  func() promise
	importance func() []Importance
	limits     func() []LimitImportance
	leftOut    func() []LeftOut
	// leftOutTargets are means and variances of the targets, each from the others.
	leftOutTargets func() (means, variances []float64)
	width          func() float64
	advice         func() Advice
	leastBound     func() fmkernel.Point
	beliefs        func() []belief
	observations   func() map[string][]int // by configuration
}

// effort is how much is computed: the number of predictions that the importances
// take, and the least of pairs of configurations; of configurations all over the
// space among which the best are looked for, of those whose values are drawn
// jointly, and of draws; and of the latest trials that are predicted from the others.
type effort struct{ predictions, pairs, fill, drawn, draws, leftOut int }

// maxLeftOut is how many trials a suggestion leaves out to tell how well the model
// predicts. All of a thousand take a tenth of a suggestion with a fit.
const maxLeftOut = 300

// ErrNoValue is returned for a study in which no trial has a value to learn from, or all
// violate a constraint.
var ErrNoValue = errors.New("fm: no trial of the study has finished with a finite value, within its constraints if it has any")

// Fit returns the model of a study. It costs one reading of the trials, and a
// search for hyperparameters unless the FM sampler has stored some that are
// recent. Errors are ErrNoValue, that of a graph that does not fit its parameter,
// that of a study in which no parameter has more than one value, that of a fit that
// fails or of a nil option, and what the storage returned.
func Fit(study *goptuna.Study, options ...Option) (m *Model, err error) {
	defer recovered(&err)
	h, err := history.Read(study, history.NoTrial)
	if err != nil {
		return nil, err
	}
	return FitTo(h, options...)
}

// recovered makes an error of a panic: numerical libraries panic on data that nobody
// expected.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("fm: the model of the study: %v", r)
	}
}

// FitTo is Fit of a study that was read, for package report.
func FitTo(h *history.History, options ...Option) (m *Model, err error) {
	defer recovered(&err)
	c := newConfig(options)
	p, err := c.observe(h)
	switch {
	case err != nil:
		return nil, err
	case p.Infeasible:
		return nil, ErrNoValue
	}
	return c.fitTo(p)
}

// observe returns what a study has that there can be a model of.
func (c *config) observe(h *history.History) (*observe.Problem, error) {
	p, err := observe.Observe(h, next(h), observe.Settings{NewParam: c.newParam})
	switch {
	case err != nil:
		return nil, err
	case c.misfit != nil:
		return nil, c.misfit
	case len(p.X) == 0:
		return nil, ErrNoValue
	case len(p.Space.Params()) == 0:
		return nil, errors.New("fm: no parameter of the study has more than one value: there is nothing to model")
	}
	return p, nil
}

func (c *config) fitTo(p *observe.Problem) (*Model, error) {
	s, err := c.surrogate(p)
	if err != nil {
		return nil, fmt.Errorf("fm: the model of the study: %w", err)
	}
	m, err := newModel(p, s, c.fitting.Seed)
	if err != nil {
		return nil, err
	}
	m.effort = effort{predictions: 32768, pairs: 32, fill: 512, drawn: 160, draws: 512, leftOut: m.Trials()}
	m.promising = sync.OnceValue(m.computePromising)
	m.bestNear = func() map[string]any { return m.Recommend().Params }
	return m, nil
}

// next returns the trial that would be next, at the time of the last event.
func next(h *history.History) goptuna.FrozenTrial {
	trial := goptuna.FrozenTrial{ID: history.NoTrial}
	for _, t := range h.Finished {
		trial.Number = max(trial.Number, t.Number+1)
		trial.DatetimeStart = later(trial.DatetimeStart, t.DatetimeComplete)
	}
	for _, t := range h.Running {
		trial.Number = max(trial.Number, t.Number+1)
		trial.DatetimeStart = later(trial.DatetimeStart, t.DatetimeStart)
	}
	return trial
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func (c *config) newParam(name string, distribution any, earlier ...any) (*space.Param, error) {
	p, err := space.NewParam(name, distribution, c.graphs[name], earlier...)
	if err != nil && c.graphs[name] != nil {
		c.misfit = err // a parameter without an option that does not fit is left out
	}
	return p, err
}

// surrogate fits to the problem. Of a study that no FM sampler has worked on,
// nothing is known of hyperparameters or transform: the second search starts from
// the first, under the transform that has the most evidence then.
func (c *config) surrogate(p *observe.Problem) (*surrogate.Surrogate, error) {
	warn := func(string, ...any) {}
	s, err := surrogate.Fit(p, c.fitting, &surrogate.Cache{}, warn)
	if err != nil || !s.First {
		return s, err
	}
	again := c.fitting
	again.From = s.Fit
	return surrogate.Fit(p, again, &surrogate.Cache{}, warn)
}

// Of returns the model behind the suggestion next, for package sampler: with less
// effort than that of Fit, which users call.
func Of(p *observe.Problem, s *surrogate.Surrogate, seed uint64, next fmkernel.Point) (*Model, error) {
	m, err := newModel(p, s, seed)
	if err != nil {
		return nil, err
	}
	m.effort = effort{predictions: 768, pairs: 8, fill: 64, drawn: 32, draws: 96, leftOut: min(m.Trials(), maxLeftOut)}
	m.promising = sync.OnceValue(func() promise {
		mean, variance := m.observed.Predictor().Predict(next)
		order, fitted := m.order()
		none := p.Tried.Covers(next) && !slices.ContainsFunc(m.regions, p.HasUntried)
		return promise{next, acquisition.LogEI(fitted[order[0]], mean, variance), none}
	})
	m.bestNear = m.bestPredicted                                // a recommendation has two fits of its own
	m.beliefs = func() []belief { return []belief{m.belief()} } // samples cost more than the suggestion
	return m, nil
}

func newModel(p *observe.Problem, s *surrogate.Surrogate, seed uint64) (*Model, error) {
	m := &Model{
		problem: p, surrogate: s, observed: s.Model(),
		random: stream.Trial{Seed: seed, Number: p.Number}, regions: p.Regions,
	}
	m.leaves = sync.OnceValue(func() []space.Region { return p.Space.Regions(p.X) })
	if len(p.Fixed) > 0 { // a suggestion with values that are decided
		m.regions = nil
		for _, r := range m.leaves() {
			m.regions = append(m.regions, observe.Region{Region: r, Trials: len(r.Seen)})
		}
	}
	m.cube = newCube(p.Space, m.regions)
	if len(m.observed.Points()) > len(s.X) {
		var err error
		if m.observed, err = gp.Condition(s.Kernel(), s.Model().Hyper(), s.X, s.Targets); err != nil {
			return nil, fmt.Errorf("fm: the model of the study: %w", err)
		}
	}
	m.order = sync.OnceValues(m.computeOrder)
	m.overview = sync.OnceValue(m.computeOverview)
	m.likely = sync.OnceValue(m.computeLikely)
	m.importance = sync.OnceValue(func() []Importance { return m.importanceOf(m.objective()) })
	m.limits = sync.OnceValue(m.computeLimits)
	m.leftOut = sync.OnceValue(m.computeLeftOut)
	m.leftOutTargets = sync.OnceValues(func() (means, variances []float64) { return m.observed.LeaveOneOut(m.effort.leftOut) })
	m.width = sync.OnceValue(m.computeWidth)
	m.advice = sync.OnceValue(m.computeAdvice)
	m.leastBound = sync.OnceValue(m.computeLeastBound)
	m.beliefs = sync.OnceValue(m.computeBeliefs)
	m.observations = sync.OnceValue(m.computeObservations)
	return m, nil
}

// Trials returns the number of trials that the model has learned from.
func (m *Model) Trials() int { return len(m.surrogate.X) }

// Outliers returns the numbers of the trials whose values the model leaves out, ascending:
// all others contradict them so much that they are taken for disturbed measurements.
func (m *Model) Outliers() []int { return slices.Sorted(slices.Values(m.surrogate.Fit.Outliers)) }

// Params returns the names of the parameters that have more than one value,
// sorted. One whose distribution follows from the value of a choice is several, named by
// these values, such as "rate (adam, sgd)": see Value.
func (m *Model) Params() []string {
	var names []string
	for _, p := range m.problem.Space.Params() {
		names = append(names, p.Name)
	}
	return names
}

// param returns the parameter of a name.
func (m *Model) param(name string) (*space.Param, error) {
	for _, p := range m.problem.Space.Params() {
		if p.Name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("fm: the study has no parameter %q with more than one value; it has %q", name, m.Params())
}

// String says what the model is fitted to.
func (m *Model) String() string {
	sp := m.problem.Space
	text := fmt.Sprintf("%v kernel on %d continuous and %d discrete parameters, fitted to %s",
		m.surrogate.Kernel(), len(sp.Dims()), len(sp.Graphs()), words.Count(m.Trials(), "trial"))
	if n := len(m.surrogate.Fit.Outliers); n > 0 {
		text += " without " + words.Count(n, "outlier")
	}
	if m.surrogate.Fit.Alone {
		others := len(m.problem.X) - len(m.problem.Alone().X)
		text += fmt.Sprintf("; %d with another value of %s are left out", others, strings.Join(m.problem.NamesLeft(), ", "))
	}
	return text
}
