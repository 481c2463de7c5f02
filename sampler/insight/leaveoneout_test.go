package insight_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Left-out trials are those of the study with their values, and the skill is what
// they say.
func TestLeaveOneOut(t *testing.T) {
	study := atRandom(t, mixed, 60)
	m := fit(t, study)
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	left, inside := m.LeaveOneOut(), 0
	seen := map[int]bool{}
	for _, l := range left {
		seen[l.Number] = true
		if l.Observed != trials[l.Number].Value {
			t.Errorf("trial %d: %v, want %v", l.Number, l.Observed, trials[l.Number].Value)
		}
		if l.Predicted.Low > l.Predicted.Value || l.Predicted.Value > l.Predicted.High {
			t.Errorf("trial %d: %v", l.Number, l.Predicted)
		}
		if l.Inside() {
			inside++
		}
	}
	skill := m.Skill()
	if len(seen) != 60 || inside < 51 || skill.Coverage < 0.8 {
		t.Errorf("%d trials, %d inside, coverage %v", len(seen), inside, skill.Coverage)
	}
	if skill.R2 < 0.95 || skill.Rank < 0.95 {
		t.Errorf("%+v on a smooth function", skill)
	}
	noise := rand.New(rand.NewPCG(1, 2))
	if skill := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
		_, err := mixed(trial)
		return noise.NormFloat64(), err
	}, 100)).Skill(); skill.R2 > 0.2 || math.Abs(skill.Rank) > 0.4 {
		t.Errorf("%+v on noise", skill)
	}
}

// A disturbed measurement is left out, and said to be.
func TestOutliers(t *testing.T) {
	n := 0
	study := atRandom(t, func(trial goptuna.Trial) (float64, error) {
		y, err := mixed(trial)
		if n++; n%20 == 0 {
			y += 50
		}
		return y, err
	}, 60)
	m := fit(t, study)
	if got := m.Outliers(); !slices.Equal(got, []int{19, 39, 59}) {
		t.Errorf("outliers %v", got)
	}
	if text := m.String(); m.Trials() != 57 || !strings.HasSuffix(text, "fitted to 57 trials without 3 outliers") {
		t.Errorf("%d trials: %s", m.Trials(), text)
	}
	if got := fit(t, atRandom(t, mixed, 60)).Outliers(); len(got) > 0 {
		t.Errorf("outliers %v of a smooth function", got)
	}
}

// Intervals of 90 % hold 85 to 95 % of the trials that are left out, on average over
// studies of each problem. Of a quadratic, which has no noise, the prior's widens them.
func TestCoverage(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	const seeds = int64(3)
	sum, count := 0.0, 0.0
	for _, p := range problems.All() {
		mean := 0.0
		for seed := range seeds {
			left := fit(t, optimized(t, problems.NewRandomSampler(seed), problems.Objective(p), 150)).LeaveOneOut()
			for _, l := range left {
				if l.Inside() {
					mean += 1 / float64(len(left)) / float64(seeds)
				}
			}
		}
		t.Logf("%s: %.3f", p.Name, mean)
		upper := 0.95
		switch p.Name {
		case "Quadratic-mixed":
			upper = 0.96
		case "Knobs": // a sum of distances without noise, which is predicted better than the model knows
			upper = math.Inf(1)
		}
		if mean < 0.85 || mean > upper {
			t.Errorf("%s: coverage %.3f", p.Name, mean)
		}
		sum, count = sum+mean, count+1
	}
	if mean := sum / count; mean < 0.88 || mean > 0.93 {
		t.Errorf("mean coverage %.3f", mean)
	}
}

// What the model leaves out where trials were made with other data, it says.
func TestTrialsThatMislead(t *testing.T) {
	with := func(data string, sign float64) goptuna.FuncObjective {
		return func(trial goptuna.Trial) (float64, error) {
			if _, err := trial.SuggestCategorical("data", []string{data}); err != nil {
				return 0, err
			}
			y, err := mixed(trial)
			return sign * y, err
		}
	}
	study := atRandom(t, with("old", 1), 30)
	if err := study.Optimize(with("new", -1000), 20); err != nil {
		t.Fatal(err)
	}
	m := fit(t, study)
	if text := m.String(); m.Trials() != 20 || !strings.HasSuffix(text, "fitted to 20 trials; 30 with another value of data are left out") {
		t.Errorf("%d trials: %s", m.Trials(), text)
	}
}
