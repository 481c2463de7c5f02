package sampler_test

import (
	"maps"
	"runtime"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// The number of cores changes the time a suggestion takes and nothing else. The study is long
// enough for the search to use several goroutines.
func TestCores(t *testing.T) {
	problem, err := problems.ByName("func3c")
	if err != nil {
		t.Fatal(err)
	}
	trials := func(cores int) []goptuna.FrozenTrial {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		study, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil), goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(2))))
		if err != nil {
			t.Fatal(err)
		}
		if err := study.Optimize(problems.Objective(problem), 160); err != nil {
			t.Fatal(err)
		}
		all, err := study.GetTrials()
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	one, two := trials(1), trials(2)
	for i := range one {
		if !maps.Equal(one[i].InternalParams, two[i].InternalParams) {
			t.Fatalf("trial %d: %v on one core, %v on two", i, one[i].InternalParams, two[i].InternalParams)
		}
	}
}
