package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Of a study with constraints the page has how many trials are infeasible, and which
// constraints they violate. One that is complete all the same is not the best.
func TestConstraints(t *testing.T) {
	s, err := goptuna.CreateStudy("limited", goptuna.StudyOptionSampler(fm.NewSampler()), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	limited := func(trial goptuna.Trial, high float64) (x, value float64, err error) {
		if x, err = trial.SuggestFloat("x", 0, high); err != nil {
			return 0, 0, err
		}
		value, err = fm.Constrained(trial, x, fm.AtLeast("share", x, 0.4))
		return x, value, err
	}
	if err := s.Optimize(func(trial goptuna.Trial) (float64, error) {
		x, _, _ := limited(trial, 0.1)
		return x, nil // though it is infeasible
	}, 1); err != nil {
		t.Fatal(err)
	}
	if err := fm.Optimize(context.Background(), s, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		_, value, err := limited(trial, 1)
		return value, err
	}, 29); err != nil {
		t.Fatal(err)
	}
	r := read(t, s)
	infeasible := 0
	for _, trial := range r.trials {
		if trial.Params["x"].(float64) < 0.4 {
			infeasible++
		}
	}
	if infeasible < 5 || infeasible > 25 {
		t.Fatalf("%d of 30 are infeasible: that shows little", infeasible)
	}
	best, ok := r.best()
	if !ok || best.Value < 0.4 || r.recommended == nil || r.recommended.Best != best.Number {
		t.Errorf("the best is trial %d with %v, for the recommendation %+v", best.Number, best.Value, r.recommended)
	}
	failures := r.failures()
	if rows := failures.Table.Rows; len(rows) != 1 || rows[0][0] != "violates share" ||
		failures.Text[0] != fmt.Sprintf("%d of 30 finished trials are beyond a limit; none failed otherwise.", infeasible) {
		t.Errorf("failures: %q, %q", failures.Text, rows)
	}
	if states := r.states(); !strings.Contains(states, "infeasible") || strings.Contains(states, "failed") {
		t.Errorf("states: %s", states)
	}
	if section := r.limits(); !slices.Equal(section.Table.Rows[0], []string{"share at least 0.4", fmt.Sprintf("%d of 30", infeasible), fmt.Sprint(infeasible), "x 100\u00a0%"}) ||
		!strings.HasPrefix(section.Text[0], fmt.Sprintf("Within all limits: %d of 30 trials.", 30-infeasible)) || len(section.Figures) != 1 {
		t.Errorf("limits: %q, %q", section.Text, section.Table.Rows)
	}
	slice := r.slices().Figures[0].Chart // of x, which is the value
	if beyond, ok := slice.Marks[1].(chart.Points); !ok || beyond.Name != "beyond a limit" || len(beyond.X) != infeasible || slice.Y.Low > slices.Min(beyond.Y) {
		t.Errorf("the chart from %v on does not have the %d trials beyond the limit: %v", slice.Y.Low, infeasible, slice.Marks[1])
	}
	page, text := render(t, r.document())
	if !strings.Contains(page, "infeasible, at the edge") {
		t.Error("the history does not say that trials are infeasible")
	}
	if !strings.Contains(strings.Join(strings.Fields(text), " "), "has measured: share is") {
		t.Errorf("the recommendation does not say what was measured:\n%s", text)
	}
}

// Several limits: which rule trials out, which do so alone, and which trial comes nearest where
// none is within all. A limit that differs between trials has no line of its own.
func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	type trial struct {
		value       float64
		constraints []fm.Constraint
	}
	for _, test := range []struct {
		name   string
		trials []trial
		rows   []string
		text   string
		charts int
	}{
		{"none", []trial{{1, nil}}, nil, "", 0},
		{"all within", []trial{{1, []fm.Constraint{fm.AtMost("ms", 1, 2)}}, {2, nil}}, []string{"ms at most 2, 0 of 1, 0"}, "Within all limits: 1 of 1 trial.", 0},
		{
			"two", []trial{
				{1, []fm.Constraint{fm.AtMost("ms", 10, 20), fm.AtLeast("rate", 0.9, 0.5)}},
				{2, []fm.Constraint{fm.AtMost("ms", 10, 20), fm.AtLeast("rate", 0.4, 0.5)}},
				{3, []fm.Constraint{fm.AtMost("ms", 30, 20), fm.AtLeast("rate", 0.4, 0.5)}},
				{math.NaN(), []fm.Constraint{fm.AtLeast("rate", 0.4, 0.5)}},
			}, []string{"rate at least 0.5, 3 of 4, 2", "ms at most 20, 1 of 3, 0"}, "Within all limits: 1 of 4 trials.", 2,
		},
		{
			"nothing within", []trial{
				{1, []fm.Constraint{fm.AtMost("ms", 40, 20), fm.AtLeast("rate", 0.9, 0.5)}},
				{2, []fm.Constraint{fm.AtMost("ms", 25, 20), fm.AtLeast("rate", 0.6, 0.5)}},
				{3, []fm.Constraint{fm.AtLeast("rate", 0.1, 0.5)}}, // the other one was not measured
				{4, []fm.Constraint{fm.AtMost("ms", math.NaN(), 20)}},
			}, []string{"ms at most 20, 2 of 2, 2", "rate at least 0.5, 1 of 3, 1"}, "Trial 1 comes nearest: ms is 25 (at most 20); rate is 0.6 (at least 0.5)", 2,
		},
		{
			"another limit in each", []trial{{1, []fm.Constraint{fm.AtMost("mb", 10, 20)}}, {2, []fm.Constraint{fm.AtMost("mb", 50, 40)}}},
			[]string{"mb, 1 of 2, 1"}, "Within all limits: 1 of 2 trials.", 1,
		},
		{"no value", []trial{{math.NaN(), []fm.Constraint{fm.AtMost("mb", 30, 20)}}}, []string{"mb at most 20, 1 of 1, 1"}, "Trial 0 comes nearest", 0},
		{
			"ends of floats", []trial{
				{1e308, []fm.Constraint{fm.AtMost("a", 1e308, -1e308), fm.AtMost("b", 5e-324, 0)}}, {-1e308, []fm.Constraint{fm.AtMost("a", 1, inf), fm.AtMost("b", 1e308, 1e-308)}},
			}, []string{"b, 2 of 2, 1", "a, 1 of 2, 0"}, "Trial 0 comes nearest", 2,
		},
	} {
		study, err := goptuna.CreateStudy("limited", goptuna.StudyOptionSampler(fm.NewSampler()), goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		for i, trial := range test.trials {
			d := map[string]any{"x": goptuna.UniformDistribution{High: 9}}
			if err := fm.AddTrial(study, trial.value, map[string]any{"x": i}, d, trial.constraints...); err != nil {
				t.Fatal(err)
			}
		}
		r := read(t, study)
		section := r.limits()
		if section == nil {
			if test.rows != nil {
				t.Errorf("%s: no section", test.name)
			}
			continue
		}
		var rows []string
		for _, row := range section.Table.Rows {
			rows = append(rows, strings.Join(row[:3], ", "))
		}
		if text := strings.Join(section.Text, " "); !slices.Equal(rows, test.rows) || !strings.Contains(text, test.text) || len(section.Figures) != test.charts {
			t.Errorf("%s: %q, %q and %d charts", test.name, text, rows, len(section.Figures))
		}
		render(t, r.document())
	}
}

// What a limit depends on stands beside it, also where no trial is within: the value depends on something else.
func TestLimitsDepend(t *testing.T) {
	for _, most := range []float64{0.5, -1} {
		s := newStudy(t, example{name: "depends", trials: 30, workers: 1, objective: func(_ context.Context, trial goptuna.Trial) (float64, error) {
			a := asker{trial: trial}
			x, y := a.float("x", 0, 1), a.float("y", 0, 1)
			return fm.Constrained(trial, x, fm.AtMost("ms", y, most))
		}})
		r := read(t, s)
		if section := r.limits(); len(section.Table.Head) != 4 || section.Table.Rows[0][3] != "y 100\u00a0%" || (r.model == nil) != (most < 0) {
			t.Errorf("at most %v: %q", most, section.Table)
		}
		if text := r.verdict().Text[0]; strings.HasPrefix(text, "No trial is within all limits yet") != (most < 0) {
			t.Errorf("at most %v: %s", most, text)
		}
		if _, text := render(t, r.document()); !strings.Contains(text, "y 100 %\n") {
			t.Errorf("at most %v:\n%s", most, text)
		}
	}
}

// The axis of a quantity suits its limit and most of the trials: what few have measured far from these is at the edge.
func TestAxisOfQuantities(t *testing.T) {
	spread := func(n int, low, high float64, others ...float64) (xs []float64) {
		for i := range n {
			xs = append(xs, low+(high-low)*float64(i)/float64(n-1))
		}
		return append(xs, others...)
	}
	const limit = 40
	for _, test := range []struct {
		name       string
		quantities []float64
		low, high  float64 // between which the ends are
		note       string
	}{
		{"even", spread(40, 20, 60), 17, 63, ""},
		{"a timeout", spread(40, 20, 60, 60000), 17, 150, "What 1 trial measured, far beyond most, is drawn at the edge."},
		{"both sides", spread(40, 20, 60, 1e9, -1e9), -20, 100, "What 2 trials measured, far beyond most, is drawn at the edge."},
		{"far beyond the limit", spread(40, 400, 410), 20, 425, ""},
		{"far within the limit", spread(40, 4, 4.1), 2, 43, ""},
		{"of one value", spread(40, 50, 50, 90), 37, 93, ""},
		{"few", []float64{20, 60, 60000}, 10, 1e5, ""},
	} {
		scale, note := quantityScale(chart.Scale{}, test.quantities, limit)
		if scale.Low < test.low || scale.High > test.high || scale.Low > limit || scale.High < limit || note != test.note {
			t.Errorf("%s: %v to %v, %q", test.name, scale.Low, scale.High, note)
		}
	}
}

// Of a conditional study with limits: a branch beyond them is shown, which the text does not deny, and what is said of
// parameters is said of the value alone.
func TestLimitedBranches(t *testing.T) {
	s := newStudy(t, example{name: "branches", trials: 60, workers: 1, objective: func(_ context.Context, trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"slow", "pruned", "broken", "good"})
		if err != nil {
			return 0, err
		}
		x, err := trial.SuggestFloat(kind+"_x", 0, 1)
		switch {
		case err != nil:
			return 0, err
		case kind == "pruned":
			return 0, goptuna.ErrTrialPruned
		case kind == "broken":
			return 0, errors.New("broken")
		case kind == "slow":
			x += 9
		}
		return fm.Constrained(trial, x, fm.AtMost("ms", x, 2))
	}})
	r := read(t, s)
	kinds := map[any]int{}
	for _, trial := range r.trials {
		kinds[trial.Params["kind"]]++
	}
	section := r.branches()
	if !strings.HasSuffix(section.Text[0], "A branch in which several trials failed, all of them with an error, is not shown.") {
		t.Errorf("%q", section.Text)
	}
	got := map[string]string{}
	for _, leaf := range section.Tree {
		got[leaf.Text] = leaf.Details[0]
	}
	for kind, want := range map[string]string{"slow": "0 trials with a value, %d beyond a limit", "good": "%d trials with a value; best"} {
		if want = fmt.Sprintf(want, kinds[kind]); !strings.HasPrefix(got["kind = "+kind], want) {
			t.Errorf("%s: %q, want %q", kind, got["kind = "+kind], want)
		}
	}
	if _, ok := got["kind = broken"]; ok || len(got) != 3 {
		t.Errorf("branches: %q", got)
	}
	if text := r.importance().Text; len(text) != 2 || !strings.Contains(text[1], "the value alone") {
		t.Errorf("importance: %q", text)
	}
	if text := r.interactions().Text[0]; strings.Contains(text, "by itself") {
		t.Errorf("interactions: %q", text)
	}
}
