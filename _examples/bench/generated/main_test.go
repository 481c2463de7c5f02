package main

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
	gfloats "gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Each family is named after how many parameters its problems have, a seed always draws the
// same problem and another seed another, and a trial has its value.
func TestFamilies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := map[string]bool{}
	for _, f := range families {
		if names[f.name] {
			t.Errorf("two families are %s", f.name)
		}
		names[f.name] = true
		d, same, other := f.of(3), f.of(3), f.of(4)
		if i := strings.LastIndexAny(f.name, "abcdefghijklmnopqrstuvwxyz"); f.name[i+1:] != strconv.Itoa(len(d.space)) {
			t.Errorf("%s has %d parameters", f.name, len(d.space))
		}
		values, failed, equal := map[float64]bool{}, 0, 0
		for range 200 {
			shares := draws(len(d.space), r.Float64)
			x := d.space.At(shares)
			y := d.value(x)
			if again := same.value(x); again != y && !math.IsNaN(y) {
				t.Fatalf("%s: %v and %v of the same problem", f.name, y, again)
			}
			if otherwise := other.value(other.space.At(shares)); otherwise == y {
				equal++
			}
			if math.IsNaN(y) {
				failed++
				continue
			}
			values[y] = true
		}
		if fails := f.name == "memory7" || f.name == "strict6"; failed > 190 || (failed > 0) != fails || len(values) < 4 && failed < 180 || equal > 100 {
			t.Errorf("%s: %d of 200 points fail, %d values, %d as another problem has them", f.name, failed, len(values), equal)
		}

		study, err := goptuna.CreateStudy("random", goptuna.StudyOptionSampler(problems.NewRandomSampler(1)), goptuna.StudyOptionLogger(nil), goptuna.StudyOptionIgnoreError(true))
		if err != nil {
			t.Fatal(err)
		}
		if err := study.Optimize(f.problem(3).Objective, 5); err != nil {
			t.Fatal(err)
		}
		trials, err := study.GetTrials()
		if err != nil {
			t.Fatal(err)
		}
		for _, trial := range trials {
			c, v, err := d.space.Point(trial.Params)
			if err != nil {
				t.Fatal(err)
			}
			if want := d.value(d.space.Numbers(c, v)); trial.Value != want && !math.IsNaN(want) {
				t.Errorf("%s: a trial has %v, want %v", f.name, trial.Value, want)
			}
		}
	}
}

// The other search finds optima that are known, and random points are much worse.
func TestReference(t *testing.T) {
	for _, name := range []string{"kinks10", "long-ints10", "valleys5", "rastrigin6", "products9", "scale5"} {
		i := slices.IndexFunc(families, func(f family) bool { return f.name == name })
		d := families[i].of(5)
		least, median, worst := harness.Reference(rand.New(rand.NewPCG(5, 0)), d.space, d.value, randomPoints)
		// Each of these sums begins at 0; ints and the effect of a choice add a little.
		if share := least / median; least < 0 || share > 0.06 || !(worst > median) {
			t.Errorf("%s: the least is %v of the median %v; the worst is %v", name, share, median, worst)
		}
	}
	fails := drawn{space: floats(1), value: func(x []float64) float64 {
		if x[0] > 0.5 {
			return math.NaN()
		}
		return x[0]
	}}
	if least, median, worst := harness.Reference(rand.New(rand.NewPCG(1, 0)), fails.space, fails.value, randomPoints); least > 1e-4 || math.Abs(median-0.25) > 0.02 || worst > 0.5 {
		t.Errorf("half of the space fails: got %v, %v and %v", least, median, worst)
	}
}

// Regrets are shares of the distance between the least value of all runs and the median, and
// those of the worst point before the first success. Differences are paired by problem.
func TestRegrets(t *testing.T) {
	line := family{name: "line1", draw: func(*rand.Rand) drawn {
		return drawn{space: floats(1), value: func(x []float64) float64 { return x[0] }}
	}}
	r := report{families: []family{line}, seeds: []int64{7, 8}, marks: []int{1, 2}}
	for _, name := range []string{"missing", "a", "b"} {
		r.methods = append(r.methods, &harness.Method{Name: name, Title: name})
	}
	runs := []*harness.Run{
		{Problem: "line1 7", Method: "a", Values: []float64{math.NaN(), 0.25}},
		{Problem: "line1 7", Method: "b", Values: []float64{-0.5, 0.5}},
		{Problem: "line1 8", Method: "a", Values: []float64{0.5, 0}},
		{Problem: "line1 8", Method: "b", Values: []float64{0.5, 0.25}},
	}
	regrets := r.regrets(runs)
	for method, want := range map[string][][]float64{"a": {{1.5, 0.75}, {1, 0}}, "b": {{0, 0}, {1, 0.5}}} {
		got := harness.RunsOf(regrets, "line1", method)
		for i, seed := range r.seeds {
			if len(got) != 2 || got[i].Seed != seed || !gfloats.EqualApprox(got[i].Values, want[i], 0.03) {
				t.Errorf("%s: got %v, want %v", method, got, want)
			}
		}
	}
	var out bytes.Buffer
	r.print(&out, runs)
	if text := out.String(); !strings.Contains(text, "less that of a\n\nmethod  n=1             n=2\nb       -0.7") {
		t.Errorf("got\n%s", text)
	}
}

// With noise, what the trial is worth that looks best: the second looks better than the first,
// and is worse.
func TestRegretsWithNoise(t *testing.T) {
	line := family{name: "line1", draw: func(*rand.Rand) drawn {
		return drawn{space: floats(1), value: func(x []float64) float64 { return x[0] }, noise: 10}
	}}
	seed := int64(0)
	for harness.Noise(seed, 0) < harness.Noise(seed, 1)+1 {
		seed++
	}
	r := report{families: []family{line}, seeds: []int64{seed}, marks: []int{2}}
	regrets := r.regrets([]*harness.Run{{Problem: line.nameOf(seed), Method: "a", Seed: seed, Values: []float64{0, 0.5}}})
	if got := regrets[0].Values[1]; math.Abs(got-1) > 0.05 {
		t.Errorf("the regret is %v, want that of the median", got)
	}
}

// There is a table for each family, and runs are kept, with the seed of their problem.
func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.csv")
	args := []string{"-family", "mixed7,moves6", "-seeds", "2", "-first-seed", "6", "-trials", "14", "-runs", file}
	start := func(more ...string) (out, log string) {
		var o, l bytes.Buffer
		if err := run(t.Context(), append(args, more...), &o, &l); err != nil {
			t.Fatal(err)
		}
		return o.String(), l.String()
	}
	first, _ := start("-methods", "fm,random", "-label", "before", "-startup", "5")
	if strings.Count(first, "\nbefore ") != 3 || strings.Count(first, "\nrandom ") != 4 {
		t.Errorf("got\n%s", first)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "\nmoves6 6,random,,6,") || !strings.Contains(string(text), "\nmoves6 7,random,,7,") {
		t.Errorf("%v; the file has\n%s", err, text)
	}
	second, log := start("-methods", "fm,random", "-label", "before")
	if second != first || strings.Contains(log, "random") {
		t.Errorf("the second start printed\n%s\nand logged %s", second, log)
	}
	if third, _ := start("-methods", "random", "-with", "before"); !strings.Contains(third, "less that of random") {
		t.Errorf("got\n%s", third)
	}
}

// The file beside the program has what is published, and says of which version.
func TestPeers(t *testing.T) {
	store, err := harness.OpenStore("", "peers.csv")
	if err != nil {
		t.Fatal(err)
	}
	check := func(f family, seed int64, method string) {
		t.Helper()
		if r := store.Find(f.nameOf(seed), method, seed, 50); r == nil || r.Version == "" {
			t.Errorf("%s, %s: got %+v", f.nameOf(seed), method, r)
		}
	}
	for _, f := range families {
		for seed := range int64(8) {
			check(f, seed, "optuna-tpe")
			if seed < 2 && f.name != "sizes16" {
				check(f, seed, "optuna-gp")
			}
		}
		if slices.Contains([]string{"ellipsoid25", "floats20", "mixed30"}, f.name) {
			for seed := int64(100); seed < 106; seed++ {
				check(f, seed, "optuna-gp")
			}
		}
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-family nobody", "nobody"},
		{"-methods nobody", "nobody"},
		{"-startup -1", "-startup"},
		{"-startup 8", "-label"},
		{"-methods=", "-methods or -with"},
		{"-methods random -with random", "random is in"},
		{"-methods= -with nobody -family mixed7 -seeds 1", "nobody"},
	} {
		err := run(t.Context(), strings.Fields(test.args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one of %s", test.args, err, test.want)
		}
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-families"}, &out, io.Discard); err != nil || strings.Count(out.String(), "\n") != len(families) {
		t.Errorf("%v; got\n%s", err, &out)
	}
}
