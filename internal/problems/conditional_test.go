package problems_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// randomTrials returns trials at random points of the problem.
func randomTrials(t *testing.T, p *problems.Conditional, n int) []goptuna.FrozenTrial {
	t.Helper()
	study, err := goptuna.CreateStudy(p.Name, goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(problems.NewRandomSampler(1)))
	if err != nil {
		t.Fatal(err)
	}
	if err := study.Optimize(p.Objective, n); err != nil {
		t.Fatal(err)
	}
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	return trials
}

// at returns the trial that is enqueued with the values.
func at(t *testing.T, p *problems.Conditional, values map[string]float64) goptuna.FrozenTrial {
	t.Helper()
	study, err := goptuna.CreateStudy(p.Name, goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(problems.NewRandomSampler(1)))
	if err != nil {
		t.Fatal(err)
	}
	if err := study.EnqueueTrial(values); err != nil {
		t.Fatal(err)
	}
	if err := study.Optimize(p.Objective, 1); err != nil {
		t.Fatal(err)
	}
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	return trials[0]
}

// The best point is asked for in full, and has the value that is said to be the
// optimum.
func TestConditionalBest(t *testing.T) {
	for _, p := range problems.Conditionals() {
		trial := at(t, p, p.Best)
		if !maps.Equal(trial.InternalParams, p.Best) {
			t.Errorf("%s: the best point is %v, a trial is %v", p.Name, p.Best, trial.InternalParams)
		}
		// The integers of Best may lie beside a centre.
		if math.Abs(trial.Value-p.Optimum) > 1e-5 {
			t.Errorf("%s: the best point has %v, want %v", p.Name, trial.Value, p.Optimum)
		}
	}
}

// The best point is a minimum: steps of one parameter, small and large, lead up,
// and no random point is below it.
func TestConditionalOptimum(t *testing.T) {
	for _, p := range problems.Conditionals() {
		best := at(t, p, p.Best)
		for name, distribution := range best.Distributions {
			for _, value := range others(distribution, p.Best[name]) {
				values := maps.Clone(p.Best)
				values[name] = value
				if y := at(t, p, values).Value; y < best.Value {
					t.Errorf("%s: %v at %s = %v, below %v", p.Name, y, name, value, best.Value)
				}
			}
		}
		for _, trial := range randomTrials(t, p, 1000) {
			if trial.Value < best.Value {
				t.Errorf("%s: %v at %v, below %v", p.Name, trial.Value, trial.Params, best.Value)
			}
		}
	}
}

// others returns values of a distribution besides x: for numbers near ones and
// far ones, for choices all.
func others(distribution any, x float64) []float64 {
	var values []float64
	switch d := distribution.(type) {
	case goptuna.CategoricalDistribution:
		for i := range d.Choices {
			values = append(values, float64(i))
		}
	case goptuna.IntUniformDistribution:
		for i := d.Low; i <= d.High; i++ {
			values = append(values, float64(i))
		}
	case goptuna.UniformDistribution:
		for _, step := range []float64{1e-4, 1e-2, 0.1, 0.3} {
			values = append(values, x-step*(d.High-d.Low), x+step*(d.High-d.Low))
		}
		return slices.DeleteFunc(values, func(x float64) bool { return !d.Contains(x) })
	case goptuna.LogUniformDistribution:
		for _, step := range []float64{1e-4, 1e-2, 0.1, 0.3} {
			values = append(values, x*math.Pow(d.High/d.Low, step), x*math.Pow(d.High/d.Low, -step))
		}
		return slices.DeleteFunc(values, func(x float64) bool { return !d.Contains(x) })
	}
	return values
}

// A method that clips, or that takes the first choice when in doubt, gains
// nothing: the best point is not at an end of any range, and no choice out of
// more than two is the first or the last.
func TestConditionalBestIsInside(t *testing.T) {
	for _, p := range problems.Conditionals() {
		for name, distribution := range at(t, p, p.Best).Distributions {
			x := p.Best[name]
			low, high := 0., 0.
			switch d := distribution.(type) {
			case goptuna.UniformDistribution:
				low, high = d.Low+0.1*(d.High-d.Low), d.High-0.1*(d.High-d.Low)
			case goptuna.LogUniformDistribution:
				low, high = d.Low*math.Pow(d.High/d.Low, 0.1), d.High*math.Pow(d.High/d.Low, -0.1)
			case goptuna.IntUniformDistribution:
				low, high = float64(d.Low+1), float64(d.High-1)
			case goptuna.CategoricalDistribution:
				low, high = 1, max(1, float64(len(d.Choices)-2))
			}
			if x < low || x > high {
				t.Errorf("%s: the best %s is %v, want it in [%v, %v]", p.Name, name, x, low, high)
			}
		}
	}
}

// Every leaf is reached, and asks for the same parameters each time.
func TestConditionalLeaves(t *testing.T) {
	for _, test := range []struct {
		p      *problems.Conditional
		leaves int
		params int // of all leaves
		asked  [2]int
	}{
		{problems.Jenatton(), 4, 9, [2]int{4, 4}},
		{problems.Pipeline(), 3, 14, [2]int{6, 8}},
		{problems.Nested(), 8, 17, [2]int{3, 9}},
		{problems.Tree12(), 12, 30, [2]int{6, 6}},
	} {
		p := test.p
		leaves, params := map[string]string{}, map[string]bool{}
		fewest, most := math.MaxInt, 0
		for _, trial := range randomTrials(t, p, 1000) {
			names := fmt.Sprint(slices.Sorted(maps.Keys(trial.Params)))
			leaf := p.Leaf(trial)
			if before, ok := leaves[leaf]; ok && before != names {
				t.Errorf("%s: leaf %s has %s and %s", p.Name, leaf, before, names)
			}
			leaves[leaf] = names
			for name := range trial.Params {
				params[name] = true
			}
			fewest, most = min(fewest, len(trial.Params)), max(most, len(trial.Params))
		}
		if len(leaves) != test.leaves || len(params) != test.params || fewest != test.asked[0] || most != test.asked[1] {
			t.Errorf("%s: %d leaves and %d parameters of which %d to %d are asked for, want %d, %d and %v",
				p.Name, len(leaves), len(params), fewest, most, test.leaves, test.params, test.asked)
		}
	}
}

// What the comment on Pipeline says: what is the best on average is not the best
// at its best.
func TestPipelineDeceives(t *testing.T) {
	p := problems.Pipeline()
	sum, n, best := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, trial := range randomTrials(t, p, 1500) {
		leaf := p.Leaf(trial)
		if n[leaf] == 0 || trial.Value < best[leaf] {
			best[leaf] = trial.Value
		}
		sum[leaf] += trial.Value
		n[leaf]++
	}
	forest, svm, boosting := sum["forest"]/n["forest"], sum["svm"]/n["svm"], sum["boosting"]/n["boosting"]
	if !(forest+0.05 < boosting && boosting < svm) {
		t.Errorf("means: forest %.3f, boosting %.3f, svm %.3f; want them far apart in this order", forest, boosting, svm)
	}
	if best["svm"] >= 0.165 || best["boosting"] >= 0.165 {
		t.Errorf("best: svm %.3f, boosting %.3f; want both below what a forest can reach, 0.165", best["svm"], best["boosting"])
	}
}

// Each edition asks for what its change says.
func TestEdited(t *testing.T) {
	study, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil), goptuna.StudyOptionSampler(problems.NewRandomSampler(1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, edition := range problems.Edited() {
		if err := study.Optimize(edition.Objective, 1); err != nil {
			t.Fatal(err)
		}
	}
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"map[activation:{[relu tanh sigmoid]} dropout:{0.5 0} layers:{8 1} momentum:{0.99 0} rate:{0.5 0.001}]",
		"map[activation:{[gelu relu tanh sigmoid]} dropout:{0.5 0} layers:{8 1} momentum:{0.99 0} rate:{1 0.0001}]",
		"map[activation:{[gelu relu tanh sigmoid]} decay:{0.1 1e-06} dropout:{0.5 0} layers:{8 1} momentum:{0.99 0} rate:{1 0.0001}]",
		"map[activation:{[sigmoid gelu tanh relu]} decay:{0.1 1e-06} dropout:{0.5 0} layers:{8 1} momentum:{0.99 0} rate:{1 0.0001}]",
		"map[activation:{[sigmoid gelu tanh relu]} decay:{0.1 1e-06} dropout:{0.7 0.2} layers:{8 1} momentum:{0.99 0} rate:{1 0.0001} warmup:{0.5 0}]",
		"map[activation:{[gelu tanh relu]} decay:{0.1 1e-06} dropout:{0.7 0.2} layers:{8 1} rate:{1 0.0001} warmup:{0.5 0}]",
		"map[decay:{0.1 1e-06} dropout:{0.7 0.2} layers:{8 1} learning_rate:{1 0.0001} nonlinearity:{[gelu tanh relu]} warmup:{0.5 0}]",
	} {
		if got := fmt.Sprint(trials[i].Distributions); got != want {
			t.Errorf("edition %d asks for\n%s, want\n%s", i, got, want)
		}
	}
	if _, ok := trials[2].Distributions["rate"].(goptuna.LogUniformDistribution); !ok {
		t.Errorf("the rate of edition 2 is a %T, want it on a log scale", trials[2].Distributions["rate"])
	}
	if _, ok := trials[3].Distributions["layers"].(goptuna.UniformDistribution); !ok {
		t.Errorf("the layers of edition 3 are a %T, want a float", trials[3].Distributions["layers"])
	}
}
