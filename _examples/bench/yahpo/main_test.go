package main

import (
	"bytes"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge/bridgetest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// openTest opens one of the scenarios that testdata has, with fewer parameters and a network
// that adds up its inputs: of its outputs the i-th is i times their sum.
func openTest(t *testing.T, name string) *network {
	t.Helper()
	i := slices.IndexFunc(scenarios, func(s *scenario) bool { return s.name == name })
	n, err := open(t.Context(), "testdata", scenarios[i], bridgetest.Python(), 1)
	bridgetest.SkipMissing(t, err)
	t.Cleanup(func() { n.workers.Close() })
	return n
}

// A trial has the parameters that its choices have, integers are whole, and what is decided
// is not asked for.
func TestSuggest(t *testing.T) {
	for _, test := range []struct {
		scenario string
		choices  []string // by which trials are told apart
		want     map[string]string
	}{
		{"rbv2_xgboost", []string{"booster"}, map[string]string{
			"gblinear": "booster nrounds subsample",
			"gbtree":   "booster eta max_depth nrounds subsample",
			"dart":     "booster eta max_depth nrounds rate_drop subsample",
		}},
		{"rbv2_super", []string{"learner", "svm.kernel"}, map[string]string{
			"rpart":          "learner rpart.maxdepth",
			"svm linear":     "learner svm.kernel",
			"svm polynomial": "learner svm.gamma svm.kernel",
			"svm radial":     "learner svm.gamma svm.kernel",
		}},
	} {
		fixed := func(name string) bool { return name == "task_id" || name == "repl" || name == "trainsize" }
		s, err := readSettings(filepath.Join("testdata", test.scenario), fixed)
		if err != nil {
			t.Fatal(err)
		}
		study, err := goptuna.CreateStudy("random", goptuna.StudyOptionSampler(problems.NewRandomSampler(1)), goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]string{}
		err = study.Optimize(func(trial goptuna.Trial) (float64, error) {
			config, err := s.suggest(&trial)
			if err != nil {
				return 0, err
			}
			if n, ok := config["nrounds"].(float64); ok && (n != math.Round(n) || n < 7 || n > 2981) {
				t.Errorf("%v rounds", n)
			}
			var choices []string
			for _, name := range test.choices {
				if choice, ok := config[name].(string); ok {
					choices = append(choices, choice)
				}
			}
			seen[strings.Join(choices, " ")] = strings.Join(slices.Sorted(maps.Keys(config)), " ")
			return 0, nil
		}, 60)
		if err != nil || !maps.Equal(seen, test.want) {
			t.Errorf("%s: asked for %v, %v; want %v", test.scenario, seen, err, test.want)
		}
	}
}

// The best of a loss is its least, and of an accuracy its largest.
func TestReadBest(t *testing.T) {
	best, err := readBest("testdata/global_statistics/instance_target_statistics.csv", "rbv2_xgboost")
	if err != nil || len(best) != 8 || best["12 acc"] != 100 || best["12 logloss"] != 100 {
		t.Errorf("got %v, %v", best, err)
	}
}

// What goes into the network is in its order: names as numbers, 0 for what is absent, and
// what is fixed. A target that is to be large is turned round.
func TestCosts(t *testing.T) {
	n := openTest(t, "rbv2_xgboost")
	configs := []map[string]any{
		{"booster": "dart", "nrounds": 10, "subsample": 0.5, "eta": 0.125, "max_depth": 3, "rate_drop": 0.25},
		{"booster": "gblinear", "nrounds": 20, "subsample": 0.5},
	}
	sums := []float64{1 + 3 + 13.875 + 1 + 10, 2 + 3 + 20.5 + 1 + 10} // the task is the third
	for target, factor := range map[string]float64{"acc": -1, "logloss": 6} {
		got, err := n.costs(t.Context(), "16", target, configs...)
		if err != nil || len(got) != 2 || got[0] != factor*sums[0] || got[1] != factor*sums[1] {
			t.Errorf("%s: %v, %v; want %v times %v", target, got, err, factor, sums)
		}
	}
	best, median, err := n.scale(t.Context(), "16", "logloss")
	if err != nil || best != 100 || median < 6*50 || median > 6*500 {
		t.Errorf("the best is %v and the median %v, %v; want 100, and that of the rounds is some 144", best, median, err)
	}
}

// Where there are no statistics, random draws are the scale: the least sum of inputs is that of
// a tree of depth 1.
func TestDrawn(t *testing.T) {
	n := openTest(t, "rbv2_super")
	best, median, err := n.scale(t.Context(), "16", "mmce")
	if least := 1 + 3 + 1 + 1 + 10.0; err != nil || best < least || best > least+0.1 || median < 20 {
		t.Errorf("the best is %v and the median %v, %v; want %v and more", best, median, err, least)
	}
	// What the network cannot predict fails.
	overflow := map[string]any{"learner": "svm", "svm.kernel": "radial", "svm.gamma": 1e39}
	if ys, err := n.costs(t.Context(), "16", "mmce", overflow); err != nil || len(ys) != 1 || !math.IsNaN(ys[0]) {
		t.Errorf("of an overflow the cost is %v, %v", ys, err)
	}
}

// There is a table per problem and one of their mean, each with differences, and runs are kept.
func TestRun(t *testing.T) {
	args := []string{
		"-data", "testdata", "-scenario", "rbv2_xgboost", "-methods", "fm,random", "-seeds", "1", "-trials", "12",
		"-python", bridgetest.Python(), "-runs", filepath.Join(t.TempDir(), "runs.csv"),
	}
	var outs [2]bytes.Buffer
	var log bytes.Buffer
	for i := range outs {
		log.Reset()
		bridgetest.SkipMissing(t, run(t.Context(), args, &outs[i], &log))
	}
	text := outs[0].String()
	if !strings.Contains(text, "rbv2_xgboost-12-acc\n") || strings.Count(text, "\nfm ") != 9 || strings.Count(text, "\nrandom ") != 18 {
		t.Errorf("got\n%s", text)
	}
	differences := strings.Split(text, "\nless that of fm, paired by seed\n")
	if after := differences[len(differences)-1]; len(differences) != 10 || strings.Count(after, "\nrandom ") != 1 || strings.Contains(after, "\nfm ") {
		t.Errorf("the difference is\n%s", after)
	}
	if outs[1].String() != text || strings.Contains(log.String(), "random") {
		t.Errorf("the second start printed\n%s\nand logged %s", &outs[1], &log)
	}
	var one bytes.Buffer
	if err := run(t.Context(), append(args, "-tasks", "16"), &one, io.Discard); err != nil {
		t.Fatal(err)
	}
	if text := one.String(); !strings.Contains(text, "rbv2_xgboost-16-acc\n") || strings.Count(text, "\nfm ") != 3 {
		t.Errorf("of one task\n%s", text)
	}
	var after bytes.Buffer
	if err := run(t.Context(), append(args, "-after", "3", "-methods", "fm,fm-best"), &after, io.Discard); err != nil {
		t.Fatal(err)
	}
	if text := after.String(); strings.Count(text, "\nfm-best ") != 18 || !strings.Contains(text, "n=5") {
		t.Errorf("after studies of the other tasks\n%s", text)
	}
	err := run(t.Context(), append(args, "-tasks", "16,17"), io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "task 17") {
		t.Errorf("of no task: error %v", err)
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "-data"},
		{"-data nowhere", "nowhere"},
		{"-data testdata -scenario nobody", "nobody"},
	} {
		err := run(t.Context(), strings.Fields(test.args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one of %s", test.args, err, test.want)
		}
	}
}
