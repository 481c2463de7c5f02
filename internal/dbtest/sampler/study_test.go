package sampler_test

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
)

// onSQLite is the option for a new database of the test's own.
func onSQLite(t testing.TB) goptuna.StudyOption {
	t.Helper()
	return goptuna.StudyOptionStorage(dbtest.New(t, dbtest.SQLite).Open(t))
}
