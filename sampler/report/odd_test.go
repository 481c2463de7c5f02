package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// failuresBy returns the rows of the chart of failures by x, and the titles of its bars.
func failuresBy(t *testing.T, s *goptuna.Study) (rows, titles []string) {
	t.Helper()
	for _, f := range read(t, s).failures().Figures {
		if f.Title == "Failures by x" {
			for _, b := range f.Chart.Marks[0].(chart.Boxes).Boxes {
				titles = append(titles, b.Title)
			}
			rows = f.Chart.Y.Choices
		}
	}
	return rows, titles
}

// Failures are shown by all choices that a parameter ever had.
func TestFailuresOfLaterChoices(t *testing.T) {
	n := 0
	s := newStudy(t, example{name: "growing", trials: 60, workers: 1, objective: ask(func(a *asker) float64 {
		choices := []string{"a", "b"}
		if n++; n > 20 {
			choices = []string{"a", "b", "c", "d"}
		}
		if a.choice("x", choices...) == "d" {
			return a.fail(errors.New("no"))
		}
		return a.float("y", 0, 1)
	})})
	rows, titles := failuresBy(t, s)
	if !slices.Equal(rows, []string{"a", "b", "c", "d"}) || len(titles) != 1 || !strings.HasPrefix(titles[0], "d: ") {
		t.Errorf("rows %q, bars %q", rows, titles)
	}
}

// Failures are shown by the kind that a parameter has now: values of another one have no row.
func TestFailuresOfAnotherKind(t *testing.T) {
	for name, c := range map[string]struct {
		before, after func(a *asker) float64
		want          []string
	}{
		"choices, then whole numbers": {
			func(a *asker) float64 { a.choice("x", "a", "b"); return 0 }, func(a *asker) float64 { return a.int("x", 1, 3) }, []string{"1", "2", "3"}},
		"whole numbers, then choices": {
			func(a *asker) float64 { return a.int("x", 1, 3) / 9 }, func(a *asker) float64 { return float64(len(a.choice("x", "a", "bbb"))) }, []string{"a", "bbb"}},
		"whole numbers, then floats": {
			func(a *asker) float64 { return a.int("x", 0, 4) / 9 }, func(a *asker) float64 { return a.float("x", 0, 4) },
			[]string{"0 to 0.8", "0.8 to 1.6", "1.6 to 2.4", "2.4 to 3.2", "3.2 to 4"}},
	} {
		n := 0
		s := newStudy(t, example{name: name, trials: 80, workers: 1, objective: ask(func(a *asker) float64 {
			ask := c.before
			if n++; n > 30 {
				ask = c.after
			}
			if ask(a) > 2 {
				return a.fail(errors.New("no"))
			}
			return a.float("y", 0, 1)
		})})
		if rows, titles := failuresBy(t, s); !slices.Equal(rows, c.want) {
			t.Errorf("%s: rows %q, want %q; bars %q", name, rows, c.want, titles)
		}
	}
}

// The text of a choice stands in the table in full, and not with every mark.
func TestLongChoices(t *testing.T) {
	var choices []string
	for i := range 5 {
		choices = append(choices, fmt.Sprint("prompt ", i, strings.Repeat(" lorem ipsum", 500)))
	}
	s := newStudy(t, example{name: "long", trials: 40, workers: 1, objective: ask(func(a *asker) float64 {
		x, y := slices.Index(choices, a.choice("x", choices...)), slices.Index(choices, a.choice("y", choices...))
		return float64(x*y-x) + a.float("z", 0, 1)
	})})
	page, _ := render(t, read(t, s).document())
	if recommended := read(t, s).recommended.Params["x"].(string); !strings.Contains(page, "<td>"+recommended) {
		t.Error("the page does not have the recommended choice")
	}
	if n := strings.Count(page, choices[0]); n > 20 {
		t.Errorf("a choice is %d times on the page, which has %d KB", n, len(page)/1024)
	}
}

// Letters and spaces of every script are shown as they are: a wide space, and what joins letters or keeps them apart.
func TestNamesOfAllScripts(t *testing.T) {
	const name = "学習　率 می\u200cخواهم क्\u200dष"
	page, _ := render(t, read(t, newStudy(t, example{name: name, objective: mixed, trials: 1, workers: 1})).document())
	if !strings.Contains(page, "<h1>"+name+"</h1>") {
		t.Errorf("the page has no %q:\n%.600s", name, page)
	}
}

// Tabs, and the line ends of Windows, as errors of programs have them, are spaces.
func TestErrorsOfPrograms(t *testing.T) {
	s := newStudy(t, example{name: "programs", trials: 3, workers: 1, objective: ask(func(a *asker) float64 {
		return a.fail(errors.New("exit status 1:\tno such file\r\nTraceback"))
	})})
	page, text := render(t, read(t, s).document())
	for name, output := range map[string]string{"page": page, "text": text} {
		if strings.Contains(output, "\ufffd") || !strings.Contains(output, "exit status 1: no such file") {
			t.Errorf("the %s reads\n%s", name, output)
		}
	}
}

// A clocked storage says when its trials began and ended.
type clocked struct {
	goptuna.Storage
	times func(i int) (start, end time.Time)
}

func (s clocked) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := s.Storage.GetAllTrials(studyID)
	for i := range trials {
		trials[i].DatetimeStart, trials[i].DatetimeComplete = s.times(i)
	}
	return trials, err
}

var morning = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// The times of a study are in one time zone, which is named.
func TestTimeZones(t *testing.T) {
	s := newStudy(t, example{name: "zones", objective: mixed, trials: 2, workers: 1})
	s.Storage = clocked{s.Storage, func(i int) (start, end time.Time) {
		start = morning.Add(time.Duration(i) * time.Hour).In(time.FixedZone("", 3600*(2-7*i))) // each worker in a zone of its own
		return start, start.Add(30 * time.Minute)
	}}
	const want = "2 March 2026 11:00 to 12:30 +0200."
	if got := read(t, s).subtitle(); !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end in %q", got, want)
	}
}

// Times that cannot be are shown without nonsense.
func TestOddTimes(t *testing.T) {
	for _, c := range []struct {
		name string
		time func(i int) (start, end time.Time)
		want string
		high float64
	}{
		{"the clock was not set", func(int) (start, end time.Time) { return time.Unix(0, 0), morning },
			"Up to 9 trials at a time; 20510 days in all, 20510 days a trial.", 20514.375},
		{"imported", func(int) (start, end time.Time) { return morning, morning },
			"One trial at a time; 0 milliseconds in all, 0 milliseconds a trial.", 1},
		{"set back", func(int) (start, end time.Time) { return morning, morning.Add(-time.Hour) },
			"One trial at a time; 0 milliseconds in all, 0 milliseconds a trial.", 1},
	} {
		s := newStudy(t, example{name: c.name, objective: mixed, trials: 9, workers: 1})
		s.Storage = clocked{s.Storage, c.time}
		section := read(t, s).timeline()
		if high := section.Figures[0].Chart.X.High; section.Text[0] != c.want || len(section.Text) != 1 || high != c.high {
			t.Errorf("%s: %q, up to %v; want %q, up to %v", c.name, section.Text, high, c.want, c.high)
		}
	}
}

// Where no trial has a value, there is no axis to draw trials against.
func TestNoEmptyHistory(t *testing.T) {
	s := newStudy(t, example{name: "waiting", objective: mixed, trials: 0, workers: 1})
	if err := fm.EnqueueTrial(s, map[string]any{"dropout": 0.1}, map[string]any{"dropout": goptuna.UniformDistribution{High: 0.5}}); err != nil {
		t.Fatal(err)
	}
	if section := read(t, s).history(); section != nil {
		t.Errorf("a study without a finished trial has a history: %v", section)
	}
	s = newStudy(t, example{name: "pruned", trials: 8, workers: 1, objective: func(_ context.Context, trial goptuna.Trial) (float64, error) {
		_, err := trial.SuggestFloat("x", 0, 1)
		return 0, errors.Join(err, goptuna.ErrTrialPruned)
	}})
	if section := read(t, s).history(); section != nil {
		t.Errorf("a study without a value has a history: %v", section)
	}
}

// The direction is that in storage: Goptuna sets it after it has created the study, and a worker
// that loads the study in between has the other one.
func TestDirectionIsTheStorages(t *testing.T) {
	s := newStudy(t, example{name: "direction", objective: mixed, trials: 9, workers: 1})
	if err := s.Storage.SetStudyDirection(s.ID, goptuna.StudyDirectionMaximize); err != nil {
		t.Fatal(err)
	}
	r := read(t, s)
	if best, _ := r.best(); best.Number != r.recommended.Best || !strings.Contains(r.subtitle(), "to be maximised") {
		t.Errorf("the best trial is %d, and %d to the model: %s", best.Number, r.recommended.Best, r.subtitle())
	}
}

// A trial whose worker has died runs for ever in the storage. It is drawn for as long as the sampler waits for it, so that a
// pause is one all the same, and how long trials take is known from those that have ended.
func TestAbandonedTrial(t *testing.T) {
	s := newStudy(t, example{name: "abandoned", objective: mixed, trials: 8, workers: 1})
	trial, err := fm.Ask(s)
	if err != nil {
		t.Fatal(err)
	}
	var end time.Time
	s.Storage = clocked{s.Storage, func(i int) (time.Time, time.Time) {
		start := morning.Add(time.Duration(i) * time.Minute)
		switch {
		case i == 8:
			return morning.Add(30 * time.Second), end
		case i >= 4:
			start = start.Add(24 * time.Hour)
		}
		return start, start.Add(time.Minute)
	}}
	want := []string{
		"Up to 2 trials at a time; 9.5 minutes in all, 60 seconds a trial.",
		"Left out: 1 pause in which no trial ran, 24 hours in all.",
	}
	if text := read(t, s).timeline().Text; !slices.Equal(text, want) {
		t.Errorf("%q, want %q", text, want)
	}
	// It is told a day later that it was not run.
	if err := fm.Tell(trial, 0, fm.ErrNotRun); err != nil {
		t.Fatal(err)
	}
	end = morning.Add(24 * time.Hour)
	if text := read(t, s).timeline().Text; !slices.Equal(text, want) {
		t.Errorf("once it has ended %q, want %q", text, want)
	}
}

// One is a singular.
func TestRounded(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second: "1 second", 1040 * time.Millisecond: "1 second", 1100 * time.Millisecond: "1.1 seconds",
		time.Millisecond: "1 millisecond", 0: "0 milliseconds", 72 * time.Hour: "3 days",
	} {
		if got := rounded(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
