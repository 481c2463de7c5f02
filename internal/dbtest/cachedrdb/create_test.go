package cachedrdb_test

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// A name that is taken stays an error to those who did not look.
func TestCreateStudyTwice(t *testing.T) {
	storage, err := cachedrdb.OpenSQLite(filepath.Join(t.TempDir(), "study.db"), sqlite.Open)
	check(t, err)
	defer storage.Close()
	id, err := storage.CreateNewStudy("study")
	check(t, err)
	if _, err := storage.CreateNewStudy("study"); err == nil || !strings.Contains(err.Error(), `there is a study "study": give goptuna.StudyOptionLoadIfExists(true)`) {
		t.Errorf("a name that is taken: error %v", err)
	}
	if got, err := storage.GetStudyIDFromName("study"); got != id || err != nil {
		t.Errorf("study %d, error %v; want %d", got, err, id)
	}
	if _, err := storage.CreateNewStudy("study"); err == nil {
		t.Error("a name that was found was given again")
	}
}

// Goroutines that create a study on one storage, each after it has looked for it in vain,
// all get it. Who did not look does not.
func TestCreateStudyAtOnce(t *testing.T) {
	storage := cachedrdb.NewStorage(openSQLite(t))
	const workers = 3
	for range workers {
		if _, err := storage.GetStudyIDFromName("study"); !errors.Is(err, gorm.ErrRecordNotFound) {
			t.Fatalf("error %v", err)
		}
	}
	first := newStudy(t, storage, "study")
	if _, err := storage.GetStudyIDFromName("study"); err != nil { // a fourth one, which comes later
		t.Error(err)
	}
	for range workers - 1 {
		if id, err := storage.CreateNewStudy("study"); id != first || err != nil {
			t.Errorf("study %d, error %v; want %d", id, err, first)
		}
	}
	if _, err := storage.CreateNewStudy("study"); err == nil {
		t.Error("a name was given to one who did not look")
	}
}

// A study is loaded, and deleted, by its own name only: MySQL does not tell names that differ
// in case, or by a space at the end, and would give another study for it.
func TestStudyNameInOtherCase(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		storage := cachedrdb.NewStorage(db.OpenDB(t))
		first := newStudy(t, storage, "study")
		for _, name := range []string{"Study", "study "} {
			err := goptuna.DeleteStudy(name, storage)
			if err == nil {
				t.Errorf("%q was deleted", name)
			}
			study, err := goptuna.CreateStudy(name, goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLoadIfExists(true))
			if db.Kind == dbtest.MySQL {
				if !errors.Is(err, cachedrdb.ErrInvalid) || !strings.Contains(err.Error(), fmt.Sprintf("%q from that of the study %q", name, "study")) {
					t.Errorf("%q: error %v", name, err)
				}
			} else if err != nil || study.ID == first {
				t.Errorf("%q: study %+v, error %v", name, study, err)
			}
		}
		if id, err := storage.GetStudyIDFromName("study"); id != first || err != nil {
			t.Errorf("study %d, error %v; want %d", id, err, first)
		}
	})
}

// What CloneTrial would lose is refused, and what it would leave out is made up
// for: summaries work with a trial that has no dates.
func TestCloneTrial(t *testing.T) {
	storage := cachedrdb.NewStorage(openSQLite(t))
	id, err := storage.CreateNewStudy("study")
	check(t, err)
	d := goptuna.UniformDistribution{High: 1}
	trial := goptuna.FrozenTrial{State: goptuna.TrialStateComplete, Value: 2, Params: map[string]any{"x": 0.5}, Distributions: map[string]any{"x": d}}
	if _, err := storage.CloneTrial(id, trial); err == nil || !strings.Contains(err.Error(), `"x"`) || !strings.Contains(err.Error(), "AddTrial") {
		t.Errorf("a parameter without its internal value: %v", err)
	}
	for name, bad := range map[string]goptuna.FrozenTrial{
		"y": {InternalParams: map[string]float64{"y": 0.5}, Distributions: trial.Distributions},
		"c": {InternalParams: map[string]float64{"c": 3}, Distributions: map[string]any{"c": categorical(3)}},
	} {
		if _, err := storage.CloneTrial(id, bad); !errors.Is(err, cachedrdb.ErrInvalid) || !strings.Contains(err.Error(), fmt.Sprintf("parameter %q", name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	trial.InternalParams = map[string]float64{"x": 0.5}
	_, err = storage.CloneTrial(id, trial)
	check(t, err)
	trials, err := storage.GetAllTrials(id)
	check(t, err)
	if len(trials) != 1 || trials[0].Params["x"] != 0.5 || trials[0].DatetimeStart.IsZero() {
		t.Errorf("trials %+v", trials)
	}
	_, err = storage.GetAllStudySummaries()
	check(t, err)
}

// The error of a parameter that the database refuses says what to do about it.
func TestSetTrialParamRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		storage := cachedrdb.NewStorage(db.OpenDB(t))
		id := running(t, storage, newStudy(t, storage, "study"), 1)
		for _, test := range []struct {
			name    string
			choices int
			refused []dbtest.Kind // by these databases
			want    string
		}{
			{"x", 2, []dbtest.Kind{"sqlite", "mysql", "postgres"}, "has it already: ask for a parameter once"},
			{"many", 600, []dbtest.Kind{"mysql", "postgres"}, "fewer or shorter choices"},
			{"X", 2, []dbtest.Kind{"mysql"}, `from "x": rename one`},
			{"caf\xe9", 2, []dbtest.Kind{"mysql", "postgres"}, "in UTF-8"},
			{"a\x00b", 2, []dbtest.Kind{"postgres"}, "without NUL"},
		} {
			err := storage.SetTrialParam(id, test.name, 1, categorical(test.choices))
			if !slices.Contains(test.refused, db.Kind) {
				check(t, err)
			} else if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("parameter %q", test.name)) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q: error %v, want %q", test.name, err, test.want)
			}
		}
	})
}

// A parameter that the database does not take is named, and no trial is left
// without it. Where the database takes it, nothing is lost.
func TestCloneTrialRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		storage := cachedrdb.NewStorage(db.OpenDB(t))
		study := newStudy(t, storage, "study")
		uniform := goptuna.UniformDistribution{High: 1}
		long := strings.Repeat("ñ", 513)
		for _, test := range []struct {
			name         string // of the parameter beside x
			distribution any
			refused      []dbtest.Kind // by these databases
			want         []string      // in the error
		}{
			{"choices", categorical(600), []dbtest.Kind{"mysql", "postgres"}, []string{`"choices"`, "fewer or shorter choices"}},
			{"choices", categorical(100), nil, nil},
			{long, uniform, []dbtest.Kind{"mysql", "postgres"}, []string{long, "use a shorter one"}},
			{long[len("ñ"):], uniform, nil, nil},
			{"X", uniform, []dbtest.Kind{"mysql"}, []string{`parameter "x"`, `from "X": rename one`}},
			{"x ", uniform, []dbtest.Kind{"mysql"}, []string{`parameter "x "`, `from "x": rename one`}},
		} {
			before, err := storage.GetAllTrials(study)
			check(t, err)
			base := goptuna.FrozenTrial{
				State:          goptuna.TrialStateComplete,
				InternalParams: map[string]float64{"x": 0.5, test.name: 1},
				Distributions:  map[string]any{"x": uniform, test.name: test.distribution},
			}
			id, err := storage.CloneTrial(study, base)
			after, readErr := storage.GetAllTrials(study)
			check(t, readErr)
			if slices.Contains(test.refused, db.Kind) {
				if err == nil || strings.Contains(err.Error(), "aborted") {
					t.Errorf("%.20q: error %v", test.name, err)
					continue
				}
				for _, want := range test.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%.20q: error %v, want %q", test.name, err, want)
					}
				}
				if id != 0 || len(after) != len(before) {
					t.Errorf("%.20q: id %d and %d trials, want none beside %d", test.name, id, len(after), len(before))
				}
				continue
			}
			check(t, err)
			if got := after[len(after)-1]; got.ID != id || len(after) != len(before)+1 || !maps.Equal(got.InternalParams, base.InternalParams) {
				t.Errorf("%.20q: trial %+v", test.name, got)
			}
		}
	})
}

// categorical returns a distribution of n choices.
func categorical(n int) goptuna.CategoricalDistribution {
	var d goptuna.CategoricalDistribution
	for i := range n {
		d.Choices = append(d.Choices, fmt.Sprint("c", i))
	}
	return d
}
