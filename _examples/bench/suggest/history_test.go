package main

import (
	"math"
	"reflect"
	"testing"

	"github.com/c-bata/goptuna"
)

func TestHistoryIsDeterministicAndGrows(t *testing.T) {
	for _, s := range allSpaces {
		long := s.history(300, 7)
		if !reflect.DeepEqual(s.history(300, 7), long) {
			t.Errorf("%s: two histories with seed 7 differ", s.name)
		}
		if !reflect.DeepEqual(s.history(120, 7), long[:120]) {
			t.Errorf("%s: 120 trials are not the first of 300", s.name)
		}
		if reflect.DeepEqual(s.history(300, 8), long) {
			t.Errorf("%s: seeds 7 and 8 give the same history", s.name)
		}
	}
}

func TestHistoryIsInTheSpace(t *testing.T) {
	for _, s := range allSpaces {
		seen := map[string]map[float64]bool{}
		for _, p := range s.params {
			seen[p.name] = map[float64]bool{}
		}
		for _, o := range s.history(2000, 1) {
			if err := s.check(o.x); err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			if math.IsNaN(o.value) || math.IsInf(o.value, 0) || o.value != s.objective(o.x) {
				t.Fatalf("%s: the value at %v is %v", s.name, o.x, o.value)
			}
			for j, p := range s.params {
				seen[p.name][o.x[j]] = true
			}
		}
		for _, p := range s.params {
			want := 1000 // of a continuum
			switch d := p.distribution.(type) {
			case goptuna.IntUniformDistribution:
				want = d.High - d.Low + 1
			case goptuna.CategoricalDistribution:
				want = len(d.Choices)
			}
			if len(seen[p.name]) < want {
				t.Errorf("%s: 2,000 trials have %d values of %s, want %d", s.name, len(seen[p.name]), p.name, want)
			}
		}
	}
}

// The trials that exploit come nearer to the best ones, and are better than
// those that explore.
func TestHistoryConverges(t *testing.T) {
	for _, s := range allSpaces {
		trials := s.history(1000, 1)
		means := func(trials []observation) (explore, exploit float64) {
			for i, o := range trials {
				if i%2 == 0 {
					explore += 2 * o.value / float64(len(trials))
				} else {
					exploit += 2 * o.value / float64(len(trials))
				}
			}
			return explore, exploit
		}
		_, early := means(trials[startupTrials:110])
		explore, exploit := means(trials[900:])
		if !(exploit < early && exploit < explore) {
			t.Errorf("%s: exploiting trials have mean %v early and %v late, exploring ones %v", s.name, early, exploit, explore)
		}
	}
}

// What is inserted looks like trials that have run.
func TestInsert(t *testing.T) {
	for _, s := range allSpaces {
		study, err := goptuna.CreateStudy("", goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage()))
		if err != nil {
			t.Fatal(err)
		}
		want := s.history(30, 1)
		if err := s.insert(study, want); err != nil {
			t.Fatal(err)
		}
		got, err := study.GetTrials()
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d trials in storage, want %d", s.name, len(got), len(want))
		}
		for i, trial := range got {
			if trial.Number != i || trial.State != goptuna.TrialStateComplete || trial.Value != want[i].value ||
				trial.DatetimeStart.IsZero() || trial.DatetimeComplete.IsZero() {
				t.Errorf("%s: trial %d is %+v", s.name, i, trial)
			}
			for j, p := range s.params {
				external, err := goptuna.ToExternalRepresentation(trial.Distributions[p.name], want[i].x[j])
				if err != nil || trial.Params[p.name] != external || trial.InternalParams[p.name] != want[i].x[j] {
					t.Errorf("%s: trial %d has %s = %v, %v, want %v, %v", s.name, i, p.name,
						trial.Params[p.name], trial.InternalParams[p.name], external, want[i].x[j])
				}
			}
		}
	}
}
