package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup/lookuptest"
)

// start runs the program and returns what it prints and logs.
func start(t *testing.T, args ...string) (out, log string) {
	t.Helper()
	var texts [2]bytes.Buffer
	if err := run(t.Context(), args, &texts[0], &texts[1]); err != nil {
		t.Fatal(err)
	}
	return texts[0].String(), texts[1].String()
}

// A second start makes no run again; a variant and ordinals of another kind come
// beside the runs that there are.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	options := []string{"-data", lookuptest.Directory(t), "-seeds", "2", "-first-seed", "5", "-trials", "12", "-jobs", "2", "-out", dir}
	plain := append(options, "-methods", "fm,tpe,random")
	first, log := start(t, plain...)
	if got := strings.Count(log, "in the sampler"); got != 3*3*2 {
		t.Errorf("%d runs, want 18:\n%s", got, log)
	}
	for _, want := range []string{
		"Seeds 5 to 6, 12 trials", "failing: 2 parameters, a grid of 6 cells", "expected  1     0.0000", "sample, looked up by the nearest row",
		"mean over the grids, 2 of them", "Mean rank over 3 tables; critical difference 1.91", "Difference fm - tpe",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in the output:\n%s", want, first)
		}
	}
	for _, name := range []string{"failing", "whole", "sample", "summary"} {
		if info, err := os.Stat(filepath.Join(dir, name+".png")); err != nil || info.Size() < 1000 {
			t.Errorf("picture %s: %v, error %v", name, info, err)
		}
	}
	second, log := start(t, plain...)
	if strings.Contains(log, "in the sampler") {
		t.Errorf("runs are made again:\n%s", log)
	}
	if withoutSeconds(second) != withoutSeconds(first) {
		t.Errorf("from the file\n%s\nat first\n%s", second, first)
	}

	if testing.Short() { // as under the race detector: what follows draws many pictures more
		return
	}
	other, log := start(t, append(options, "-table", "whole", "-methods", "fm", "-label", "fm-prod", "-kernel", "prodlap", "-with", "fm,random", "-pair", "fm-prod,fm")...)
	if got := strings.Count(log, "fm-prod, seed"); got != 2 || strings.Count(log, "in the sampler") != 2 {
		t.Errorf("want two runs of the variant, and none else:\n%s", log)
	}
	if !strings.Contains(other, "Difference fm-prod - fm,") || strings.Contains(other, "mean over") {
		t.Errorf("no difference, or a mean of one table:\n%s", other)
	}

	if other, log = start(t, append(options, "-methods", "", "-with", "fm-prod,fm", "-table", "whole")...); log != "" || !strings.Contains(other, "Difference fm-prod - fm,") {
		t.Errorf("a report on the file alone:\n%s\n%s", log, other)
	}

	for name, flag := range map[string]string{"random-conditional": "-conditional", "random-idle3": "-idle=3", "random-noise0.5": "-noise=0.5"} {
		other, log = start(t, append(options, "-table", "whole", flag, "-methods", "random")...)
		if got := strings.Count(log, name+", seed"); got != 2 || strings.Contains(other, "expected") {
			t.Errorf("want two runs of %s, and no expectation over the grid:\n%s\n%s", name, log, other)
		}
	}

	file := filepath.Join(dir, "runs.csv")
	read := append(options, "-table", "failing", "-ordinals", "choice", "-methods", "random", "-with", "fm", "-read", file, "-runs", filepath.Join(dir, "other.csv"))
	other, log = start(t, read...)
	if got := strings.Count(log, "random-choice, seed"); got != 2 || !strings.Contains(other, "\nfm ") {
		t.Errorf("want two runs of random-choice, and those of fm from the other file:\n%s\n%s", log, other)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "other.csv")); err != nil || bytes.Count(text, []byte("\n")) != 3 {
		t.Errorf("the file has other runs than those that were made: %s, error %v", text, err)
	}
}

// withoutSeconds cuts off the last column, which the file has with fewer digits.
func withoutSeconds(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, line[:strings.LastIndex(line, " ")+1])
	}
	return strings.Join(lines, "\n")
}

func TestRunRefuses(t *testing.T) {
	t.Setenv("FM_TABLES", lookuptest.Directory(t))
	for _, test := range []struct{ args, want string }{
		{"-table other", `no "other"`},
		{"-methods grid", `no "grid"`},
		{"-ordinals float", "need int or choice"},
		{"-idle -1", "negative"},
		{"-noise NaN", "finite"},
		{"-slice 8", "-label"},
		{"-label a -slice -1", "negative"},
		{"-label a -kernel cosine", `no kernel "cosine"`},
		{"-pair fm", "need two names"},
		{"-pair fm,smac", "smac is not among"},
		{"-methods fm -with fm", "in -with"},
		{"-with absent -methods random", "no run of absent"},
		{"-methods=", "must name a method"},
		{"-seeds 0", "at least 1"},
		{"-data nowhere", "no table"},
		{"-read nowhere.csv", "nowhere.csv"},
	} {
		args := append(strings.Fields(test.args), "-trials", "2", "-seeds", "1", "-out", t.TempDir())
		if test.args == "-seeds 0" {
			args = append(args, "-seeds", "0")
		}
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.args, err, test.want)
		}
	}
	t.Setenv("FM_TABLES", "")
	if err := run(t.Context(), nil, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "FM_TABLES") {
		t.Errorf("without a directory: %v", err)
	}
}

// Before the first success the worst row counts: of failing, whose regret is 1.6.
func TestCurveOf(t *testing.T) {
	nan := math.NaN()
	r := curveOf(lookuptest.Table(t, "failing"), &harness.Run{Values: []float64{nan, 0.8, nan, 1.6, 0}}, 0)
	if want := []float64{1.6, 0.8, 0.8, 0.8, 0}; !floats.EqualApprox(r.Values, want, 1e-12) {
		t.Errorf("got %v, want %v", r.Values, want)
	}
	if got := r.Numbers["failed"]; got != 0.4 {
		t.Errorf("a share of %v failed, want 0.4", got)
	}
}

// With noise the trial that looks best counts: not the best one, whose noise is bad.
func TestCurveOfNoise(t *testing.T) {
	var seed int64
	for ; !(harness.Noise(seed, 0) > 0 && harness.Noise(seed, 1) < 0 && harness.Noise(seed, 2) > 1); seed++ {
	}
	run := &harness.Run{Seed: seed, Values: []float64{0.5, 0.8, 0}}
	r := curveOf(lookuptest.Table(t, "failing"), run, 100)
	if want := []float64{0.5, 0.8, 0.8}; !slices.Equal(r.Values, want) || run.Observed != nil {
		t.Errorf("got %v, want %v", r.Values, want)
	}
}

// A method that lacks a table takes it from the ranks and the mean of all; the
// paired differences are by seed.
func TestReport(t *testing.T) {
	cfg := config{pair: []string{"a", "b"}}
	cfg.Budget, cfg.With = harness.Budget{Seeds: 2, Trials: 2}, []string{"a", "b"}
	tables := []*lookup.Table{lookuptest.Table(t, "failing"), lookuptest.Table(t, "whole"), lookuptest.Table(t, "sample")}
	run := func(problem, method string, seed int64, value float64) *harness.Run {
		return &harness.Run{Problem: problem, Method: method, Seed: seed, Values: []float64{value, value}}
	}
	r := newReport(cfg, tables, []*harness.Run{
		run("failing", "a", 1, 0.5), run("failing", "a", 2, 0.7), run("failing", "b", 2, 0.4), run("failing", "b", 1, 0.1),
		run("whole", "a", 1, 0.1),
		run("sample", "a", 1, 0.2), run("sample", "b", 1, 0.3),
	})
	if want := []string{"failing", "sample"}; !slices.Equal(r.common, want) || !slices.Equal(r.grids, want[:1]) {
		t.Errorf("all methods have %v, of them the grids %v, want %v", r.common, r.grids, want)
	}
	if got, want := fmt.Sprint(harness.MeanRanks(r.scores(2))), "[1.5 1.5]"; got != want {
		t.Errorf("ranks %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(r.pairRows()), "[[table seeds n=2] [failing 2 0.3500 ± 0.0500] [sample 1 -0.1000]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The file beside the program is complete, and says of which version.
func TestPeers(t *testing.T) {
	store, err := harness.OpenStore("", "peers.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"berkeleydb_c", "direct_arylation", "ga_tuning", "gpu_pnpoly_rtx3090", "hipacc", "hsmgp",
		"mongodb", "nasbench201", "perovskite_bandgap", "postgresql", "spark"} {
		for i := range int64(30) {
			seed := i // 0 to 19, and 100 to 109
			if i >= 20 {
				seed += 80
			}
			r := store.Find(name, "optuna-tpe", seed, 100)
			if r == nil || !strings.HasPrefix(r.Version, "optuna ") {
				t.Fatalf("no run on %s with seed %d, or without a version: %v", name, seed, r)
			}
			if best := r.Best(100); !(best >= 0 && best < 1) {
				t.Errorf("%v ends with a regret of %v", r, best)
			}
		}
	}
}
