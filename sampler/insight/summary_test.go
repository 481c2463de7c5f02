package insight_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// The value that the most important parameter is said to be best near is the recommended
// one, not that of a trial that is worse or no longer possible.
func TestImportanceSummaryNamesRecommended(t *testing.T) {
	for name, study := range map[string]*goptuna.Study{
		"rate": atRandom(t, mixed, 40),
		"x":    narrowedStudy(t),
	} {
		m := fit(t, study)
		want := fmt.Sprintf("(best near %.4g)", m.Recommend().Params[name])
		if got := m.ImportanceSummary(); !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
		attrs, err := study.GetUserAttrs()
		if err != nil {
			t.Fatal(err)
		}
		if got := attrs["fm: importance"]; name == "x" && !strings.Contains(got, "(best near 0.5)") {
			t.Errorf("the study's attribute is %q", got)
		}
	}
}

// Importances of a model that predicts badly come with its R².
func TestImportanceSummaryDoubts(t *testing.T) {
	for sd, doubtful := range map[float64]bool{0: false, 1: true} {
		rng := rand.New(rand.NewPCG(1, 2))
		m := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
			xs, err := floats(trial, 2)
			return sd*rng.NormFloat64() + (1-sd)*(xs[0]+xs[1]), err
		}, 40))
		got, doubt := m.ImportanceSummary(), fmt.Sprintf("; these shares are uncertain: the R² of the predictions is %.2f", m.Skill().R2)
		if strings.HasSuffix(got, doubt) != doubtful {
			t.Errorf("noise of %v: %s", sd, got)
		}
	}
}

// Nothing is said to be certain, nor impossible, because none of some draws had it; a best
// trial that is no longer possible is not compared.
func TestNoCertainty(t *testing.T) {
	sure := fit(t, atRandom(t, mixed, 60))
	exact := fit(t, optimized(t, fm.NewSampler(), bowl, 40))
	narrowed := fit(t, narrowedStudy(t))
	for text, want := range map[string]string{
		sure.Recommend().String():     "with a probability of more than 99 %",
		exact.Advice().String():       "is left with a probability of less than 1 %",
		narrowed.Recommend().String(): "expected) is no longer possible",
	} {
		if !strings.Contains(text, want) || strings.Contains(text, "probability of 0 %") || strings.Contains(text, "probability of 100 %") {
			t.Errorf("%s, want %q", text, want)
		}
	}
}

// narrowedStudy returns a study whose best trials have values that later ones may not have.
func narrowedStudy(t *testing.T) *goptuna.Study {
	t.Helper()
	trials := 0
	return optimized(t, fm.NewSampler(), func(trial goptuna.Trial) (float64, error) {
		low := 0.0
		if trials++; trials > 15 {
			low = 0.5
		}
		x, err := trial.SuggestFloat("x", low, 1)
		return math.Pow(x-0.2, 2), err
	}, 30)
}

// One trial is not several.
func TestSummaryOfOneTrial(t *testing.T) {
	text := fit(t, atRandom(t, bowl, 1)).Summary()
	if !strings.Contains(text, "fitted to 1 trial\n") || !strings.HasSuffix(text, "go on: 1 trial cannot tell yet") {
		t.Error(text)
	}
}

// The sentence on the noise is left out where there is nothing to say.
func TestNoiseSummary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noisy := func(trial goptuna.Trial) (float64, error) {
		y, err := bowl(trial)
		return y + 0.1*rng.NormFloat64(), err
	}
	constant := func(trial goptuna.Trial) (float64, error) {
		_, err := floats(trial, 2)
		return 7, err
	}
	for _, test := range []struct {
		name  string
		model *insight.Model
		want  string
	}{
		{"noise", fit(t, atRandom(t, noisy, 30)), "near the best value the noise of a trial has a standard deviation of about "},
		{"none", fit(t, optimized(t, fm.NewSampler(), bowl, 30)), "near the best value there is hardly any noise, of less than 0.1 % of the way from there to the median"},
		{"none, as the user says", fit(t, atRandom(t, noisy, 30), insight.OptionDeterministicObjective(true)), ""},
		{"one value", fit(t, atRandom(t, constant, 10)), ""},
	} {
		got := test.model.NoiseSummary()
		if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if lines := strings.Split(test.model.Summary(), "\n"); slices.Contains(lines, got) == (test.want == "") || slices.Contains(lines, "") {
			t.Errorf("%s: the summary is %q", test.name, lines)
		}
	}
}

// With limits, a parameter that only they depend on explains nothing, and the sentence says of
// what that is.
func TestImportanceSummaryWithLimits(t *testing.T) {
	const part = "; these are shares of the value alone: a parameter may matter for the limits all the same"
	for _, limited := range []bool{false, true} {
		m := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
			xs, err := floats(trial, 2)
			if err != nil || !limited {
				return xs[0], err
			}
			return fm.Constrained(trial, xs[0], fm.AtMost("size", xs[1], 0.7))
		}, 40))
		last := m.Importance()[1]
		if got := m.ImportanceSummary(); strings.Contains(got, part) != limited || last.Param != "x2" || last.Overall > 0.01 {
			t.Errorf("limited %t: %s; %+v", limited, got, last)
		}
	}
}
