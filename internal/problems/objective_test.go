package problems_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Every problem runs as a Goptuna study, and what a trial records is the value
// at the point that the trial was given.
func TestObjective(t *testing.T) {
	for _, p := range problems.All() {
		study := newStudy(t, p.Name)
		if err := study.Optimize(problems.Objective(p), 20); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		trials, err := study.GetTrials()
		if err != nil {
			t.Fatal(err)
		}
		for _, trial := range trials {
			c, v, err := p.Params.Point(trial.Params)
			if err != nil {
				t.Fatalf("%s: trial %d: %v", p.Name, trial.Number, err)
			}
			want, err := p.Eval(c, v)
			if errors.Is(err, problems.ErrInfeasible) {
				if trial.State != goptuna.TrialStateFail {
					t.Errorf("%s: infeasible trial %d is %v, want Fail", p.Name, trial.Number, trial.State)
				}
				continue
			}
			if trial.State != goptuna.TrialStateComplete || math.Abs(trial.Value-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("%s: trial %d is %v with %v, want %v", p.Name, trial.Number, trial.State, trial.Value, want)
			}
		}
	}
}

// The optimal point of every problem can be asked for, and is then evaluated
// to the optimum: no end of a range and no level is out of reach.
func TestObjectiveAtOptimum(t *testing.T) {
	for _, p := range problems.All() {
		study := newStudy(t, p.Name)
		internal := map[string]float64{}
		nc, nv := 0, 0
		for _, q := range p.Params {
			switch q.Kind {
			case problems.Continuous:
				internal[q.Name] = p.BestC[nc]
				nc++
			case problems.Ordinal:
				internal[q.Name] = q.Low + float64(p.BestV[nv])*(q.High-q.Low)/float64(q.Levels-1)
				nv++
			case problems.Nominal:
				internal[q.Name] = float64(p.BestV[nv])
				nv++
			}
		}
		if err := study.EnqueueTrial(internal); err != nil {
			t.Fatal(err)
		}
		if err := study.Optimize(problems.Objective(p), 1); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		got, err := study.GetBestValue()
		if err != nil || math.Abs(got-p.Optimum) > 1e-5 {
			t.Errorf("%s: the enqueued optimal point has value %v, %v; want %v", p.Name, got, err, p.Optimum)
		}
	}
}

func newStudy(t *testing.T, name string) *goptuna.Study {
	t.Helper()
	study, err := goptuna.CreateStudy(name,
		goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionIgnoreError(true))
	if err != nil {
		t.Fatal(err)
	}
	return study
}

func ExampleObjective() {
	study, err := goptuna.CreateStudy("example", goptuna.StudyOptionLogger(nil))
	if err != nil {
		panic(err)
	}
	problem := problems.Func2C()
	if err := study.Optimize(problems.Objective(problem), 50); err != nil {
		panic(err)
	}
	best, err := study.GetBestValue()
	if err != nil {
		panic(err)
	}
	fmt.Println(problem.Name, best > problem.Optimum)
	// Output: Func2C true
}
