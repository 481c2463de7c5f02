package sampler_test

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/simulation"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// The random studies of the sampler's TestSimulation, on databases.
func TestSimulation(t *testing.T) {
	count := uint64(12)
	if testing.Short() {
		count = 3
	}
	for name, storage := range map[string]func(testing.TB) goptuna.Storage{
		"rdb": func(t testing.TB) goptuna.Storage { return dbtest.New(t, dbtest.SQLite).Open(t) },
		"cachedrdb": func(t testing.TB) goptuna.Storage {
			return cachedrdb.NewStorage(dbtest.New(t, dbtest.SQLite).OpenDB(t))
		},
	} {
		t.Run(name, func(t *testing.T) { simulation.Check(t, count, storage) })
	}
}
