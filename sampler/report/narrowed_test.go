package report

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
)

// narrowed returns a study of one parameter, whose range has become smaller.
func narrowed(t *testing.T) *study {
	t.Helper()
	trials := 0
	return read(t, newStudy(t, example{name: "narrowed", trials: 30, workers: 1, tuned: true, objective: func(_ context.Context, trial goptuna.Trial) (float64, error) {
		low := 0.0
		if trials++; trials > 15 {
			low = 0.5
		}
		x, err := trial.SuggestFloat("x", low, 1)
		return math.Pow(x-0.2, 2), err
	}}))
}

// Trials outside of the range that a parameter has now are not drawn at its end.
func TestTrialsOutsideOfTheAxis(t *testing.T) {
	s := narrowed(t)
	for _, mark := range s.slices().Figures[0].Chart.Marks {
		points, ok := mark.(chart.Points)
		if !ok || points.Style != chart.Trial {
			continue
		}
		if len(points.X) < 15 || len(points.X) == 30 {
			t.Errorf("%d of 30 trials are drawn", len(points.X))
		}
		for i, x := range points.X {
			if value := math.Pow(x-0.2, 2); x < 0.5 || math.Abs(points.Y[i]-value) > 1e-12 {
				t.Errorf("a trial with %v is drawn at %v", points.Y[i], x)
			}
		}
	}
}

// One parameter has no interactions, and the fact on the advice says what the sentence does.
func TestOneParameter(t *testing.T) {
	s := narrowed(t)
	if section := s.interactions(); section != nil {
		t.Errorf("interactions of one parameter: %v", section.Text)
	}
	for _, fact := range s.facts() {
		gain, _, _ := strings.Cut(strings.TrimPrefix(fact.Detail, "expected of ten more trials: "), " of")
		if fact.Name == "Advice" && (s.model.Advice().Gain >= 1 || !strings.Contains(s.model.Advice().Reason, gain)) {
			t.Errorf("%s, where the sentence is %s", fact.Detail, s.model.Advice().Reason)
		}
	}
}

// Where all values are the same, as that of one trial is, no parameter has a share, no interval a width, and what two parameters
// do together is not known.
func TestEqualValues(t *testing.T) {
	for _, trials := range []int{1, 5} {
		r := read(t, newStudy(t, example{name: "equal", trials: trials, workers: 1, tuned: true, objective: ask(func(a *asker) float64 {
			a.float("x", 0, 1)
			a.choice("c", "", "a")
			return 7
		})}))
		if section := r.importance(); len(section.Figures) != 0 || !slices.Equal(section.Text, []string{"No parameter matters yet."}) {
			t.Errorf("%d trials: %q and %d figures", trials, section.Text, len(section.Figures))
		}
		if section := r.interactions(); section != nil {
			t.Errorf("%d trials: %q", trials, section.Text)
		}
		if facts := r.facts(); facts[1] != (fact{"Recommended", "7", "expected"}) {
			t.Errorf("%d trials: %q", trials, facts)
		}
		if choices := r.choices().Figures[0].Chart.Y.Choices; !slices.Equal(choices, []string{`""`, "a"}) {
			t.Errorf("choices %q", choices)
		}
		if _, text := render(t, r.document()); strings.Contains(text, "90 %: 7") {
			t.Errorf("%d trials:\n%s", trials, text)
		}
	}
}

// A figure is written the same in a box and in a sentence.
func TestFiguresInSentences(t *testing.T) {
	for _, unit := range []float64{1e-12, -1234.5, 1e15} {
		r := read(t, newStudy(t, example{name: "units", trials: 25, workers: 1, tuned: true, objective: ask(func(a *asker) float64 {
			return unit * (1 + math.Pow(a.float("x", 0, 1)-0.3, 2))
		})}))
		sentence, facts := r.recommended.String(), r.facts()
		_, ends, _ := strings.Cut(facts[1].Detail, "; ")
		for _, figure := range []string{facts[0].Value, facts[1].Value + " (" + ends + ")"} {
			if !strings.Contains(sentence, figure) {
				t.Errorf("%q is not in %q", figure, sentence)
			}
		}
		if text := r.history().Text[0]; !strings.HasPrefix(text, "The best value, "+facts[0].Value+", was") {
			t.Errorf("%q, for %q", text, facts[0].Value)
		}
	}
}

// Of many parameters, the most important ones have slices and bars; of the others the first are named.
func TestManyParameters(t *testing.T) {
	const params = maxSlices + maxNamed + 3
	s := read(t, newStudy(t, example{name: "many", trials: 20, workers: 1, objective: ask(func(a *asker) float64 {
		sum := 0.0
		for i := range params {
			sum += float64(i*i) * a.float(fmt.Sprint("x", i), 0, 1)
		}
		return sum
	})}))
	section := s.slices()
	var named []string
	for _, f := range section.Figures {
		named = append(named, f.Title)
	}
	others, ok := strings.CutPrefix(section.Text[1], "Of less importance: ")
	others, rest := strings.CutSuffix(others, " and 3 others.")
	if named = append(named, strings.Split(others, ", ")...); !ok || !rest || len(named) != maxSlices+maxNamed {
		t.Fatalf("%d slices, and %q", len(section.Figures), section.Text)
	}
	for i, share := range s.model.Importance()[:len(named)] {
		if named[i] != share.Param {
			t.Errorf("%q at %d, want %q", named[i], i, share.Param)
		}
	}
	bars := s.importance().Figures[0]
	if n := len(bars.Chart.Y.Choices); n != maxNamed || !strings.HasSuffix(bars.Caption, fmt.Sprintf("Of %d parameters, the %d that explain the most have bars.", params, maxNamed)) {
		t.Errorf("%d parameters have bars; %s", n, bars.Caption)
	}
}
