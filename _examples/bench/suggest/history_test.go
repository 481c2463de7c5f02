package main

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

func TestHistoryIsDeterministicAndGrows(t *testing.T) {
	for _, s := range spaces {
		long := s.history(300, 7)
		if !reflect.DeepEqual(s.history(300, 7), long) {
			t.Errorf("%s: two histories with seed 7 differ", s.Name)
		}
		if !reflect.DeepEqual(s.history(120, 7), long[:120]) {
			t.Errorf("%s: 120 trials are not the first of 300", s.Name)
		}
		if reflect.DeepEqual(s.history(300, 8), long) {
			t.Errorf("%s: seeds 7 and 8 give the same history", s.Name)
		}
	}
}

func TestHistoryIsInTheSpace(t *testing.T) {
	for _, s := range spaces {
		seen := map[string]map[float64]bool{}
		for _, q := range s.Space {
			seen[q.Name] = map[float64]bool{}
		}
		for _, o := range s.history(2000, 1) {
			c, v := split(s.Space, o.x)
			if _, _, err := s.Space.Point(s.Space.Values(c, v)); err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			if math.IsNaN(o.value) || math.IsInf(o.value, 0) || o.value != s.objective(o.x) {
				t.Fatalf("%s: the value at %v is %v", s.Name, o.x, o.value)
			}
			for j, q := range s.Space {
				seen[q.Name][o.x[j]] = true
			}
		}
		for _, q := range s.Space {
			want := 1000 // of a continuum
			if q.Kind != problems.Continuous {
				want = q.Levels
			}
			if len(seen[q.Name]) < want {
				t.Errorf("%s: 2,000 trials have %d values of %s, want %d", s.Name, len(seen[q.Name]), q.Name, want)
			}
		}
	}
}

// The trials that exploit come nearer to the best ones, and are better than
// those that explore.
func TestHistoryConverges(t *testing.T) {
	for _, s := range spaces {
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
			t.Errorf("%s: exploiting trials have mean %v early and %v late, exploring ones %v", s.Name, early, exploit, explore)
		}
	}
}

// What is inserted looks like trials that have run at these points.
func TestInsert(t *testing.T) {
	for _, s := range spaces {
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
			t.Fatalf("%s: %d trials in storage, want %d", s.Name, len(got), len(want))
		}
		for i, trial := range got {
			if trial.Number != i || trial.State != goptuna.TrialStateComplete || trial.Value != want[i].value ||
				trial.DatetimeStart.IsZero() || trial.DatetimeComplete.IsZero() {
				t.Errorf("%s: trial %d is %+v", s.Name, i, trial)
			}
			c, v, err := s.Space.Point(trial.Params)
			if err != nil || !slices.Equal(s.Space.InOrder(c, v), want[i].x) {
				t.Errorf("%s: trial %d is at %v, %v with error %v, want %v", s.Name, i, c, v, err, want[i].x)
			}
			for _, q := range s.Space {
				external, err := goptuna.ToExternalRepresentation(trial.Distributions[q.Name], trial.InternalParams[q.Name])
				if err != nil || trial.Params[q.Name] != external {
					t.Errorf("%s: trial %d has %s = %v, %v", s.Name, i, q.Name, trial.Params[q.Name], trial.InternalParams[q.Name])
				}
			}
		}
	}
}
