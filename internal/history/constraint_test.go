package history_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// addMeasured adds a trial with an attribute of what it measured.
func addMeasured(t *testing.T, study *goptuna.Study, state goptuna.TrialState, value float64, attr string) {
	t.Helper()
	trial := goptuna.FrozenTrial{State: state, Value: value, SystemAttrs: map[string]string{"fm:measured": attr}}
	if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
		t.Fatal(err)
	}
}

// What a failed trial has measured is a value where it failed by a constraint alone.
func TestMeasured(t *testing.T) {
	const complete, failed, pruned = goptuna.TrialStateComplete, goptuna.TrialStateFail, goptuna.TrialStatePruned
	for _, test := range []struct {
		name     string
		state    goptuna.TrialState
		attr     string
		y        float64 // NaN where there is no value
		violates bool
		failed   bool
	}{
		{"violates", failed, `{"y":3,"c":{"a":{"m":1}}}`, 3, true, false},
		{"violates, without a value", failed, `{"c":{"a":{"m":1}}}`, math.NaN(), true, false},
		{"failed after it measured what holds", failed, `{"y":3,"c":{"a":{"m":-1}}}`, math.NaN(), false, true},
		{"at the limit", complete, `{"y":3,"c":{"a":{"m":0}}}`, 7, false, false},
		{"complete, though it violates", complete, `{"y":3,"c":{"a":{"m":1}}}`, 7, true, false},
		{"pruned", pruned, `{"y":3,"c":{"a":{"m":1}}}`, math.NaN(), true, false},
		{"cut off", failed, `{"y":3,"c":{"a":{"m":1}`, math.NaN(), false, true},
		{"no number", failed, `{"y":3,"c":{"a":{"m":"NaN"}}}`, math.NaN(), false, true},
		{"too large a number", failed, `{"y":1e999,"c":{"a":{"m":1}}}`, math.NaN(), false, true},
		{"null", failed, `{"y":3,"c":null}`, math.NaN(), false, true},
		{"empty", complete, ``, 7, false, false},
	} {
		study := newStudy(t, "")
		fmtest.AddTrial(t, study, complete, 0) // a feasible one
		addMeasured(t, study, test.state, 7, test.attr)
		got := fmtest.ReadHistory(t, study, -1).Finished[1]
		if got.NoValue != math.IsNaN(test.y) || !got.NoValue && got.Y != test.y || got.Violates() != test.violates || got.Failed() != test.failed {
			t.Errorf("%s: value %v (none: %t), violates: %t, failed: %t", test.name, got.Y, got.NoValue, got.Violates(), got.Failed())
		}
	}
}

// To be ruled out by one constraint before the others are measured is no merit.
func TestOfViolations(t *testing.T) {
	study := newStudy(t, "")
	for _, attr := range []string{
		`{"c":{"a":{"m":1}}}`,                // ruled out at once
		`{"y":1,"c":{"b":{"m":1}}}`,          // a was not measured, and b is violated by the least
		`{"c":{"a":{"m":-5},"b":{"m":1}}}`,   // a holds
		`{"c":{"a":{"m":1},"b":{"m":1}}}`,    // both are violated
		`{"c":{"a":{"m":-1},"b":{"m":-1}}}`,  // both hold, and there is no value
		`{"c":{"a":{"m":3},"b":{"m":1e99}}}`, // the worst
	} {
		addMeasured(t, study, goptuna.TrialStateFail, 0, attr)
	}
	h := fmtest.ReadHistory(t, study, -1)
	h.Finished[5].NoValue, h.Finished[5].Penalty = true, true // its value, that is
	before := slices.Clone(h.Finished)
	of, ok := h.OfViolations()
	if !ok || !of.Infeasible || of.Observations != 5 || h.Observations != 1 || of.Finished[5].Penalty {
		t.Fatalf("ok %t, %d observations, before %d", ok, of.Observations, h.Observations)
	}
	ys := make([]float64, len(of.Finished))
	for i, trial := range of.Finished {
		if ys[i] = trial.Y; trial.NoValue != (i == 4) {
			t.Errorf("trial %d has no value: %t", i, trial.NoValue)
		}
	}
	if !(ys[2] < ys[3] && ys[3] < ys[0] && ys[3] < ys[1] && ys[0] < ys[5]) {
		t.Errorf("sums of violations %v", ys)
	}
	if want := h.Finished[2].Violations["b"]; ys[2] != want {
		t.Errorf("a trial that violates b by %v, and a by less than nothing, has a sum of %v", want, ys[2])
	}
	for i, trial := range h.Finished {
		if trial.NoValue != before[i].NoValue || !maps.Equal(trial.Violations, before[i].Violations) {
			t.Errorf("trial %d of the history has changed", i)
		}
	}
	if _, ok := fmtest.ReadHistory(t, newStudy(t, ""), -1).OfViolations(); ok {
		t.Error("violations of no trial")
	}
}

// Violations of any size are on one scale, and storage keeps what it has.
func TestScaledViolations(t *testing.T) {
	study := newStudy(t, "")
	attrs := []string{`{"c":{"a":{"m":1e300},"b":{"m":5e-324}}}`, `{"c":{"a":{"m":-1.7e308},"b":{"m":1.7e308},"c":{"m":5e-324}}}`, `{"c":{"a":{"m":0},"b":{"m":-5e-324},"c":{"m":-1e300}}}`}
	for _, attr := range attrs {
		addMeasured(t, study, goptuna.TrialStateFail, 0, attr)
	}
	for range 2 {
		h := fmtest.ReadHistory(t, study, -1)
		for i, trial := range h.Finished {
			if trial.SystemAttrs["fm:measured"] != attrs[i] {
				t.Errorf("the attribute of trial %d is %q", i, trial.SystemAttrs["fm:measured"])
			}
			for name, violation := range trial.Violations {
				if math.IsNaN(violation) || math.Abs(violation) > 1000 {
					t.Errorf("trial %d violates %s by %v", i, name, violation)
				}
			}
			if got := strings.Join(trial.Violations.Exceeded(), " "); got != [...]string{"a b", "b c", ""}[i] {
				t.Errorf("trial %d violates %q", i, got)
			}
		}
	}
}

// What a feasible trial costs is no penalty because infeasible ones cost next to nothing.
func TestFeasibleIsNoPenalty(t *testing.T) {
	for _, feasible := range []bool{true, false} {
		study := newStudy(t, "")
		for i := range 8 {
			addMeasured(t, study, goptuna.TrialStateComplete, float64(i), `{"c":{"a":{"m":1}}}`)
		}
		if feasible {
			addMeasured(t, study, goptuna.TrialStateComplete, 1e9, `{"c":{"a":{"m":-1}}}`)
		} else {
			fmtest.AddTrial(t, study, goptuna.TrialStateComplete, 0.5)
			addMeasured(t, study, goptuna.TrialStateComplete, 1e9, `{"c":{"a":{"m":1}}}`)
		}
		h := fmtest.ReadHistory(t, study, -1)
		last := h.Finished[len(h.Finished)-1]
		if last.Penalty == feasible || last.NoValue == feasible {
			t.Errorf("feasible: %t, penalty: %t, no value: %t", feasible, last.Penalty, last.NoValue)
		}
	}
}

// A violation is in units of the median of those of its constraint, of trials that are at the
// limit aside, and large ones are drawn together. Each constraint has its own.
func TestScaleOfViolations(t *testing.T) {
	study := newStudy(t, "")
	raw := []float64{8, 0, -2, 0, 1, 0}
	for _, a := range raw {
		addMeasured(t, study, goptuna.TrialStateFail, 0, fmt.Sprintf(`{"c":{"a":{"m":%v},"b":{"m":1}}}`, a))
	}
	for i, trial := range fmtest.ReadHistory(t, study, -1).Finished {
		if want := math.Asinh(raw[i] / 2); trial.Violations["a"] != want || trial.Violations["b"] != math.Asinh(1) {
			t.Errorf("a violation of %v is %v, want %v; one of 1 is %v", raw[i], trial.Violations["a"], want, trial.Violations["b"])
		}
	}
}

// In a study that maximises, the value of an infeasible trial has the sign of the others.
func TestMeasuredWhereStudyMaximises(t *testing.T) {
	study := newStudy(t, "", goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize))
	addMeasured(t, study, goptuna.TrialStateComplete, 3, `{"y":3,"c":{"a":{"m":-1}}}`)
	addMeasured(t, study, goptuna.TrialStateFail, 0, `{"y":3,"c":{"a":{"m":1}}}`)
	for i, trial := range fmtest.ReadHistory(t, study, -1).Finished {
		if trial.Y != -3 || trial.NoValue {
			t.Errorf("trial %d: %v, no value %t", i, trial.Y, trial.NoValue)
		}
	}
}

// Where a limit was edited all trials are as they would have ended within the new one, and the
// storage is as it was.
func TestEditedLimits(t *testing.T) {
	const complete, failed, pruned = goptuna.TrialStateComplete, goptuna.TrialStateFail, goptuna.TrialStatePruned
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	old := []struct {
		state goptuna.TrialState
		attr  string
		want  string // within at most 30
	}{
		{complete, `{"y":1,"c":{"ms":{"m":10,"l":20}}}`, "Complete 1 false"},
		{failed, `{"y":2,"c":{"ms":{"m":25,"l":20}}}`, "Complete 2 false"},
		{failed, `{"y":3,"c":{"ms":{"m":35,"l":20}}}`, "Fail 3 true"},
		{failed, `{"c":{"ms":{"m":25,"l":20}}}`, ""},
		{failed, `{"c":{"ms":{"m":35,"l":20}}}`, "Fail NaN true"},
		{failed, `{"y":4,"c":{"ms":{"m":10,"l":20}}}`, "Fail NaN false"},
		{pruned, `{"y":5,"c":{"ms":{"m":25,"l":20}}}`, "Pruned NaN false"},
	}
	value := func(attr string) (y float64) {
		if m := history.MeasurementOf(map[string]string{history.MeasuredAttr: attr}); m.Value != nil {
			return *m.Value
		}
		return 0
	}
	for _, trial := range old {
		addMeasured(t, study, trial.state, value(trial.attr), trial.attr)
	}
	if _, edits, err := history.Trials(study); err != nil || edits != nil {
		t.Errorf("edits %v, error %v, before there was one", edits, err)
	}
	addMeasured(t, study, complete, 7, `{"y":7,"c":{"ms":{"m":10,"l":30},"mb":{"m":1,"l":2}}}`)
	h, err := history.Read(study, -1)
	if err != nil {
		t.Fatal(err)
	}
	limit := func(limit float64) history.Quantity { return history.Quantity{Measured: 10, Limit: limit} }
	if want := []history.LimitEdit{{Name: "ms", Number: 7, Old: limit(20), New: limit(30)}}; !slices.Equal(h.LimitEdits, want) {
		t.Errorf("edits %v, want %v", h.LimitEdits, want)
	}
	i := 0
	for n, trial := range old {
		if trial.want == "" {
			continue
		}
		got := h.Finished[i]
		i++
		y := got.Y
		if got.NoValue {
			y = math.NaN()
		}
		if text := fmt.Sprint(got.State, y, got.Violates()); got.Number != n || text != trial.want {
			t.Errorf("trial %d is number %d: %s, want %s", n, got.Number, text, trial.want)
		}
	}
	for n, trial := range fmtest.TrialsOf(t, study)[:len(old)] {
		if trial.State != old[n].state || trial.SystemAttrs[history.MeasuredAttr] != old[n].attr || len(trial.UserAttrs) > 0 {
			t.Errorf("the stored trial %d is %+v", n, trial)
		}
	}

	// Back again: the limit comes and goes.
	addMeasured(t, study, complete, 8, old[0].attr)
	if _, edits, err := history.Trials(study); err != nil || edits != nil {
		t.Errorf("edits %v, error %v", edits, err)
	}
}

// Limits are edited several times, and workers with the old one may still run beside those with the new one. A limit that
// follows from the parameters of a trial comes and goes.
func TestLimitEdits(t *testing.T) {
	for _, c := range []struct {
		limits    string // of "ms" in each trial; - where there is none, ! where the trial is beyond another limit, too
		want, why string
	}{
		{"222223", "3 for 2 from 5", "one edit"},
		{"22223", "", "four trials had the old limit"},
		{"2222233334", "4 for 3 from 9", "two edits: the last one counts"},
		{"222223445", "5 for 4 from 8", "edits of which some were soon edited again"},
		{"22222323", "", "an old worker runs beside the new one"},
		{"222223233", "3 for 2 from 5", "it has not come back for as long as both ran"},
		{"222223223333", "3 for 2 from 5", "two old ones"},
		{"22222323332333", "", "it comes back again and again"},
		{"222223333323333344444", "", "the first value was back after the second had long been the only one"},
		{"2222233333222222", "", "back to the old limit"},
		{"232323232333333333", "", "a limit that follows from a choice"},
		{"123456789", "", "a limit that follows from a number"},
		{"22222---", "1.7976931348623157e+308 for 2 from 5", "trials within all other limits do without it"},
		{"22222--", "", "two may by chance"},
		{"22222!!!", "", "these measured another constraint first"},
		{"22222---4", "4 for 1.7976931348623157e+308 from 8", "another one again"},
		{"22222-2------", "", "a limit for some choices, or which is not always measured"},
		{"22222---2------", "", "the same, as it turns out"},
	} {
		study := newStudy(t, "")
		for _, limit := range c.limits {
			state, attr := goptuna.TrialStateComplete, fmt.Sprintf(`{"y":1,"c":{"mb":{"m":1,"l":2},"ms":{"m":1,"l":%c}}}`, limit)
			switch limit {
			case '-':
				attr = `{"y":1,"c":{"mb":{"m":1,"l":2}}}`
			case '!':
				state, attr = goptuna.TrialStateFail, `{"y":1,"c":{"mb":{"m":3,"l":2}}}`
			}
			addMeasured(t, study, state, 1, attr)
		}
		_, edits, err := history.Trials(study)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range edits {
			got += fmt.Sprintf("%v for %v from %d", e.New.Limit, e.Old.Limit, e.Number)
		}
		if got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.limits, c.why, got, c.want)
		}
	}
}

// A limit that everything is within has a word.
func TestUnlimited(t *testing.T) {
	for _, c := range []struct {
		history.Quantity
		want string
	}{
		{history.Quantity{Measured: 3, Limit: math.Inf(1)}, "ms is 3 (unlimited)"},
		{history.Quantity{Measured: 3, Limit: math.Inf(-1), Least: true}, "ms is 3 (unlimited)"},
		{history.Quantity{Measured: 3}.WithLimit(math.Inf(1)), "ms is 3 (unlimited)"},
		{history.Quantity{Measured: 3, Limit: math.Inf(-1)}, "ms is 3 (at most -Inf)"},
		{history.Quantity{Measured: 3, Limit: 20}, "ms is 3 (at most 20)"},
	} {
		if got := c.Describe("ms"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
