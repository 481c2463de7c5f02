package main

import (
	"bytes"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge/bridgetest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// COCO's sphere is the squared distance from its optimum, where an int's values are
// equally spaced in [-5, 5]: the least regret of each int by itself is 0 together.
func TestSphere(t *testing.T) {
	s, err := open(t.Context(), "bbob-mixint", bridgetest.Python(), 1)
	bridgetest.SkipMissing(t, err)
	defer s.workers.Close()
	sphere, err := s.problem(t.Context(), instance{Function: 1, Dimension: 5, Instance: 3})
	if err != nil {
		t.Fatal(err)
	}
	if q := sphere.Space[3]; sphere.Name != "f01-bbob-mixint-5d-3" || len(sphere.Space) != 5 || q.Kind != problems.Ordinal || q.Levels != 16 ||
		sphere.Space[4].Kind != problems.Continuous {
		t.Fatalf("%s has the space %+v", sphere.Name, sphere.Space)
	}
	study, err := goptuna.CreateStudy("sphere", goptuna.StudyOptionSampler(problems.NewRandomSampler(1)), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := study.Optimize(sphere.Objective, 300); err != nil {
		t.Fatal(err)
	}
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	below, least := 0, math.Inf(1)
	for _, trial := range trials {
		if trial.Value < 1 {
			below++
		}
		least = math.Min(least, trial.Value)
	}
	if below < 110 || below > 190 || least < 0 || least > 0.2 {
		t.Errorf("%d of 300 random values are below the median of others, and the least is %v; want about half, and little", below, least)
	}
}

// There is a table per function and one of their mean, and runs are kept.
func TestRun(t *testing.T) {
	args := []string{
		"-dimension", "5", "-function", "f03,f21", "-methods", "fm,random", "-seeds", "2", "-trials", "12",
		"-python", bridgetest.Python(), "-runs", filepath.Join(t.TempDir(), "runs.csv"),
	}
	var outs [2]bytes.Buffer
	var log bytes.Buffer
	for i := range outs {
		log.Reset()
		bridgetest.SkipMissing(t, run(t.Context(), args, &outs[i], &log))
	}
	text := outs[0].String()
	if strings.Count(text, "\nf03\n")+strings.Count(text, "\nf21\n")+strings.Count(text, "\nmean\n") != 3 || strings.Count(text, "\nrandom  2 ") != 6 {
		t.Errorf("got\n%s", text)
	}
	if outs[1].String() != text || strings.Contains(log.String(), "random") {
		t.Errorf("the second start printed\n%s\nand logged %s", &outs[1], &log)
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-function f25", "f25"},
		{"-first-seed -1", "-first-seed"},
		{"-methods nobody", "nobody"},
	} {
		err := run(t.Context(), strings.Fields(test.args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one of %s", test.args, err, test.want)
		}
	}
}
