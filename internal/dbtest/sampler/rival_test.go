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

// rivalParams have few configurations, so that two workers soon want the same.
var rivalParams = []fmtest.Param{
	{Name: "a", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 5}},
	{Name: "b", Distribution: goptuna.CategoricalDistribution{Choices: []string{"x", "y", "z"}}},
	{Name: "c", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 3}},
}

// suggestRival asks for all parameters of a trial.
func suggestRival(t *testing.T, study *goptuna.Study, id int) string {
	x, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: id}, rivalParams...)
	if err != nil {
		t.Error(err)
	}
	return fmt.Sprint(x)
}

// Of two trials whose workers make the same plan at the same time, the one with
// the lower number keeps it, and the other takes another configuration.
func TestLowerOfTwoEqualPlansIsKept(t *testing.T) {
	const wanted = 3 // pairs of equal plans
	objective := fmtest.Ask(rivalParams, func(x map[string]float64) float64 {
		return math.Abs(x["a"]-2) + math.Abs(x["b"]-1) + math.Abs(x["c"]-1)
	})
	found := 0
	for seed := int64(0); seed < 60 && found < wanted; seed++ {
		db := dbtest.New(t, dbtest.SQLite)
		load := func(name string, storage goptuna.Storage) *goptuna.Study {
			study, err := goptuna.CreateStudy(name, goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLoadIfExists(true),
				goptuna.StudyOptionSampler(fmtest.Seeded(t, seed)), goptuna.StudyOptionLogger(nil))
			if err != nil {
				t.Fatal(err)
			}
			return study
		}
		// A study whose next two trials are running and have no plan yet.
		open := func(name string) (study *goptuna.Study, low, high int) {
			study = load(name, db.Open(t))
			fmtest.Optimize(t, study, objective, 14)
			return study, fmtest.RunningTrial(t, study).ID, fmtest.RunningTrial(t, study).ID
		}
		study, low, _ := open("low alone")
		lowAlone := suggestRival(t, study, low)
		study, _, high := open("high alone")
		if highAlone := suggestRival(t, study, high); highAlone != lowAlone {
			continue // these two never wanted the same
		}
		found++

		study, low, high = open("both")
		both := newRivals(db.Open(t), low, high)
		var gotLow, gotHigh string
		var wg sync.WaitGroup
		for id, got := range map[int]*string{low: &gotLow, high: &gotHigh} {
			worker := load("both", both)
			wg.Go(func() {
				*got = suggestRival(t, worker, id)
				both.done(id)
			})
		}
		wg.Wait()
		if gotLow != lowAlone {
			t.Errorf("seed %d: the lower trial has %s, want %s, which it planned first", seed, gotLow, lowAlone)
		}
		if gotHigh == gotLow {
			t.Errorf("seed %d: both trials have %s", seed, gotHigh)
		}
		t.Logf("seed %d: %d writes of the lower trial, %d of the higher", seed, both.writes[low], both.writes[high])
		fmtest.CheckStudy(t, study)
	}
	if found < wanted {
		t.Errorf("only %d pairs of equal plans", found)
	}
}
