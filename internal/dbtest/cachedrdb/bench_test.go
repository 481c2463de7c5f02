package cachedrdb_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/c-bata/goptuna/tpe"
	"gorm.io/gorm"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// benchParams is how many parameters the trials of the benchmarks have.
const benchParams = 10

func plain(db *gorm.DB) goptuna.Storage  { return rdb.NewStorage(db) }
func cached(db *gorm.DB) goptuna.Storage { return cachedrdb.NewStorage(db) }

// BenchmarkGetAllTrials reads a study of complete trials and a running one.
func BenchmarkGetAllTrials(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		db := openSQLite(b)
		id, err := rdb.NewStorage(db).CreateNewStudy("study")
		check(b, err)
		fill(b, db, id, n, benchParams)
		_, err = rdb.NewStorage(db).CreateNewTrial(id)
		check(b, err)
		for _, storage := range []struct {
			name string
			open func(*gorm.DB) goptuna.Storage
		}{{"plain", plain}, {"cached", cached}} {
			b.Run(fmt.Sprintf("%s/n=%d", storage.name, n), func(b *testing.B) {
				s := storage.open(db)
				_, err := s.GetAllTrials(id)
				check(b, err)
				b.ReportAllocs()
				for b.Loop() {
					_, err := s.GetAllTrials(id)
					check(b, err)
				}
			})
		}
	}
}

// BenchmarkTrial is everything that a trial costs besides its objective.
func BenchmarkTrial(b *testing.B) {
	newTPE := func() goptuna.Sampler { return tpe.NewSampler(tpe.SamplerOptionSeed(1)) }
	newRandom := func() goptuna.Sampler { return goptuna.NewRandomSampler() }
	newFM := func() goptuna.Sampler { return fm.NewSampler(fm.SamplerOptionSeed(1)) }
	for _, n := range []int{1_000, 10_000} {
		for _, combination := range []struct {
			name    string
			sampler func() goptuna.Sampler
			storage func(*gorm.DB) goptuna.Storage
		}{
			{"tpe+plain", newTPE, plain},
			{"tpe+cached", newTPE, cached},
			{"random+plain", newRandom, plain},
			{"random+cached", newRandom, cached},
			{"fm+plain", newFM, plain},
			{"fm+cached", newFM, cached},
		} {
			b.Run(fmt.Sprintf("%s/n=%d", combination.name, n), func(b *testing.B) {
				db := openSQLite(b)
				storage := combination.storage(db)
				study, err := goptuna.CreateStudy("study", goptuna.StudyOptionStorage(storage), goptuna.StudyOptionSampler(combination.sampler()), goptuna.StudyOptionLogger(nil))
				check(b, err)
				fill(b, db, study.ID, n, benchParams)
				objective := func(trial goptuna.Trial) (float64, error) { return suggest(&trial, benchParams) }
				check(b, study.Optimize(objective, 1)) // first reading, first fit
				for b.Loop() {
					check(b, study.Optimize(objective, 1))
				}
				b.ReportMetric(1e3*b.Elapsed().Seconds()/float64(b.N), "ms/trial")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkMemory reports what the cache keeps of a trial.
func BenchmarkMemory(b *testing.B) {
	const n = 2_000
	db := openSQLite(b)
	id, err := rdb.NewStorage(db).CreateNewStudy("study")
	check(b, err)
	fill(b, db, id, n, benchParams)
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := cachedrdb.NewStorage(db)
		_, err := s.GetBestTrial(id)
		check(b, err)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(s)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "B/trial")
}
