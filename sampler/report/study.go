package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// A study is what the report is about.
type study struct {
	name   string
	sign   float64 // -1 where larger values are better
	trials []goptuna.FrozenTrial
	edits  []history.LimitEdit
	// patience is for how long a trial that has not ended is drawn at most: as long as it counts for
	// the sampler. The storage does not know when a worker has died.
	patience time.Duration

	model *insight.Model // nil if there is none
	why   error          // why there is no model

	recommended *insight.Recommendation // nil without a model

	depends map[string]string // what limits depend on, by their names; also without a model of the value

	scale chart.Scale // the axis of the objective
	note  string      // on values beyond its ends; empty if there are none
	// all is the axis that has the values of trials beyond a limit, too, from which the model has learned.
	all     chart.Scale
	allNote string
}

// readStudy reads the trials once, and fits the model to them: others may end meanwhile.
func readStudy(s *goptuna.Study, options ...insight.Option) (*study, error) {
	trials, edits, err := history.Trials(s)
	if err != nil {
		return nil, err
	}
	name, err := s.Storage.GetStudyNameFromID(s.ID)
	if err != nil {
		return nil, fmt.Errorf("fm: cannot read the name of the study: %w", err)
	}
	h, err := history.Of(s, trials, edits, history.NoTrial)
	if err != nil {
		return nil, err
	}
	for i, t := range trials {
		if !t.State.IsFinished() { // its maps may change while they are read, and nothing needs them
			trials[i] = goptuna.FrozenTrial{ID: t.ID, Number: t.Number, State: t.State, DatetimeStart: t.DatetimeStart}
		}
	}
	r := &study{name: name, sign: h.Sign, trials: trials, edits: edits, patience: observe.RunningLimit(h)}
	if r.model, r.why = insight.FitTo(h, options...); r.model != nil {
		r.recommended = r.model.Recommend()
	}
	r.depends = r.limitsDepend(h, options)
	r.scale, r.note = r.valueScale(r.values(hasValue))
	r.all, r.allNote = r.valueScale(r.values(func(t goptuna.FrozenTrial) bool { return hasValue(t) || hasMeasured(t) }))
	return r, nil
}

// document returns the whole report.
func (s *study) document() *document {
	d := &document{Title: s.name, Subtitle: s.subtitle(), Facts: s.facts()}
	for _, part := range []func() *section{
		s.verdict, s.history, s.limits, s.importance, s.slices, s.choices, s.interactions, s.branches, s.check, s.failures, s.timeline,
	} {
		if section := part(); section != nil {
			d.Sections = append(d.Sections, *section)
		}
	}
	return d
}

func (s *study) subtitle() string {
	goal := "to be minimised"
	if s.sign < 0 {
		goal = "to be maximised"
	}
	text := fmt.Sprintf("A study of %s, %s", words.Count(len(s.trials), "trial"), goal)
	if first, last, ok := s.span(); ok {
		const day, hour = "2 January 2006", "15:04"
		last = last.In(first.Location()) // each worker writes times in its own zone
		end := last.Format(day + " " + hour)
		if first.Format(day) == last.Format(day) {
			end = last.Format(hour)
		}
		text += fmt.Sprintf(", %s to %s %s", first.Format(day+" "+hour), end, first.Format("MST"))
	}
	return text + "."
}

func (s *study) facts() []fact {
	var facts []fact
	if best, ok := s.best(); ok {
		detail := fmt.Sprintf("trial %d", best.Number)
		if s.model != nil && s.recommended.Best == best.Number {
			detail += fmt.Sprintf(", where %s is expected", s.written(s.recommended.BestObjective.Value))
		} else if s.model != nil && s.recommended.BestValue != best.Value {
			detail += fmt.Sprintf("; with the values that trials have now the best is %s, in trial %d", s.written(s.recommended.BestValue), s.recommended.Best)
		}
		facts = append(facts, fact{"Best value", s.written(best.Value), detail})
	}
	if s.model != nil {
		value, interval, wide := strings.Cut(s.recommended.Objective.String(), " (")
		detail := "expected"
		if wide {
			detail += "; " + strings.TrimSuffix(interval, ")")
		}
		facts = append(facts, fact{"Recommended", value, detail})
		if r2 := s.model.Skill().R2; !math.IsNaN(r2) && !math.IsInf(r2, 0) {
			facts = append(facts, fact{"R² of predictions", fmt.Sprintf("%.2f", r2), "each trial from the others; 1 is perfect"})
		}
		advice, a := fact{Name: "Advice", Value: "go on"}, s.model.Advice()
		if a.Stop {
			advice.Value = "stop"
		}
		if a.Gain < 1 {
			gain := "less than 0.001"
			if a.Gain >= 1e-5 { // as the sentence has it
				gain = words.Number(100*a.Gain, 2)
			}
			advice.Detail = fmt.Sprintf("expected of ten more trials: %s %% of the way from the median to the best", gain)
		}
		facts = append(facts, advice)
	}
	return append(facts, fact{"Trials", strconv.Itoa(len(s.trials)), s.states()})
}

// written prints a value of the objective for a sentence, with as many digits as that of the best trial has.
func (s *study) written(value float64) string {
	digits := 4
	if s.model != nil {
		digits = s.recommended.BestObjective.Digits()
	}
	return words.Number(value, digits)
}

// best returns the complete trial with the best value.
func (s *study) best() (best goptuna.FrozenTrial, ok bool) {
	for _, t := range s.trials {
		if hasValue(t) && (!ok || s.sign*t.Value < s.sign*best.Value) {
			best, ok = t, true
		}
	}
	return best, ok
}

// values returns those of some trials.
func (s *study) values(of func(t goptuna.FrozenTrial) bool) (values []float64) {
	for _, t := range s.trials {
		if of(t) {
			values = append(values, valueOf(t))
		}
	}
	return values
}

const (
	// logCosts is the ratio of the largest to the smallest positive value from which the axis of values to be minimised is
	// logarithmic, and logRewards that of values to be maximised, of which the best, to be told apart, are the large ones.
	logCosts, logRewards = 4, 1000
	// An axis that leaves out the worst values ends reach times as far from the best one as the ninth decile is. It leaves
	// them out where the worst is more than cutFrom times as far as that end. One of quantities, of which none is the best, ends
	// as far beyond the first and the ninth decile as these are from each other, and cutFrom counts from the deciles.
	reach, cutFrom = 2.5, 1.5
)

// valueScale returns the axis of values of the objective: a logarithmic one where small values are good and large ones several
// times as large. Where a few are far worse than all others, it ends before them, and the note says so.
func (s *study) valueScale(values []float64) (scale chart.Scale, note string) {
	scale = chart.Scale{Label: "value (smaller is better)", High: 1}
	if s.sign < 0 {
		scale.Label = "value (larger is better)"
	}
	if len(values) == 0 {
		return scale, ""
	}
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(s.sign*a, s.sign*b) }) // the best first
	best, worst := values[0], values[len(values)-1]
	if s.model != nil { // what is recommended may be better than any trial
		if v := s.recommended.Objective.Value; s.sign*v < s.sign*best && (v > 0 || best < 0) {
			best = v
		}
	}
	scale.Low, scale.High = min(best, worst), max(best, worst)
	if ratio := scale.High / scale.Low; scale.Low > 0 && ratio > logCosts && (s.sign > 0 || ratio > logRewards) {
		scale.Kind = chart.Log
	}
	to, from := laidOut(scale.Kind)
	first, decile := to(best), to(values[len(values)*9/10])
	if end := first + reach*(decile-first); decile != first && math.Abs(to(worst)-first) > cutFrom*math.Abs(end-first) {
		limit, beyond := from(end), 0
		for _, v := range values {
			if s.sign*v > s.sign*limit {
				beyond++
			}
		}
		scale.Low, scale.High = min(best, limit), max(best, limit)
		note = fmt.Sprintf("Values beyond %s, of %s, are drawn at the edge.", words.Number(limit, 4), words.Count(beyond, "trial"))
	}
	return widened(scale), note
}

// laidOut returns the function that makes equal distances on an axis equal differences, and its inverse.
func laidOut(kind chart.Kind) (to, from func(float64) float64) {
	if kind == chart.Log {
		return math.Log, math.Exp
	}
	same := func(x float64) float64 { return x }
	return same, same
}

const (
	// marginShare is how long a margin is, as a share of the axis between the margins.
	marginShare = 0.04
	// largest bounds the ends of an axis, so that neither they nor the ticks between them overflow.
	largest = math.MaxFloat64 / 4
)

// widened returns the axis with a margin at both ends.
func widened(scale chart.Scale) chart.Scale {
	if scale.Kind == chart.Log {
		margin := math.Pow(scale.High/scale.Low, marginShare)
		scale.Low, scale.High = math.Max(scale.Low/margin, math.SmallestNonzeroFloat64), math.Min(scale.High*margin, largest)
		return scale
	}
	margin := marginShare*scale.High - marginShare*scale.Low
	if margin == 0 { // around a single value
		margin = math.Max(1e-12, 0.01*math.Abs(scale.Low))
	}
	scale.Low, scale.High = math.Max(scale.Low-margin, -largest), math.Min(scale.High+margin, largest)
	return scale
}

// brief prints a value of a parameter for a title, of which there are many: a choice may be a long text.
func brief(value any) string { return chart.Cut(words.Value(value), 60) }
