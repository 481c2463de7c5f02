package insight_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/tpe"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// mixed asks for every kind of parameter; its value is that of a bowl plus a step.
func mixed(trial goptuna.Trial) (float64, error) {
	x, err := trial.SuggestLogFloat("rate", 1e-4, 1)
	if err != nil {
		return 0, err
	}
	n, err := trial.SuggestInt("layers", 1, 4)
	if err != nil {
		return 0, err
	}
	c, err := trial.SuggestCategorical("kind", []string{"a", "b"})
	if err != nil {
		return 0, err
	}
	if _, err := trial.SuggestFloat("fixed", 3, 3); err != nil {
		return 0, err
	}
	u := math.Log10(x) + 2
	value := 5 + u*u + 0.2*float64(n)
	if c == "b" {
		value++
	}
	return value, nil
}

func TestPredict(t *testing.T) {
	m := fit(t, atRandom(t, mixed, 80))
	objective, trial, err := m.Predict(map[string]any{"rate": 0.1, "layers": 2, "kind": "b", "fixed": 3.0})
	if err != nil {
		t.Fatal(err)
	}
	if want := 7.4; math.Abs(objective.Value-want) > 0.1 || objective.Low > want || objective.High < want {
		t.Errorf("%v at a value of %v", objective, want)
	}
	if objective.Low > trial.Value || trial.Value > objective.High || trial.Low > objective.Low || trial.High < objective.High {
		t.Errorf("a trial measures %v of %v", trial, objective)
	}
	for what, params := range map[string]map[string]any{
		"rate":   {"layers": 2, "kind": "b"},
		"kind":   {"rate": 0.1, "layers": 2, "kind": "c"},
		"layers": {"rate": 0.1, "layers": 9, "kind": "b"},
		"2.5":    {"rate": 0.1, "layers": 2.5, "kind": "b"},
		"color":  {"rate": 0.1, "layers": 2, "kind": "b", "color": "red"},
	} {
		if _, _, err := m.Predict(params); err == nil || !strings.HasPrefix(err.Error(), "fm: ") || !strings.Contains(err.Error(), what) {
			t.Errorf("%v: error %v", params, err)
		}
	}
}

// Of a conditional space only what occurs is predicted: the parameters of a branch, all
// of them, and no others.
func TestPredictConditional(t *testing.T) {
	m := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"tree", "net"})
		if err != nil {
			return 0, err
		}
		if kind == "tree" {
			depth, err := trial.SuggestInt("depth", 1, 10)
			return float64(depth), err
		}
		return trial.SuggestFloat("width", 0, 1)
	}, 60))
	for _, test := range []struct {
		params map[string]any
		want   string // of the error; none where it is empty
	}{
		{map[string]any{"kind": "tree", "depth": 3}, ""},
		{map[string]any{"kind": "net", "width": 0.5}, ""},
		{map[string]any{"kind": "tree"}, "is in no branch"},
		{map[string]any{"kind": "net"}, `"width" is missing`}, // which would be in the middle
		{map[string]any{"kind": "tree", "width": 0.5}, "is in no branch"},
		{map[string]any{"kind": "tree", "depth": 3, "width": 0.5}, "and no others"},
		{map[string]any{"kind": "net", "depth": 3}, `"width" is missing`},
	} {
		if _, _, err := m.Predict(test.params); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v, want %q", test.params, err, test.want)
		}
	}
}

// A branch in which all trials fail is shown with their number, until there are several.
// What its configurations would be worth is predicted even then.
func TestFailingBranch(t *testing.T) {
	for _, test := range []struct{ trials, branches, failures int }{{10, 3, 1}, {30, 2, 0}} {
		m := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
			kind, err := trial.SuggestCategorical("kind", []string{"a", "b", "fails"})
			if err != nil {
				return 0, err
			}
			x, err := trial.SuggestFloat("x", 0, 1)
			switch {
			case kind == "fails":
				return 0, errors.New("fails")
			case kind == "b" && err == nil:
				y, err := trial.SuggestFloat("y", 0, 1)
				return x + y, err
			}
			return x, err
		}, test.trials))
		branches, failures := m.Branches(), 0
		for _, b := range branches {
			failures += b.Failures
		}
		if len(branches) != test.branches || failures != test.failures {
			t.Errorf("after %d trials: %d branches with %d failures, want %d with %d", test.trials, len(branches), failures, test.branches, test.failures)
		}
		if _, _, err := m.Predict(map[string]any{"kind": "fails", "x": 0.5}); err != nil {
			t.Errorf("after %d trials: %v", test.trials, err)
		}
	}
}

// A study that maximises the negative says the same, negated.
func TestDirection(t *testing.T) {
	down := fit(t, atRandom(t, mixed, 60))
	up := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
		y, err := mixed(trial)
		return -y, err
	}, 60, goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize)))
	negated := func(p insight.Prediction) insight.Prediction {
		return insight.Prediction{Value: -p.Value, Low: -p.High, High: -p.Low}
	}
	a, b := down.Recommend(), up.Recommend()
	if !reflect.DeepEqual(a.Params, b.Params) || a.Number != b.Number || a.Best != b.Best || a.BestValue != -b.BestValue ||
		a.Objective != negated(b.Objective) || a.Better != b.Better || a.Repeat != b.Repeat {
		t.Errorf("recommended\n%+v, and negated\n%+v", a, b)
	}
	if !reflect.DeepEqual(down.Importance(), up.Importance()) || *down.Advice() != *up.Advice() || down.Skill() != up.Skill() {
		t.Errorf("importance, advice or skill differ:\n%v %v %v\n%v %v %v", down.Importance(), down.Advice(), down.Skill(), up.Importance(), up.Advice(), up.Skill())
	}
	p, _ := down.PartialDependence("rate")
	q, _ := up.PartialDependence("rate")
	for i := range p.At {
		if p.At[i] != negated(q.At[i]) {
			t.Errorf("at %v: %v, and negated %v", p.Values[i], p.At[i], q.At[i])
		}
	}
}

// A fit reads, and the same study gives the same answers.
func TestFitReads(t *testing.T) {
	study := optimized(t, fm.NewSampler(), mixed, 25)
	before := fmtest.TrialsOf(t, study)
	attrs, err := study.GetUserAttrs()
	if err != nil {
		t.Fatal(err)
	}
	first := fit(t, study).Summary()
	after, err := study.GetUserAttrs()
	if err != nil || !reflect.DeepEqual(attrs, after) {
		t.Errorf("the study's attributes changed, error %v", err)
	}
	if again := fmtest.TrialsOf(t, study); !reflect.DeepEqual(before, again) {
		t.Error("the trials changed")
	}
	if second := fit(t, study).Summary(); first != second {
		t.Errorf("first\n%s\nthen\n%s", first, second)
	}
}

func TestFitWithoutValues(t *testing.T) {
	failing := func(trial goptuna.Trial) (float64, error) {
		if _, err := trial.SuggestFloat("x", 0, 1); err != nil {
			return 0, err
		}
		return 0, errors.New("out of memory")
	}
	for n := range 3 {
		if _, err := insight.Fit(atRandom(t, failing, n)); !errors.Is(err, insight.ErrNoValue) {
			t.Errorf("%d trials: error %v", n, err)
		}
	}
	if _, err := insight.Fit(atRandom(t, mixed, 10), insight.OptionGraph("kind", graphs.Path(3))); err == nil || !strings.Contains(err.Error(), "kind") {
		t.Errorf("a graph of the wrong order: error %v", err)
	}
}

// The kernel is the one of the option, and one that cannot be made is an error.
func TestOptionKernel(t *testing.T) {
	study := atRandom(t, mixed, 15)
	if got := fit(t, study, insight.OptionKernel(fmkernel.NewProdLap)).String(); !strings.HasPrefix(got, "ProdLap kernel on ") {
		t.Errorf("the model is a %s", got)
	}
	broken := func(int, ...*graphs.Graph) (*fmkernel.Kernel, error) { return nil, errors.New("no kernel") }
	if _, err := insight.Fit(study, insight.OptionKernel(broken)); err == nil || err.Error() != "fm: the model of the study: no kernel" {
		t.Errorf("error %v", err)
	}
}

// Whatever a study has, all answers are finite: few trials, equal values, nothing
// that varies, failures, huge values, running trials.
func TestOddStudies(t *testing.T) {
	constant := func(trial goptuna.Trial) (float64, error) {
		_, err := trial.SuggestFloat("x", 0, 1)
		return 7, err
	}
	single := func(trial goptuna.Trial) (float64, error) {
		_, err := trial.SuggestFloat("x", 1, 1)
		return 7, err
	}
	huge := func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", -300, 300)
		return math.Pow(10, x), err
	}
	flaky := func(trial goptuna.Trial) (float64, error) {
		y, err := mixed(trial)
		if n, _ := trial.Number(); n%3 == 0 {
			return y, errors.New("flaky")
		}
		return y, err
	}
	tiny := func(trial goptuna.Trial) (float64, error) {
		c, err := trial.SuggestCategorical("c", []string{"a", "b", "c"})
		return float64(len(c)) + float64(c[0]), err
	}
	for name, objective := range map[string]goptuna.FuncObjective{
		"constant": constant, "single": single, "huge": huge, "flaky": flaky, "tiny": tiny, "mixed": mixed,
	} {
		for _, n := range []int{1, 2, 3, 25} {
			study := optimized(t, fm.NewSampler(), objective, n)
			fmtest.RunningTrial(t, study)
			m, err := insight.Fit(study)
			if errors.Is(err, insight.ErrNoValue) {
				continue
			}
			if name == "single" {
				if err == nil || !strings.Contains(err.Error(), "more than one value") {
					t.Errorf("nothing varies: error %v", err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %d trials: %v", name, n, err)
				continue
			}
			m.Summary()
			m.Branches()
			if params, gain, ok := m.Improvement(); ok {
				if _, _, err := m.Predict(params); err != nil || !(gain >= 0) || math.IsInf(gain, 1) {
					t.Errorf("%s, %d trials: gain %v at %v, error %v", name, n, gain, params, err)
				}
			}
			m.Interactions(2)
			r, a := m.Recommend(), m.Advice()
			for _, v := range []float64{r.Objective.Value, r.Objective.Low, r.Objective.High, r.Better, a.Improvement, a.Gain, a.Left, a.Regret, a.Noise} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s, %d trials: %+v %+v", name, n, r, a)
				}
			}
			if a.Gain < 0 || a.Left < 0 || a.Left > 1+1e-9 || a.Improvement < 0 || a.Regret < 0 {
				t.Errorf("%s, %d trials: %+v", name, n, a)
			}
			for _, i := range m.Importance() {
				if !(i.Main >= 0 && i.Main <= i.Total && i.Total >= 0 && i.Total <= 1 && i.Overall >= 0) {
					t.Errorf("%s, %d trials: %+v", name, n, i)
				}
			}
		}
	}
}

// Problems of every kind, conditional ones included, by other samplers and ours.
func TestConditional(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	for _, c := range problems.Conditionals() {
		for name, sampler := range map[string]goptuna.Sampler{"FM": fm.NewSampler(), "random": problems.NewRandomSampler(1)} {
			study := optimized(t, sampler, c.Objective, 60)
			m := fit(t, study)
			r := m.Recommend()
			if _, _, err := m.Predict(r.Params); err != nil {
				t.Errorf("%s, %s: the recommended %v: %v", c.Name, name, r.Params, err)
			}
			branches := m.Branches()
			if len(branches) < 2 {
				t.Errorf("%s, %s: %d branches", c.Name, name, len(branches))
			}
			trials := 0
			for _, b := range branches {
				trials += b.Trials
				if len(b.Conditions) == 0 || len(b.Active) == 0 {
					t.Errorf("%s, %s: %+v", c.Name, name, b)
				}
			}
			if trials != 60 {
				t.Errorf("%s, %s: %d trials in the branches", c.Name, name, trials)
			}
			for _, i := range m.Importance() {
				if _, err := m.PartialDependence(i.Param); err != nil && !errors.Is(err, insight.ErrInactive) {
					t.Errorf("%s, %s: %v", c.Name, name, err)
				}
			}
		}
	}
	if got := (insight.Condition{Param: "x", Values: []any{"a", 2}}).String(); got != "x = a or 2" {
		t.Error(got)
	}
}

// What a caller does with an answer changes no other answer.
func TestAnswersAreTheCallers(t *testing.T) {
	m := fit(t, atRandom(t, mixed, 12))
	answers := func() string {
		return fmt.Sprint(*m.Branches()[0].Best, m.Recommend().Params, m.LeaveOneOut(), m.Importance())
	}
	before := answers()
	*m.Branches()[0].Best = insight.LeftOut{}
	clear(m.Recommend().Params)
	clear(m.LeaveOneOut())
	clear(m.Importance())
	if after := answers(); after != before {
		t.Errorf("first\n%s\nthen\n%s", before, after)
	}
}

// A configuration that is recommended can be predicted, on a grid far from zero, too.
func TestGridFarFromZero(t *testing.T) {
	const low = 1.7e9
	study := optimized(t, fm.NewSampler(), func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestDiscreteFloat("x", low, low+1000, 0.001)
		return math.Abs(x - low - 321.234), err
	}, 25)
	m := fit(t, study)
	r := m.Recommend()
	for _, params := range []map[string]any{r.Params, r.BestParams} {
		if _, _, err := m.Predict(params); err != nil {
			t.Errorf("%v: %v", params, err)
		}
	}
}

// A parameter whose choices follow from another choice is several, and configurations have
// it by the name that the objective asks by.
func TestVariants(t *testing.T) {
	study := optimized(t, problems.NewRandomSampler(1), problems.Solvers().Objective, 60)
	m := fit(t, study)
	want := []string{"mix", "penalty (lbfgs, newton)", "penalty (liblinear)", "penalty (saga)", "solver", "strength", "tolerance (lbfgs, liblinear, newton)", "tolerance (saga)"}
	if got := m.Params(); !slices.Equal(got, want) {
		t.Fatalf("parameters %q, want %q", got, want)
	}
	trials, _ := study.GetTrials()
	for _, trial := range trials {
		solver := trial.Params["solver"].(string)
		for _, name := range want {
			asked, of, variant := strings.Cut(strings.TrimSuffix(name, ")"), " (")
			has := !variant && trial.Params[asked] != nil || variant && slices.Contains(strings.Split(of, ", "), solver)
			if value, ok := m.Value(name, trial.Params); ok != has || has && value != trial.Params[asked] {
				t.Errorf("%s of %v: %v, %t", name, trial.Params, value, ok)
			}
		}
		if _, _, err := m.Predict(trial.Params); err != nil {
			t.Errorf("%v: %v", trial.Params, err)
		}
	}
	for _, wrong := range []map[string]any{
		{"solver": "lbfgs", "penalty": "l1", "strength": 1.0, "tolerance": 1e-4},
		{"solver": "saga", "penalty": "l1", "strength": 1.0, "tolerance": 1e-8},
		{"solver": "saga", "penalty": "l1", "strength": 1.0},
	} {
		if _, _, err := m.Predict(wrong); err == nil {
			t.Errorf("%v has a prediction", wrong)
		}
	}
	if _, ok := m.Value("unknown", trials[0].Params); ok {
		t.Error("an unknown parameter has a value")
	}
}

// The parent of a parameter may be a float with a step, whose values have rounding errors: one as
// a user writes it is the same.
func TestVariantOfRoundedParent(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		q, err := trial.SuggestDiscreteFloat("q", 0.1, 0.5, 0.1) // 0.30000000000000004 among them
		if err != nil {
			return 0, err
		}
		low := 0.0
		if q > 0.25 {
			low = 10
		}
		x, err := trial.SuggestFloat("x", low, low+1)
		return q + x, err
	}, 20)
	model, err := insight.Fit(study)
	if err != nil {
		t.Fatal(err)
	}
	if names, want := model.Params(), []string{"q", "x (0.1, 0.2)", "x (0.3, 0.4, 0.5)"}; !slices.Equal(names, want) {
		t.Errorf("parameters %q, want %q", names, want)
	}
	if _, _, err := model.Predict(map[string]any{"q": 0.3, "x": 10.5}); err != nil {
		t.Error(err)
	}
}

// Where values do not tell yet which trials have a parameter more, the best trial that has
// it is recommended, unless another configuration is more likely to be better than not.
func TestRecommendUnexplained(t *testing.T) {
	letters := []string{"x", "y", "z"}
	for seed := range int64(3) {
		study := optimized(t, fm.NewSampler(fm.SamplerOptionSeed(seed)), func(trial goptuna.Trial) (float64, error) {
			a, errA := trial.SuggestCategorical("a", letters)
			b, errB := trial.SuggestCategorical("b", letters)
			rate, err := trial.SuggestFloat("rate", 0, 1)
			if err := errors.Join(errA, errB, err); err != nil || a != b {
				return rate + 0.8, err
			}
			m, err := trial.SuggestFloat("m", 0, 1)
			return rate + 1 - m, err
		}, 25)
		if r := fit(t, study).Recommend(); r.Better < 0.5 {
			t.Errorf("seed %d: %v is recommended, which is better than the best trial with probability %.2g", seed, r.Params, r.Better)
		}
	}
}

// Regions without a value left, as after all choices of a parameter were replaced,
// do no harm.
func TestEditedStudy(t *testing.T) {
	sampler := fm.NewSampler()
	study := optimized(t, sampler, func(trial goptuna.Trial) (float64, error) {
		c, err := trial.SuggestCategorical("c", []string{"a", "b"})
		return float64(len(c)), err
	}, 12)
	if err := study.Optimize(func(trial goptuna.Trial) (float64, error) {
		c, err := trial.SuggestCategorical("c", []string{"d", "e"})
		if err != nil {
			return 0, err
		}
		x, err := trial.SuggestFloat("x", 0, 1)
		return x + float64(c[0]), err
	}, 12); err != nil {
		t.Fatal(err)
	}
	m := fit(t, study)
	for _, v := range m.Recommend().Params {
		if v == "a" || v == "b" {
			t.Errorf("recommended %v", m.Recommend().Params)
		}
	}
	m.Summary()
}

// A model answers several goroutines as it answers one.
func TestConcurrentUse(t *testing.T) {
	study := atRandom(t, mixed, 30)
	want := fit(t, study).Summary()
	m := fit(t, study)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if got := m.Summary(); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if _, err := m.PartialDependence("kind"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// What is recommended can be predicted, in branches of which all trials fail, too.
func TestRecommendedIsPredicted(t *testing.T) {
	fmtest.Sequential(t)
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			return 0, err
		}
		kind, err := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
		if err != nil {
			return 0, err
		}
		y := x
		if kind == "a" || x > 0.6 {
			z, err := trial.SuggestFloat("z", 0, 1)
			if err != nil {
				return 0, err
			}
			if z > 0.5 {
				return 0, errors.New("fails")
			}
			y += z - 1
		}
		if kind == "c" {
			w, err := trial.SuggestInt("w", 0, 9)
			if err != nil {
				return 0, err
			}
			if w%3 == 0 {
				return 0, goptuna.ErrTrialPruned
			}
			y -= float64(w)
		}
		return y, nil
	}
	for seed := range int64(60) {
		m := fit(t, optimized(t, fm.NewSampler(fm.SamplerOptionSeed(seed)), objective, 14+int(seed%15)))
		if _, _, err := m.Predict(m.Recommend().Params); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// The configuration of the best trial can be predicted though no other has its parameters, and
// though its float is not the same to the last bit when it was a coordinate.
func TestRecommendOfOddTrial(t *testing.T) {
	for seed := range int64(20) {
		n := 0
		m := fit(t, optimized(t, problems.NewRandomSampler(seed), func(trial goptuna.Trial) (float64, error) {
			_, err := trial.SuggestFloat("x", 7, 107)
			if n++; err != nil || n == 1 {
				return -1, err
			}
			return trial.SuggestFloat("y", 1e3, 1e4)
		}, 4))
		if _, _, err := m.Predict(m.Recommend().Params); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// Trials that were copied without the values that objectives get have configurations, too.
func TestRecommendOfClonedTrials(t *testing.T) {
	original := atRandom(t, mixed, 30)
	trials, err := original.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	study := optimized(t, problems.NewRandomSampler(1), mixed, 0)
	for _, trial := range trials {
		trial.Params = nil
		if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
			t.Fatal(err)
		}
	}
	got, want := fit(t, study).Recommend(), fit(t, original).Recommend()
	if !maps.Equal(got.Params, want.Params) || !maps.Equal(got.BestParams, want.BestParams) {
		t.Errorf("recommends %v, best %v; want %v, best %v", got.Params, got.BestParams, want.Params, want.BestParams)
	}
}

// Goptuna's TPE returns the upper end of a step int, and values between the steps, of which
// the objective gets the nearest step. All are observations.
func TestStepIntsOfTPE(t *testing.T) {
	for _, high := range []int{100, 95} {
		study := optimized(t, tpe.NewSampler(tpe.SamplerOptionSeed(1)), func(trial goptuna.Trial) (float64, error) {
			x, err := trial.SuggestStepInt("x", 0, high, 10)
			if err != nil {
				return 0, err
			}
			y, err := trial.SuggestFloat("y", 0, 1)
			return float64(100-x)/100 + 0.2*y, err
		}, 60)
		m := fit(t, study)
		best, err := study.GetBestValue()
		if err != nil {
			t.Fatal(err)
		}
		r := m.Recommend()
		if m.Trials() != 60 || r.BestValue != best {
			t.Errorf("up to %d: %d of 60 trials are observations; the best value is %v, want %v", high, m.Trials(), r.BestValue, best)
		}
		if x := r.BestParams["x"].(int); x >= high && !strings.Contains(r.String(), "no longer possible") {
			t.Errorf("up to %d: %v", high, r)
		}
	}
}

// An optimum at the border of a branch lies in it.
func TestRecommendedAtABorder(t *testing.T) {
	fmtest.Sequential(t)
	for seed := range int64(30) {
		for _, below := range []bool{false, true} {
			study := optimized(t, problems.NewRandomSampler(seed), func(trial goptuna.Trial) (float64, error) {
				x, err := trial.SuggestFloat("x", 0.18, 1.04)
				if err != nil {
					return 0, err
				}
				if (x < 0.6) != below {
					return 1 + math.Abs(x-0.6), nil
				}
				y, err := trial.SuggestFloat("y", 0, 1)
				return math.Abs(x-0.6) + (y-0.3)*(y-0.3), err
			}, 40)
			m := fit(t, study)
			if _, _, err := m.Predict(m.Recommend().Params); err != nil {
				t.Errorf("seed %d, below %t: %v", seed, below, err)
			}
		}
	}
}

// A nil option is an error that says which one it is.
func TestFitNilOption(t *testing.T) {
	_, err := insight.Fit(atRandom(t, bowl, 5), insight.OptionSeed(1), nil)
	if err == nil || !strings.Contains(err.Error(), "option 2 is nil") {
		t.Errorf("%v", err)
	}
}
