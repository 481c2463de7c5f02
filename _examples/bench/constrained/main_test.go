package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// A seed always draws the same problem and another seed another, of which about the share is
// feasible that the name says. The optimum of the objective alone is mostly excluded.
func TestDrawn(t *testing.T) {
	const points = 4000
	for _, k := range kinds()[len(problems.AllConstrained()):] {
		var share, constraints float64
		fmt.Sscanf(k.about, "drawn at random; constraints: %g, feasible: %g %%", &constraints, &share)
		excluded := 0
		for seed := range int64(10) {
			p, same, other := k.draw(seed), k.draw(seed), k.draw(seed+1)
			r := rand.New(rand.NewPCG(1, 2))
			feasible, least, holds := 0.0, math.Inf(1), false
			for range points {
				x := mixed.At(draws(len(mixed), r.Float64))
				y, violations := p.Eval(x)
				y1, violations1 := same.Eval(x)
				if y2, _ := other.Eval(x); y != y1 || y == y2 || !slices.Equal(violations, violations1) || len(violations) != int(constraints) {
					t.Fatalf("%s: %v, %v, %v, %v and, of another seed, %v", p.Name, y, violations, y1, violations1, y2)
				}
				inside := slices.Max(violations) <= 0
				if inside {
					feasible += 100. / points
				}
				if y < least {
					least, holds = y, inside
				}
			}
			// Five standard deviations: of the points here and of those that the limits are from.
			if tol := 5 * math.Sqrt(2*share*(100-share)/points); math.Abs(feasible-share) > tol {
				t.Errorf("%s: %.1f %% are feasible", p.Name, feasible)
			}
			if !holds {
				excluded++
			}
		}
		if excluded < 5 {
			t.Errorf("%s: the least of the values is excluded in %d of 10", k.name, excluded)
		}
	}
}

// A trial fails where a constraint is violated, and says by how much, and its value, if these are measured.
func TestProblem(t *testing.T) {
	for _, p := range problems.AllConstrained() {
		for _, kind := range []measured{measuredAll, measuredViolations, measuredNothing} {
			study, err := goptuna.CreateStudy("random", goptuna.StudyOptionSampler(problems.NewRandomSampler(1)), goptuna.StudyOptionLogger(nil), goptuna.StudyOptionIgnoreError(true))
			if err != nil {
				t.Fatal(err)
			}
			if err := study.Optimize(problem(p, kind).Objective, 20); err != nil {
				t.Fatal(err)
			}
			trials, err := study.GetTrials()
			if err != nil {
				t.Fatal(err)
			}
			for _, trial := range trials {
				c, v, err := p.Params.Point(trial.Params)
				if err != nil {
					t.Fatal(err)
				}
				y, violations := p.Eval(p.Params.Numbers(c, v))
				feasible := slices.Max(violations) <= 0
				if complete := trial.State == goptuna.TrialStateComplete; complete != feasible || complete && trial.Value != y {
					t.Errorf("%s: a trial is %s with the value %v, want %v where %v are at most 0", p.Name, trial.State, trial.Value, y, violations)
				}
				m := history.MeasurementOf(trial.SystemAttrs)
				hasValue := kind == measuredAll || kind == measuredViolations && feasible
				if (m.Value != nil) != hasValue || hasValue && *m.Value != y {
					t.Errorf("%s, measured: %v: a trial has %v, want the value %v: %t", p.Name, kind, m, y, hasValue)
				}
				if kind == measuredNothing && m.Quantities != nil || kind != measuredNothing && (len(m.Quantities) != len(violations) || m.Violations()["c0"] != violations[0]) {
					t.Errorf("%s, measured: %v: a trial has %v, want %v", p.Name, kind, m, violations)
				}
			}
		}
	}
}

// 0 at the optimum, 1 at the median of feasible points, and 2 for what is worse, or has none.
func TestReport(t *testing.T) {
	line := kind{name: "line", draw: func(int64) *problems.Constrained {
		return &problems.Constrained{Name: "line", Params: problems.Space{problems.Float("x", 0, 1)}, Optimum: 0.5, Eval: func(x []float64) (float64, []float64) {
			return x[0], []float64{0.5 - x[0]} // the median is 0.75
		}}
	}}
	runs := []*harness.Run{
		{Problem: "line", Method: "a", Seed: 3, Values: []float64{math.NaN(), 0.75, 0.5}},
		{Problem: "line", Method: "a", Seed: 4, Values: []float64{math.NaN(), math.NaN(), 1.25}},
	}
	regrets := regretsOf([]kind{line}, []int64{3, 4}, runs)
	for i, want := range [][]float64{{2, 1, 0}, {2, 2, 2}} {
		for j, got := range regrets[i].Values {
			if math.Abs(got-want[j]) > 0.02 {
				t.Errorf("seed %d: got %v, want %v", regrets[i].Seed, regrets[i].Values, want)
			}
		}
	}
	var out bytes.Buffer
	report(&out, []kind{line}, []*harness.Method{{Name: "a", Title: "a"}}, &harness.Budget{FirstSeed: 3, Seeds: 2, Trials: 2}, runs)
	if text := out.String(); !strings.Contains(text, "in 2 trials, and in 2\n") || !strings.Contains(text, "a       2     1, 1") {
		t.Errorf("got\n%s", text)
	}
}

// There is a table for each problem and two of means, runs are kept, and those of another
// label are shown.
func TestRun(t *testing.T) {
	args := []string{"-problem", "gramacy,one20,two3", "-seeds", "2", "-first-seed", "6", "-trials", "13", "-runs", filepath.Join(t.TempDir(), "runs.csv")}
	start := func(more ...string) (out, log string) {
		var o, l bytes.Buffer
		if err := run(t.Context(), append(args, more...), &o, &l); err != nil {
			t.Fatal(err)
		}
		return o.String(), l.String()
	}
	first, log := start("-methods", "fm,fm-failed,random", "-label", "before", "-startup", "5")
	if strings.Count(first, "\nbefore-failed ") != 11 || strings.Count(first, "\nmean\n") != 2 || !strings.Contains(log, "two3 7, before-failed, seed 7") {
		t.Errorf("got\n%s\nand logged\n%s", first, log)
	}
	second, log := start("-methods", "fm,fm-failed,random", "-label", "before")
	if second != first || strings.Contains(log, "random") {
		t.Errorf("the second start printed\n%s\nand logged %s", second, log)
	}
	if third, _ := start("-methods", "random", "-with", "before,before-failed"); !strings.Contains(third, "less that of random") {
		t.Errorf("got\n%s", third)
	}
}

// With noise the best trial may be beyond a limit in truth; without, it is the best that was
// tried.
func TestChoices(t *testing.T) {
	k := kinds()[len(problems.AllConstrained())]
	for _, noise := range []float64{0, 0.5} {
		lucky := 0
		for seed := range int64(4) {
			r := &harness.Run{Seed: seed}
			if err := choose(t.Context(), k.draw(seed), r, fm.NewSampler(fm.SamplerOptionSeed(seed)), 20, noises{noise, noise}); err != nil {
				t.Fatal(err)
			}
			regrets := r.Numbers
			if noise == 0 && regrets[luckiest] != regrets[tried] || regrets[recommended] < regrets[tried]-0.05 && regrets[tried] < worstRegret {
				t.Errorf("noise of %v, seed %d: %v", noise, seed, regrets)
			}
			if regrets[luckiest] == worstRegret && regrets[tried] < worstRegret {
				lucky++
			}
		}
		if (lucky > 0) != (noise > 0) {
			t.Errorf("noise of %v: %d of 4 best trials are beyond the limit", noise, lucky)
		}
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-problem", "gramacy,one20", "-seeds", "1", "-trials", "12", "-noise", "0.1"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"gramacy", "formulas", "one20", "families"} {
		if strings.Count(out.String(), "\n"+row+" ") != 1 {
			t.Errorf("no row of %s in\n%s", row, &out)
		}
	}
}

// Several workers, in simulated time, make as many trials as one, and other ones; of one they
// are those of the loop of Goptuna.
func TestWorkers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.csv")
	find := func(method string) *harness.Run {
		store, err := harness.OpenStore("", file)
		if err != nil {
			t.Fatal(err)
		}
		return store.Find("gramacy", method, 0, 14)
	}
	for _, workers := range []string{"1", "3"} {
		args := []string{"-methods", "fm,fm-failed", "-problem", "gramacy", "-seeds", "1", "-trials", "14", "-runs", file, "-workers", workers}
		var out bytes.Buffer
		if err := run(t.Context(), args, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	alone, alike := find("fm"), &harness.Run{Problem: "gramacy"}
	gramacy := problemOf(kinds(), alike)
	sampler, err := harness.FM("", "").Open(t.Context(), harness.Setting{Problem: problem(gramacy, measuredAll)})
	if err != nil {
		t.Fatal(err)
	}
	if err := share(t.Context(), gramacy, alike, sampler, harness.Team{Workers: 1}, 14, measuredAll); err != nil {
		t.Fatal(err)
	}
	team, failed := find("fm-3-workers"), find("fm-3-workers-failed")
	switch {
	case alone == nil || team == nil || failed == nil:
		t.Fatalf("got %v, %v, %v", alone, team, failed)
	case !slices.EqualFunc(alone.Values, alike.Values, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 || math.IsNaN(a) && math.IsNaN(b) }):
		t.Errorf("one simulated worker has %v, want %v", alike.Values, alone.Values)
	case slices.Equal(team.Values, alone.Values) || len(team.Values) != 14 || len(failed.Values) != 14:
		t.Errorf("got %v by one, %v by three, %v", alone.Values, team.Values, failed.Values)
	}
}

// The file beside the program has what is published, and says of which version.
func TestPeers(t *testing.T) {
	store, err := harness.OpenStore("", "peers.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds() {
		for method, seeds := range map[string]int64{"optuna-tpe": 10, "optuna-gp": 10} {
			for seed := range seeds {
				if r := store.Find(k.draw(seed).Name, method, seed, 60); r == nil || r.Version == "" {
					t.Errorf("%s, %s, seed %d: got %+v", k.name, method, seed, r)
				}
			}
		}
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-problem nobody", "nobody"},
		{"-methods nobody", "nobody"},
		{"-startup 8", "-label"},
		{"-methods=", "-methods or -with"},
		{"-methods random -with random", "random is in"},
		{"-methods= -with nobody -problem beam -seeds 1", "no run of nobody on beam"},
	} {
		err := run(t.Context(), strings.Fields(test.args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one of %s", test.args, err, test.want)
		}
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-problems"}, &out, io.Discard); err != nil || strings.Count(out.String(), "\n") != len(kinds()) {
		t.Errorf("%v; got\n%s", err, &out)
	}
}
