package insight_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// limited runs trials of x + y, of which the limit is at least so much.
func limited(t *testing.T, limit float64, trials int) *goptuna.Study {
	t.Helper()
	study, err := goptuna.CreateStudy("limited", goptuna.StudyOptionSampler(fm.NewSampler()), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := fm.Optimize(context.Background(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := floats(trial, 2)
		if err != nil {
			return 0, err
		}
		sum := x[0] + x[1]
		return fm.Constrained(trial, sum, fm.AtLeast("sum", sum, limit))
	}, trials); err != nil {
		t.Fatal(err)
	}
	return study
}

// What is best, recommended and expected to be gained is within the constraints, though
// better values are beyond.
func TestConstraints(t *testing.T) {
	study := limited(t, 1.2, 40)
	m := fit(t, study)
	if m.Trials() != 40 {
		t.Errorf("learned from %d of 40 trials", m.Trials())
	}
	best, err := study.GetBestValue()
	if err != nil {
		t.Fatal(err)
	}
	r := m.Recommend()
	if r.BestValue != best || best < 1.2 {
		t.Errorf("the best value is %v, for %v", r.BestValue, best)
	}
	if sum := r.Params["x1"].(float64) + r.Params["x2"].(float64); sum < 1.2 {
		t.Errorf("recommended: %v", r)
	}
	if _, gain, ok := m.Improvement(); !ok || gain > 0.05 {
		t.Errorf("a gain of %v is expected, where %v is the best", gain, best)
	}
	feasible := 0
	for _, left := range m.LeaveOneOut() {
		if left.Observed >= 1.2 {
			feasible++
		}
	}
	if advice := m.Advice(); !advice.Stop || feasible < 5 {
		t.Errorf("%v, after %d feasible trials", advice, feasible)
	}
	for _, branch := range m.Branches() {
		if branch.Trials != 40 || branch.Infeasible != 40-feasible {
			t.Errorf("%d of the %d trials of the branch are infeasible, want %d of 40", branch.Infeasible, branch.Trials, 40-feasible)
		}
		if branch.Best == nil || branch.Best.Observed != best {
			t.Errorf("%+v is the best of the branch", branch.Best)
		}
	}
}

// Violations are no values of the objective: while there is nothing else, there is no model of it.
func TestNoFeasibleTrial(t *testing.T) {
	if _, err := insight.Fit(limited(t, 3, 15)); !errors.Is(err, insight.ErrNoValue) {
		t.Errorf("%v", err)
	}
}

// limitedBy returns a study without trials, and a function that adds one of x, which is at
// least limit where it is feasible.
func limitedBy(t *testing.T, limit float64) (study *goptuna.Study, add func(x float64)) {
	t.Helper()
	study = atRandom(t, nil, 0)
	return study, func(x float64) {
		trial := goptuna.FrozenTrial{
			State: goptuna.TrialStateComplete, Value: x, Params: map[string]any{"x": x}, InternalParams: map[string]float64{"x": x},
			Distributions: map[string]any{"x": goptuna.UniformDistribution{Low: 0, High: 1}},
			SystemAttrs:   map[string]string{"fm:measured": fmt.Sprintf(`{"y":%v,"c":{"x":{"m":%v,"l":%v,"least":true}}}`, x, x, limit)},
		}
		if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
			t.Fatal(err)
		}
	}
}

// Less than five feasible trials cannot tell whether to stop.
func TestFewFeasibleTrials(t *testing.T) {
	const limit = 0.6
	study, add := limitedBy(t, limit)
	for i := range 20 {
		add(0.02 * float64(i))
	}
	for i := range 5 {
		add(limit + 0.05*float64(i))
		want := count(i+1) + " cannot tell yet"
		if reason := fit(t, study).Advice().Reason; (reason == want) != (i < 4) {
			t.Errorf("with %d feasible trials: %s", i+1, reason)
		}
	}
}

func count(feasible int) string {
	if feasible == 1 {
		return "1 feasible trial"
	}
	return fmt.Sprintf("%d feasible trials", feasible)
}

// What the second half of the trials has gained is gained by feasible ones, as a share of what
// lies between the best and the median of what is feasible: most of the space may be better, and
// is infeasible, and trials may crowd at the best one. Without a feasible trial in the first half
// it is everything.
func TestRecentWithinConstraints(t *testing.T) {
	const limit = 0.6
	for _, test := range []struct {
		name  string
		first float64 // what the best of the first half has
		step  float64 // between the feasible ones of the second half
		want  float64
	}{
		{"feasible trials in both halves", 0.7, 0.04, (0.7 - 0.6) / (0.8 - 0.6)},
		{"crowded at the best", 0.7, 0.001, (0.7 - 0.6) / (0.8 - 0.6)},
		{"in the second half alone", 0.1, 0.04, 1},
	} {
		study, add := limitedBy(t, limit)
		for i := range 10 {
			add(test.first + 0.03*float64(i))
			add(0.06 * float64(i))
		}
		for i := range 10 {
			add(limit + test.step*float64(i))
			add(0.05 * float64(i))
		}
		if a := fit(t, study).Advice(); math.Abs(a.Recent-test.want) > 0.03 {
			t.Errorf("%s: %v of the spread, want %v: %v", test.name, a.Recent, test.want, a)
		}
	}
}

// With a limit, to which the trials go, the advice is to stop as it is without.
func TestAdviceStopsWithinConstraints(t *testing.T) {
	fmtest.Sequential(t)
	for seed := range int64(3) {
		study := optimized(t, fm.NewSampler(fm.SamplerOptionSeed(seed)), func(trial goptuna.Trial) (float64, error) {
			x, err := floats(trial, 2)
			if err != nil {
				return 0, err
			}
			y := math.Pow(x[0]-0.3, 2) + math.Pow(x[1]-0.6, 2)
			return fm.Constrained(trial, y, fm.AtLeast("sum", x[0]+x[1], 1.2))
		}, 60)
		if a := fit(t, study).Advice(); !a.Stop || !strings.Contains(a.Reason, "from the median within the limits to the best value") {
			t.Errorf("seed %d: %v", seed, a)
		}
	}
}

// With noise in what has a limit, the best trials were lucky to be within it. They are nothing
// to improve on: else nothing would be left to gain.
func TestAdviceAtANoisyLimit(t *testing.T) {
	fmtest.Sequential(t)
	for seed := range int64(3) {
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		study := optimized(t, fm.NewSampler(fm.SamplerOptionSeed(seed)), func(trial goptuna.Trial) (float64, error) {
			batch, err := trial.SuggestLogFloat("batch", 1, 256)
			if err != nil {
				return 0, err
			}
			pool, err := trial.SuggestLogFloat("pool", 1, 64)
			if err != nil {
				return 0, err
			}
			p99 := (2 + 30/pool + batch/8) * math.Exp(0.1*rng.NormFloat64())
			return fm.Constrained(trial, 10+30/math.Sqrt(batch)+pool/8, fm.AtMost("p99", p99, 6))
		}, 70)
		m := fit(t, study)
		if r, a := m.Recommend(), m.Advice(); a.Gain == 0 || r.BestFeasible >= 0.5 {
			t.Errorf("seed %d: %v, with a best trial that would be feasible with %v", seed, a, r.BestFeasible)
		}
	}
}

// Where no trial would probably be within the limit again, the one that is most likely to be is
// recommended, and with which probability is said.
func TestNothingIsProbablyFeasible(t *testing.T) {
	const limit = 0.6
	study, _ := limitedBy(t, limit)
	d := map[string]any{"x": goptuna.UniformDistribution{Low: 0, High: 1}}
	for i := range 30 {
		x := 0.5 + 0.003*float64(i)
		measured := x + 0.1*math.Sin(1000*x) // as good as random
		if err := fm.AddTrial(study, x, map[string]any{"x": x}, d, fm.AtLeast("x", measured, limit)); err != nil {
			t.Fatal(err)
		}
	}
	r := fit(t, study).Recommend()
	if r.Feasible >= 0.7 || r.Feasible <= r.BestFeasible || r.Number < 0 {
		t.Errorf("%+v", r)
	}
	if text := r.String(); !strings.Contains(text, "within the limits with a probability of") {
		t.Error(text)
	}
	// Two in five trials were within, anywhere.
	study, _ = limitedBy(t, limit)
	d["x"] = goptuna.UniformDistribution{Low: 0.49, High: 0.59}
	for i := range 60 {
		x := 0.5 + 0.015*float64(i/10) + 1e-6*float64(i%10)
		measured := 0.55 + 0.02*math.Sin(100*float64(i))
		if i%5 < 2 {
			measured = 0.61
		}
		if err := fm.AddTrial(study, x+0.01*math.Cos(100*float64(i)), map[string]any{"x": x}, d, fm.AtLeast("x", measured, limit)); err != nil {
			t.Fatal(err)
		}
	}
	m := fit(t, study)
	if _, gain, _ := m.Improvement(); gain <= 0 || m.Advice().Gain == 0 {
		t.Errorf("the next trial is expected to gain %v, and ten trials %v", gain, m.Advice().Gain)
	}
	r = m.Recommend()
	if text := r.String(); r.Feasible >= 0.5 || !strings.Contains(text, "within the limits with a probability of ") {
		t.Errorf("feasible with %v: %s", r.Feasible, text)
	}
}

// Where what has a limit has noise, the best trial was lucky to be within it: the recommended
// configuration is worse, and rather within, which is said.
func TestRecommendedAtANoisyLimit(t *testing.T) {
	const limit = 0.6
	study, add := limitedBy(t, limit)
	for i := range 30 {
		add(0.4 + 0.02*float64(i))
	}
	d := map[string]any{"x": goptuna.UniformDistribution{Low: 0, High: 1}}
	const lucky = 0.57
	for i, measured := range []float64{0.61, 0.56, 0.59, 0.55, 0.58} { // at nearly the same place
		x := lucky + 0.0001*float64(i)
		if err := fm.AddTrial(study, x, map[string]any{"x": x}, d, fm.AtLeast("x", measured, limit)); err != nil {
			t.Fatal(err)
		}
	}
	r := fit(t, study).Recommend()
	if x := r.Params["x"].(float64); r.BestValue != lucky || r.BestFeasible >= 0.5 || r.Feasible < 0.5 || x < limit {
		t.Errorf("%+v", r)
	}
	if text := r.String(); !strings.Contains(text, "within the limits with a probability of") || strings.Contains(text, "better than") {
		t.Error(text)
	}
	without := limited(t, 1.2, 20)
	if r := fit(t, without).Recommend(); r.Objective.Value > r.BestValue+0.003 {
		t.Errorf("without noise: %v", r)
	}
	if r := fit(t, without, insight.OptionDeterministicObjective(true)).Recommend(); r.Number != r.Best || strings.Contains(r.String(), "within") {
		t.Errorf("deterministic: %v, feasible with %v", r, r.Feasible)
	}
}

// Failures by chance are no reason to keep away from a limit: a trial that had a value is
// recommended by what it measured.
func TestRecommendedBesideFailures(t *testing.T) {
	study, err := goptuna.CreateStudy("failing", goptuna.StudyOptionSampler(fm.NewSampler()), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	if err := fm.Optimize(context.Background(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := floats(trial, 2)
		if err != nil {
			return 0, err
		}
		if chance.Float64() < 0.4 {
			return 0, errors.New("the machine was lost")
		}
		sum := x[0] + x[1]
		return fm.Constrained(trial, sum, fm.AtLeast("sum", sum, 1.2))
	}, 50); err != nil {
		t.Fatal(err)
	}
	r := fit(t, study).Recommend()
	if r.Objective.Value > r.BestValue+0.003 || r.Feasible < 0.7 {
		t.Errorf("feasible with %v: %v", r.Feasible, r)
	}
}

// What each quantity with a limit depends on is known beside what the value depends on, and whether
// that is uncertain; also where no trial is within all limits. One that never differs depends on nothing.
func TestLimitImportance(t *testing.T) {
	fmtest.Sequential(t)
	for _, least := range []float64{0.3, 9} { // that one of the quantities must have
		rng := rand.New(rand.NewPCG(1, 1))
		study := optimized(t, problems.NewRandomSampler(1), func(trial goptuna.Trial) (float64, error) {
			x, err := floats(trial, 3)
			if err != nil {
				return 0, err
			}
			return fm.Constrained(trial, x[0], fm.AtLeast("lower", x[1], least), fm.AtMost("sum", x[0]+x[1], 1),
				fm.AtMost("noise", rng.Float64(), 0.7), fm.AtMost("unchanged", 1, 2))
		}, 60)
		h, err := history.Read(study, history.NoTrial)
		if err != nil {
			t.Fatal(err)
		}
		limits, err := insight.LimitsOf(h)
		if err != nil {
			t.Fatal(err)
		}
		shares, lines := map[string]float64{}, ""
		for _, l := range limits {
			lines += fmt.Sprintf("%s depends on %v\n", l.Limit, l)
			for _, share := range l.Shares {
				shares[l.Limit+" "+share.Param] = share.Overall
			}
		}
		for of, share := range map[string]float64{"lower x1": 0, "lower x2": 1, "lower x3": 0, "sum x1": 0.5, "sum x2": 0.5, "sum x3": 0} {
			if math.Abs(shares[of]-share) > 0.05 {
				t.Errorf("at least %v: %s has %v, want %v", least, of, shares[of], share)
			}
		}
		if !strings.Contains(lines, "; uncertain: R² = ") || !strings.HasSuffix(lines, "\nunchanged depends on no parameter, as far as is known\n") {
			t.Errorf("at least %v: %s", least, lines)
		}
		if m, err := insight.Fit(study); err == nil {
			if summary := m.Summary(); !strings.Contains(summary, lines) {
				t.Errorf("%s\nhas no\n%s", summary, lines)
			}
		} else if least < 1 || !errors.Is(err, insight.ErrNoValue) {
			t.Error(err)
		}
	}
}
