package sampler_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// rivals is a storage on which two trials read the history and store their plans
// in step: a read returns once both have read, and a write of the sampler once the
// other trial has stored as much or has its values.
type rivals struct {
	*rdb.Storage
	mu      sync.Mutex
	changed *sync.Cond
	reads   int
	writes  map[int]int // by trial id
	over    map[int]bool
}

func (r *rivals) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := r.Storage.GetAllTrials(studyID)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	r.changed.Broadcast()
	for r.reads < len(r.writes) {
		r.changed.Wait()
	}
	return trials, err
}

func newRivals(s *rdb.Storage, ids ...int) *rivals {
	r := &rivals{Storage: s, writes: map[int]int{}, over: map[int]bool{}}
	for _, id := range ids {
		r.writes[id] = 0
	}
	r.changed = sync.NewCond(&r.mu)
	return r
}

func (r *rivals) SetTrialSystemAttr(trialID int, key, value string) error {
	err := r.Storage.SetTrialSystemAttr(trialID, key, value)
	if !strings.HasPrefix(key, "fm:") {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writes[trialID]++
	r.changed.Broadcast()
	for other := range r.writes {
		for other != trialID && !r.over[other] && r.writes[other] < r.writes[trialID] {
			r.changed.Wait()
		}
	}
	return err
}

// done says that a trial has its values.
func (r *rivals) done(trialID int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over[trialID] = true
	r.changed.Broadcast()
}

// Of two trials whose workers make the same plan at the same time, the one with
// the lower number keeps it, and the other takes another configuration.
func TestLowerOfTwoEqualPlansIsKept(t *testing.T) {
	const wanted = 3 // pairs of equal plans
	params := []fmtest.Param{
		{Name: "a", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 5}},
		{Name: "b", Distribution: goptuna.CategoricalDistribution{Choices: []string{"x", "y", "z"}}},
		{Name: "c", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 3}},
	}
	value := func(x map[string]float64) float64 {
		return math.Abs(x["a"]-2) + math.Abs(x["b"]-1) + math.Abs(x["c"]-1)
	}
	found := 0
	for seed := int64(0); seed < 60 && found < wanted; seed++ {
		// A study whose next two trials are running and have no plan yet.
		db := dbtest.New(t, dbtest.SQLite)
		open := func(name string) (study *goptuna.Study, storage *rdb.Storage, low, high int) {
			storage = db.Open(t)
			study, err := goptuna.CreateStudy(name, goptuna.StudyOptionStorage(storage),
				goptuna.StudyOptionSampler(fmtest.Seeded(t, seed)), goptuna.StudyOptionLogger(nil))
			if err != nil {
				t.Fatal(err)
			}
			fmtest.Optimize(t, study, fmtest.Ask(params, value), 14)
			return study, storage, fmtest.RunningTrial(t, study).ID, fmtest.RunningTrial(t, study).ID
		}
		plan := func(study *goptuna.Study, id int) string {
			x, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: id}, params...)
			if err != nil {
				t.Error(err)
			}
			return fmt.Sprint(x)
		}
		study, _, low, _ := open("low alone")
		lowAlone := plan(study, low)
		study, _, _, high := open("high alone")
		if highAlone := plan(study, high); highAlone != lowAlone {
			continue // these two never wanted the same
		}
		found++

		study, storage, low, high := open("both")
		both := newRivals(storage, low, high)
		got := map[int]string{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for _, id := range []int{low, high} {
			wg.Go(func() {
				worker, err := goptuna.LoadStudy("both", goptuna.StudyOptionStorage(both),
					goptuna.StudyOptionSampler(fmtest.Seeded(t, seed)), goptuna.StudyOptionLogger(nil))
				if err != nil {
					t.Error(err)
					return
				}
				x := plan(worker, id)
				both.done(id)
				mu.Lock()
				defer mu.Unlock()
				got[id] = x
			})
		}
		wg.Wait()
		if got[low] != lowAlone {
			t.Errorf("seed %d: the lower trial has %s, want %s, which it planned first", seed, got[low], lowAlone)
		}
		if got[high] == got[low] {
			t.Errorf("seed %d: both trials have %s", seed, got[high])
		}
		t.Logf("seed %d: %d writes of the lower trial, %d of the higher", seed, both.writes[low], both.writes[high])
		fmtest.CheckStudy(t, study)
	}
	if found < wanted {
		t.Errorf("only %d pairs of equal plans", found)
	}
}
