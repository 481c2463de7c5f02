package main

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// One worker does what Goptuna's own loop does, failures included.
func TestOneWorkerIsSequential(t *testing.T) {
	const seed = 5
	cfg := testConfig(t, "-methods", "fm,random", "-trials", "25", "-startup", "5")
	for _, m := range cfg.methods {
		for _, p := range []*problems.Problem{problems.Func2C(), problems.Ackley5C(), problems.PressureVessel()} {
			r := simulated(t, m, p, harness.Team{Workers: 1}, seed, cfg.Trials)
			var want []float64
			sampler, err := m.Open(t.Context(), harness.Setting{Problem: harness.Function(p), Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			study := newStudy(t, sampler)
			for range cfg.Trials {
				err := study.Optimize(func(trial goptuna.Trial) (float64, error) {
					c, v, err := p.Suggest(&trial)
					if err != nil {
						t.Fatal(err)
					}
					value, err := p.Eval(c, v)
					if err != nil {
						want = append(want, math.NaN())
					} else {
						want = append(want, value)
					}
					return value, err
				}, 1)
				if err != nil && !errors.Is(err, problems.ErrInfeasible) {
					t.Fatal(err)
				}
			}
			if !slices.EqualFunc(r.Values, want, same) {
				t.Errorf("%s on %s: one worker got\n%v\nGoptuna\n%v", m.Name, p.Name, r.Values, want)
			}
			if want := sequentialTime(seed, cfg.Trials); r.time != want {
				t.Errorf("%s on %s: one worker took %v, want %v", m.Name, p.Name, r.time, want)
			}
		}
	}
}

// watch counts the trials that it sees in each state when one starts.
type watch struct {
	goptuna.Sampler
	finished, running []int
}

func (w *watch) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	trials, err := study.GetTrials()
	if err != nil {
		return 0, err
	}
	if len(trials) > len(w.finished) {
		var finished, running int
		for _, other := range trials {
			if other.State.IsFinished() {
				finished++
			} else if other.ID != trial.ID {
				running++
			}
		}
		w.finished, w.running = append(w.finished, finished), append(w.running, running)
	}
	return w.Sampler.Sample(study, trial, name, distribution)
}

// Trials are recorded in the order in which they end.
func TestEndsInOrderOfTime(t *testing.T) {
	const trials = 6
	one := simulated(t, harness.Random(), problems.Func2C(), harness.Team{Workers: 1}, 0, trials)
	all := simulated(t, harness.Random(), problems.Func2C(), harness.Team{Workers: trials}, 0, trials)
	// The trials are the same, and with a worker for each all start at 0.
	order := []int{0, 1, 2, 3, 4, 5}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(harness.Duration(0, a), harness.Duration(0, b)) })
	for i, number := range order {
		if all.Values[i] != one.Values[number] {
			t.Errorf("outcome %d is %v, want that of trial %d, %v", i, all.Values[i], number, one.Values[number])
		}
	}
	if want := harness.Duration(0, order[trials-1]); all.time != want {
		t.Errorf("the longest trial takes %v, the study %v", want, all.time)
	}
}

// Every suggestion sees the trials of the other workers running, and in the end
// all have ended.
func TestWorkersOverlap(t *testing.T) {
	const workers, trials = 4, 20
	sampler := &watch{Sampler: problems.NewRandomSampler(1)}
	study := newStudy(t, sampler)
	r := &simulation{Run: &harness.Run{Seed: 1}, problem: problems.PressureVessel(), Team: harness.Team{Workers: workers}}
	if err := r.simulate(t.Context(), study, trials); err != nil {
		t.Fatal(err)
	}
	for number := range trials {
		running := min(number, workers-1)
		if sampler.running[number] != running || sampler.finished[number] != number-running {
			t.Errorf("trial %d saw %d running and %d finished, want %d and %d", number,
				sampler.running[number], sampler.finished[number], running, number-running)
		}
	}
	all, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	ended := map[float64]bool{}
	for _, trial := range all {
		if !trial.State.IsFinished() {
			t.Errorf("trial %d is left %v", trial.Number, trial.State)
		}
		if trial.State == goptuna.TrialStateComplete {
			ended[trial.Value] = true
		}
	}
	for _, value := range r.Values {
		if !math.IsNaN(value) && !ended[value] {
			t.Errorf("the study has no trial with value %v", value)
		}
	}
	if len(r.Values) != trials || len(all) != trials {
		t.Errorf("%d outcomes of %d trials, want %d", len(r.Values), len(all), trials)
	}
	// All workers are busy but at the end, where one waits for another less than
	// the longest trial takes.
	total := sequentialTime(1, trials)
	if r.time < total/workers || r.time > total/workers+1.5 {
		t.Errorf("%d workers took %v for work of %v", workers, r.time, total)
	}
}

// Killed workers leave their trials running, are replaced at once, and cost no
// trial of those that the study is to end with.
func TestKilledWorkers(t *testing.T) {
	const workers, kills, trials = 4, 3, 20
	study := newStudy(t, problems.NewRandomSampler(1))
	r := &simulation{Run: &harness.Run{Seed: 1}, problem: problems.Func2C(), Team: harness.Team{Workers: workers, Kills: kills}}
	if err := r.simulate(t.Context(), study, trials); err != nil {
		t.Fatal(err)
	}
	all, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, trial := range all {
		if !trial.State.IsFinished() {
			left++
			continue
		}
		if hours := trial.DatetimeComplete.Sub(trial.DatetimeStart).Hours(); math.Abs(hours-harness.Duration(1, trial.Number)) > 1e-9 {
			t.Errorf("trial %d took %v h, want %v", trial.Number, hours, harness.Duration(1, trial.Number))
		}
	}
	if len(all) != trials+kills || left != kills || len(r.Values) != trials {
		t.Errorf("%d trials, %d left running, %d outcomes; want %d, %d, %d", len(all), left, len(r.Values), trials+kills, kills, trials)
	}
	if total := sequentialTime(1, trials); r.time < total/workers-1.5*kills/workers || r.time > (total+1.5*kills)/workers+1.5 {
		t.Errorf("%d workers took %v for work of %v", workers, r.time, total)
	}
}

// With outliers a share of the values that the study gets is larger, and what is shown is
// without.
func TestOutliers(t *testing.T) {
	const trials, share = 300, 0.2
	run := func(outliers float64) *harness.Run {
		r := &simulation{Run: &harness.Run{Seed: 1}, problem: problems.Func2C(), Team: harness.Team{Workers: 1}, disturbance: disturbance{outliers: outliers}}
		study := newStudy(t, problems.NewRandomSampler(1))
		if err := r.simulate(t.Context(), study, trials); err != nil {
			t.Fatal(err)
		}
		stored, err := study.GetTrials()
		if err != nil {
			t.Fatal(err)
		}
		for i, trial := range stored {
			if trial.Value != r.Observed[i] {
				t.Fatalf("trial %d is stored with %v, observed was %v", i, trial.Value, r.Observed[i])
			}
		}
		return r.Run
	}
	without, with := run(0), run(share)
	larger := 0
	for i, value := range without.Values {
		if without.Observed[i] != value || with.Values[i] != value || with.Observed[i] < value {
			t.Fatalf("trial %d: %v, observed %v; with outliers %v, observed %v", i, value, without.Observed[i], with.Values[i], with.Observed[i])
		}
		if with.Observed[i] > value {
			larger++
		}
	}
	if math.Abs(float64(larger)-share*trials) > 25 {
		t.Errorf("%d of %d values are larger, want about %.0f", larger, trials, share*trials)
	}
}

// Pairs in proportion have a ratio without error.
func TestRatioOfMeans(t *testing.T) {
	if ratio, se := ratioOfMeans([]float64{2, 4, 9}, []float64{1, 2, 4.5}); ratio != 2 || se != 0 {
		t.Errorf("got %v ± %v, want 2 ± 0", ratio, se)
	}
	// Residuals -1 and 1 have the standard deviation √2, their mean the error 1,
	// and the mean of the second numbers is 2.
	if ratio, se := ratioOfMeans([]float64{1, 3}, []float64{2, 2}); ratio != 1 || math.Abs(se-0.5) > 1e-15 {
		t.Errorf("got %v ± %v, want 1 ± 0.5", ratio, se)
	}
}

func TestReach(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		curve  []float64
		value  float64
		trials float64
		ok     bool
		why    string
	}{
		{[]float64{4, 3, 1}, 2, 2.5, true, "half-way from the second trial to the third"},
		{[]float64{4, 3, 1}, 3, 2, true, "what a trial has"},
		{[]float64{4, 3, 3, 1}, 3, 2, true, "the first trial that has it"},
		{[]float64{4, 3, 1}, 5, 1, true, "no trial needs interpolation below the first"},
		{[]float64{4, 3, 1}, 0, 0, false, "never"},
		{[]float64{inf, 3, 1}, 4, 2, true, "no interpolation from infinity"},
		{[]float64{inf, inf}, inf, 0, false, "nothing to reach"},
	} {
		trials, ok := reach(test.curve, test.value)
		if trials != test.trials || ok != test.ok {
			t.Errorf("%v down to %v: got %v, %t, want %v, %t (%s)", test.curve, test.value, trials, ok, test.trials, test.ok, test.why)
		}
	}
}

// What a table of two made-up runs per row says.
func TestBatchRows(t *testing.T) {
	row := func(workers int, speed float64, curves ...[]float64) sample {
		s := sample{harness.Sample{Name: "fm"}, harness.Team{Workers: workers}}
		for seed, best := range curves {
			time := sequentialTime(int64(seed), 4) / speed
			s.Runs = append(s.Runs, &harness.Run{Seed: int64(seed), Values: best, Numbers: map[string]float64{"time": time}})
		}
		return s
	}
	one := row(1, 1, []float64{5, 3, 3, 1}, []float64{5, 5, 1, 1})
	two := row(2, 1.6, []float64{5, 4, 3, 1}, []float64{5, 4, 3, 1})
	four := row(4, 3.2, []float64{5, 5, 3, 3}, []float64{5, 3, 3, 3})
	tests := []struct {
		all       []sample
		reference int
		want      []string
		why       string
	}{
		{[]sample{one, two, four}, 3, []string{"fm 1 1.000 3.0 3.0", "fm 2 0.625 3.5 1.8", "fm 4 0.312 > 4 > 1.0"}, "the mean of one worker is 2 after 3 trials"},
		{[]sample{two}, 3, []string{"fm 2 0.625 ? ?"}, "nobody ran one worker"},
	}
	for _, test := range tests {
		for i, got := range batchRows(test.all, 4, test.reference)[1:] {
			if got := strings.Join(got, " "); got != test.want[i] {
				t.Errorf("got %q, want %q (%s)", got, test.want[i], test.why)
			}
		}
	}
}

// The option reaches the sampler: a model of few trials suggests others.
func TestModelTrials(t *testing.T) {
	values := func(modelTrials string) []float64 {
		cfg := testConfig(t, "-methods", "fm", "-trials", "20", "-startup", "5", "-model-trials", modelTrials)
		return simulated(t, cfg.methods[0], problems.Func2C(), harness.Team{Workers: 1}, 0, cfg.Trials).Values
	}
	all, enough, few := values("0"), values("20"), values("10")
	if !slices.Equal(all, enough) {
		t.Errorf("a bound that is not reached changes\n%v to\n%v", all, enough)
	}
	if !slices.Equal(all[:10], few[:10]) || slices.Equal(all, few) {
		t.Errorf("a bound of 10 trials must show after 10 trials:\n%v\n%v", all, few)
	}
}

func newStudy(t *testing.T, sampler goptuna.Sampler) *goptuna.Study {
	t.Helper()
	study, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil), goptuna.StudyOptionSampler(sampler))
	if err != nil {
		t.Fatal(err)
	}
	return study
}
