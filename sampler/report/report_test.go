package report

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// maxSize is what a report may have, in bytes.
const maxSize = 2 << 20

// The page of each study has its sections and charts, is no larger than promised and names no other file; the text has the
// same sections.
func TestReports(t *testing.T) {
	sections := map[string][]string{
		"mixed":       {"recommendation", "history", "importance", "parameters", "choices", "interactions", "predictions", "failures", "timeline"},
		"conditional": {"recommendation", "history", "importance", "parameters", "choices", "interactions", "branches", "predictions", "failures", "timeline"},
		"failing":     {"recommendation", "history", "importance", "parameters", "choices", "interactions", "predictions", "failures", "timeline"},
		"limited":     {"recommendation", "history", "limits", "importance", "parameters", "interactions", "predictions", "failures", "timeline"},
		"large":       {"recommendation", "history", "importance", "parameters", "choices", "interactions", "predictions", "failures", "timeline"},
	}
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			if testing.Short() && e.trials > 100 {
				t.Skip("fits a model to many trials")
			}
			d := documentOf(t, e)
			page, text := render(t, d)
			if len(page) > maxSize {
				t.Errorf("the page has %d bytes", len(page))
			}
			var ids []string
			for _, s := range d.Sections {
				ids = append(ids, s.ID)
				if !strings.Contains(page, `<section id="`+s.ID+`">`) || !strings.Contains(text, "\n"+s.Title+"\n─") {
					t.Errorf("section %s is missing", s.ID)
				}
				for _, f := range s.Figures {
					if len(f.Chart.Marks) == 0 {
						t.Errorf("%s: the figure %q is empty", s.ID, f.Title)
					}
				}
			}
			if got, want := strings.Join(ids, " "), strings.Join(sections[e.name], " "); got != want {
				t.Errorf("sections are\n%s, want\n%s", got, want)
			}
			wellFormed(t, page)
			selfContained(t, page)
			for line := range strings.Lines(text) {
				if n := len([]rune(line)); n > 100 {
					t.Errorf("a line of %d characters: %s", n, line)
				}
			}
		})
	}
}

func render(t *testing.T, d *document) (page, text string) {
	t.Helper()
	var p, x bytes.Buffer
	if err := errors.Join(d.writePage(&p), d.writeText(&x, 80)); err != nil {
		t.Fatal(err)
	}
	return p.String(), x.String()
}

// However narrow the terminal is, the facts and the sentences fit, with every word of them.
func TestNarrowText(t *testing.T) {
	d := documentOf(t, examples[0])
	for _, columns := range []int{40, 60, 80} {
		var out bytes.Buffer
		if err := d.writeText(&out, columns); err != nil {
			t.Fatal(err)
		}
		facts, _, _ := strings.Cut(out.String(), "\n\n")
		for line := range strings.Lines(facts) {
			if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > columns || strings.HasSuffix(line, " ") {
				t.Errorf("%d columns: a line of %d characters: %q", columns, len([]rune(line)), line)
			}
		}
		for _, f := range d.Facts {
			if want := chart.Flat(f.Name + " " + f.Value + " " + f.Detail); !strings.Contains(chart.Flat(facts), want) {
				t.Errorf("%d columns: no %q in\n%s", columns, want, facts)
			}
		}
	}
}

// wellFormed checks that the page is XML, too, and that nothing is NaN.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(page, "<!DOCTYPE html>")))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("<%s> has %s=%q", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
}

// selfContained checks that the page has no script and no address but that by which SVG is known.
func selfContained(t *testing.T, page string) {
	t.Helper()
	rest := strings.ReplaceAll(page, `xmlns="http://www.w3.org/2000/svg"`, "")
	if found := regexp.MustCompile(`(?i)https?://[^<]*|<script|<link|<img|<iframe|@import|url\(|\ssrc=|\son[a-z]+=`).FindString(rest); found != "" {
		t.Errorf("the page has %q", found)
	}
}

// Names, choices and reasons that are markup, or that a terminal would obey, stay text.
func TestHostileNames(t *testing.T) {
	const (
		script = `<script>alert("1")</script>`
		break1 = `"><img src=x onerror=alert(2)>`
		break2 = `</title></style></svg><script src=http://example.com/a.js></script>`
		escape = "\x1b]0;owned\a\x1b[2J\u202eevil\u0085\x00"
	)
	for _, variant := range []string{"few failures", "many failures"} {
		t.Run(variant, func(t *testing.T) {
			e := example{name: break2 + escape, trials: 40, workers: 2, objective: ask(func(a *asker) float64 {
				x, y := a.float(script+escape+"\nname", 0, 1), a.float(break1, 0, 1)
				c := a.choice("c"+break2, script, break1, "three\n\nlines"+escape)
				fails := x > 0.95
				if variant == "many failures" {
					fails = x > 0.6
				}
				if fails {
					return a.fail(errors.New(script + break2 + escape))
				}
				if c == script {
					y += a.float("only<b>", 0, 1)
				}
				return x*y + y
			})}
			page, text := render(t, read(t, newStudy(t, e)).document())
			wellFormed(t, page)
			for _, markup := range []string{"<script", "<img", "</title></style>", "<b>\""} {
				if strings.Contains(page, markup) {
					t.Errorf("the page has %s", markup)
				}
			}
			if !strings.Contains(page, "&lt;script&gt;alert(") {
				t.Error("the name is not to be seen")
			}
			for name, output := range map[string]string{"page": page, "text": text} {
				for _, r := range output {
					if (unicode.IsControl(r) && r != '\n') || unicode.Is(unicode.Cf, r) {
						t.Fatalf("the %s has the character %U", name, r)
					}
				}
			}
		})
	}
}

// Studies with little in them have a report, too.
func TestSmallStudies(t *testing.T) {
	for _, e := range []example{
		{name: "no trial", objective: mixed, trials: 0, workers: 1},
		{name: "one trial", objective: mixed, trials: 1, workers: 1},
		{name: "two trials", objective: conditional, trials: 2, workers: 2},
		{name: "all fail", trials: 8, workers: 1, objective: ask(func(a *asker) float64 {
			a.float("x", 0, 1)
			return a.fail(errors.New("no"))
		})},
		{name: "one value", trials: 12, workers: 1, objective: ask(func(a *asker) float64 {
			a.float("x", 0, 1)
			return 3
		})},
		{name: "one configuration", trials: 5, workers: 1, objective: ask(func(a *asker) float64 {
			a.choice("c", "only")
			return 3
		})},
		{name: "no parameters", trials: 5, workers: 1, objective: func(context.Context, goptuna.Trial) (float64, error) { return 3, nil }},
		{name: "huge values", trials: 30, workers: 1, objective: ask(func(a *asker) float64 {
			return -1e300 * a.float("x", 0, 1)
		})},
		{name: "equal up to rounding", trials: 12, workers: 1, objective: ask(func(a *asker) float64 {
			return 0.3 * (1 + 1e-16*math.Round(2*a.float("x", 0, 1)))
		})},
		{name: "largest penalty", trials: 30, workers: 1, objective: ask(func(a *asker) float64 {
			if x := a.float("x", 0, 1); x < 0.7 {
				return x
			}
			return math.MaxFloat64
		})},
		{name: "penalty and a sign", trials: 30, workers: 1, objective: ask(func(a *asker) float64 {
			if x := a.float("x", 0, 1); x < 0.7 {
				return x - 0.3
			}
			return math.MaxFloat64
		})},
		{name: "largest values of both signs", trials: 30, workers: 1, objective: ask(func(a *asker) float64 {
			return math.MaxFloat64 * a.float("x", -1, 1) * a.float("y", -1, 1)
		})},
		{name: "smallest range", trials: 12, workers: 1, objective: ask(func(a *asker) float64 {
			return a.float("x", 0, math.SmallestNonzeroFloat64) + a.float("y", 0, 1)
		})},
		// An axis has some of the choices only, and not the one that is recommended.
		{name: "many choices", trials: 20, workers: 1, tuned: true, objective: ask(func(a *asker) float64 {
			var choices []string
			for i := range 100 {
				choices = append(choices, fmt.Sprint("choice ", i))
			}
			at, err := strconv.Atoi(strings.TrimPrefix(a.choice("c", choices...), "choice "))
			a.err = errors.Join(a.err, err)
			return a.float("x", 0, 1) + float64(at%7)
		})},
	} {
		t.Run(e.name, func(t *testing.T) {
			page, text := render(t, read(t, newStudy(t, e)).document())
			wellFormed(t, page)
			selfContained(t, page)
			if strings.Contains(text, "NaN") {
				t.Errorf("the text has NaN:\n%s", text)
			}
			if strings.Contains(page, "NaN") {
				t.Error("the page has NaN")
			}
			if strings.Contains(text, "fm:") {
				t.Errorf("the text has the prefix of an error:\n%s", text)
			}
		})
	}
}

// A value that is no number is a failure, as to the sampler; a trial that was stopped with its study is none, and neither is
// the best.
func TestOutcomes(t *testing.T) {
	study, err := goptuna.CreateStudy("outcomes", goptuna.StudyOptionSampler(problems.NewRandomSampler(1)), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := study.Optimize(func(trial goptuna.Trial) (float64, error) { return math.NaN(), nil }, 2); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = fm.Optimize(ctx, study, func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		switch number, err := trial.Number(); number {
		case 2:
			return 0, errors.New("broken")
		case 3, 4:
			return 5, err
		default:
			cancel()
			return 0, ctx.Err()
		}
	}, 10)
	if err != nil {
		t.Fatal(err)
	}
	_, text := render(t, read(t, study).document())
	for _, want := range []string{"2 complete, 3 failed, 1 interrupted", "3 of 5 finished trials failed.", "the value is NaN", "broken", "trial 3"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	shown := map[string]int{}
	for _, mark := range read(t, study).timeline().Figures[0].Chart.Marks {
		boxes := mark.(chart.Boxes)
		shown[boxes.Name] = len(boxes.Boxes)
	}
	if want := map[string]int{"complete": 2, "failed": 3, "running, interrupted or abandoned": 1}; !maps.Equal(shown, want) {
		t.Errorf("the timeline shows %v, want %v", shown, want)
	}
}

// The table of failures has all that a failed trial was tried with, however narrow the terminal is.
func TestFailedWith(t *testing.T) {
	const names = 8
	s := newStudy(t, example{name: "failing", trials: 3, workers: 1, objective: func(_ context.Context, trial goptuna.Trial) (float64, error) {
		a := asker{trial: trial}
		for i := range names {
			a.choice(fmt.Sprint("parameter ", i), "on")
		}
		return 0, errors.Join(a.err, errors.New("no memory"))
	}})
	for _, columns := range []int{40, 80, 120} {
		var out bytes.Buffer
		if err := read(t, s).document().writeText(&out, columns); err != nil {
			t.Fatal(err)
		}
		for i := range names {
			if n := strings.Count(chart.Flat(out.String()), fmt.Sprintf("parameter %d = on", i)); n != 3 {
				t.Errorf("%d columns: the value of parameter %d is there %d times, want 3:\n%s", columns, i, n, out.String())
			}
		}
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > columns {
				t.Errorf("%d columns: a line of %d: %q", columns, n, line)
			}
		}
	}
}

// The best trial may be one that does not count any more: it has values that the model has no
// place for, as after a parameter became a choice, or it was made on other data.
func TestBestThatDoesNotCount(t *testing.T) {
	const other = "with the values that trials have now the best is"
	for _, test := range []struct {
		name       string
		first, now func(a *asker) float64
	}{
		{"no place", func(a *asker) float64 { return math.Round(2 * a.float("x", 0, 1)) }, // with equal values
			func(a *asker) float64 { return 3 + float64(len(a.choice("x", "p", "qq"))) }},
		{"other data", func(a *asker) float64 { return float64(len(a.choice("data", "old"))) - 3 + a.float("x", 0, 1) },
			func(a *asker) float64 { return float64(len(a.choice("data", "new"))) + a.float("x", 0, 1) }},
	} {
		objective := func(value func(a *asker) float64) fm.Objective {
			return func(_ context.Context, trial goptuna.Trial) (float64, error) {
				a := asker{trial: trial}
				return value(&a), a.err
			}
		}
		s := newStudy(t, example{name: test.name, trials: 12, workers: 1, objective: objective(test.first)})
		if _, text := render(t, read(t, s).document()); strings.Contains(text, other) {
			t.Errorf("%s: before the edit:\n%s", test.name, text)
		}
		if err := fm.Optimize(context.Background(), s, objective(test.now), 12); err != nil {
			t.Fatal(err)
		}
		study := read(t, s)
		if best := study.facts()[0]; best.Name != "Best value" || !strings.Contains(best.Detail, other) {
			t.Errorf("%s: %+v", test.name, best)
		}
		if r := study.recommended; r.Best < 12 || r.BestValue < 3 {
			t.Errorf("%s: the best trial is %d, with %v", test.name, r.Best, r.BestValue)
		}
	}
}

// A trial that waits has not run: it is in the number of trials, and in no chart.
func TestWaitingTrials(t *testing.T) {
	s := newStudy(t, example{name: "waiting", objective: mixed, trials: 3, workers: 1})
	if err := fm.EnqueueTrial(s, map[string]any{"dropout": 0.1}, map[string]any{"dropout": goptuna.UniformDistribution{High: 0.5}}); err != nil {
		t.Fatal(err)
	}
	page, text := render(t, read(t, s).document())
	if !strings.Contains(text, "3 complete, 1 waiting") {
		t.Errorf("no trial waits in\n%s", text)
	}
	if strings.Contains(page, "trial 3") || strings.Contains(text, "running") {
		t.Errorf("a trial that waits is said to run:\n%s", text)
	}
}

// One value far beyond all others does not squeeze the axis, logarithmic or not; values that come down over magnitudes do not.
func TestAxisOfValues(t *testing.T) {
	even := func(low, step float64, others ...float64) (values []float64) {
		for i := range 30 {
			values = append(values, low+step*float64(i))
		}
		return append(values, others...)
	}
	var falling []float64
	for i := range 30 {
		falling = append(falling, math.Pow(10, float64(3-i/3)))
	}
	for _, test := range []struct {
		name   string
		sign   float64
		values []float64
		kind   chart.Kind
		most   float64 // that the axis has
		beyond string
	}{
		{"even", 1, even(1, 0.1), chart.Linear, 4.1, ""},
		{"logarithmic", 1, even(1, 0.3, 1e9), chart.Log, 320, ", of 1 trial, are drawn at the edge."},
		{"linear", 1, even(-1, 0.3, 1e9), chart.Linear, 30, ", of 1 trial, are drawn at the edge."},
		{"falling", 1, falling, chart.Log, 2500, ""},
		{"to be maximised", -1, even(1, 0.1), chart.Linear, 4.1, ""},
	} {
		s := &study{sign: test.sign}
		scale, note := s.valueScale(test.values)
		if scale.Kind != test.kind || scale.High > test.most || strings.HasSuffix(note, ".") != (test.beyond != "") || !strings.HasSuffix(note, test.beyond) {
			t.Errorf("%s: kind %v up to %v, %q", test.name, scale.Kind, scale.High, note)
		}
	}
}

// A table is no wider than the terminal, and has all that is in it.
func TestTablesOnATerminal(t *testing.T) {
	cells := []string{"value expected", "1.1e-12 (90 %: 1.0955e-12 to 1.1046e-12)", "1.1002e-12 (90 %: 1.0954e-12 to 1.1051e-12)"}
	for _, columns := range []int{40, 80, 120} {
		var b strings.Builder
		(&table{Head: []string{"parameter", "recommended", "best trial (12)"}, Rows: [][]string{cells}}).write(&b, columns)
		for line := range strings.Lines(b.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > columns {
				t.Errorf("%d columns: a line of %d: %q", columns, n, line)
			}
		}
		for _, word := range strings.Fields(strings.Join(cells, " ")) {
			if !strings.Contains(b.String(), word) {
				t.Errorf("%d columns: no %q in\n%s", columns, word, b.String())
			}
		}
	}
}
