package cachedrdb_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// attributes are those of one kind, of a study or of a trial.
type attributes struct {
	owner int
	set   func(s *cachedrdb.Storage, owner int, key, value string) error
	get   func(s *cachedrdb.Storage, owner int) (map[string]string, error)
}

// newAttributes returns the attributes of a new study and its trial, by the method that
// sets them.
func newAttributes(t *testing.T, s *cachedrdb.Storage) map[string]attributes {
	t.Helper()
	study := newStudy(t, s, "study")
	trial := running(t, s, study, 1)
	type storage = cachedrdb.Storage
	return map[string]attributes{
		"SetStudyUserAttr":   {study, (*storage).SetStudyUserAttr, (*storage).GetStudyUserAttrs},
		"SetStudySystemAttr": {study, (*storage).SetStudySystemAttr, (*storage).GetStudySystemAttrs},
		"SetTrialUserAttr":   {trial, (*storage).SetTrialUserAttr, (*storage).GetTrialUserAttrs},
		"SetTrialSystemAttr": {trial, (*storage).SetTrialSystemAttr, (*storage).GetTrialSystemAttrs},
	}
}

// Workers that set an attribute for the first time, at the same moment, all succeed.
func TestSetAttrsAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		const workers = 8
		var storages [workers]*cachedrdb.Storage
		for i := range storages {
			storages[i] = cachedrdb.NewStorage(db.OpenDB(t))
		}
		kinds := newAttributes(t, storages[0])
		errs := make(chan error)
		for round := range 10 {
			for _, kind := range kinds {
				for _, storage := range storages {
					go func() { errs <- kind.set(storage, kind.owner, fmt.Sprint("key ", round), "value") }()
				}
			}
			for range workers * len(kinds) {
				if err := <-errs; err != nil {
					t.Error(err)
				}
			}
		}
		for name, kind := range kinds {
			if attrs, err := kind.get(storages[0], kind.owner); len(attrs) != 10 || err != nil {
				t.Errorf("%s: attributes %v, error %v", name, attrs, err)
			}
		}
	})
}

// An empty value takes the place of another one, and an attribute with an empty name that
// of none.
func TestSetEmptyAttrs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		storage := cachedrdb.NewStorage(db.OpenDB(t))
		for name, kind := range newAttributes(t, storage) {
			for _, attr := range [][2]string{{"key", "value"}, {"key", ""}, {"", "other"}} {
				check(t, kind.set(storage, kind.owner, attr[0], attr[1]))
			}
			if attrs, err := kind.get(storage, kind.owner); !maps.Equal(attrs, map[string]string{"key": "", "": "other"}) || err != nil {
				t.Errorf("%s: attributes %q, error %v", name, attrs, err)
			}
		}
	})
}

// An attribute that the database refuses for its length is named. Where it is taken,
// nothing is lost.
func TestSetLongAttrs(t *testing.T) {
	long := strings.Repeat("ü", 2049)
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		storage := cachedrdb.NewStorage(db.OpenDB(t))
		for name, kind := range newAttributes(t, storage) {
			check(t, kind.set(storage, kind.owner, "fits", long[len("ü"):]))
			err := kind.set(storage, kind.owner, "long", long)
			attrs, readErr := kind.get(storage, kind.owner)
			check(t, readErr)
			if attrs["fits"] != long[len("ü"):] {
				t.Errorf("%s: %d bytes of a value", name, len(attrs["fits"]))
			}
			if db.Kind == dbtest.SQLite {
				check(t, err)
				if attrs["long"] != long {
					t.Errorf("%s: %d bytes of a long value", name, len(attrs["long"]))
				}
			} else if err == nil || !strings.Contains(err.Error(), `attribute "long"`) || !strings.Contains(err.Error(), "2049 characters and may have 2048") {
				t.Errorf("%s: error %v", name, err)
			}
		}
	})
}
