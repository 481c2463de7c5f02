package fmtest

import (
	"errors"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// StudyName is the name of every study of NewStudy.
const StudyName = "test"

// NewStudy returns a study with the sampler, in memory and silent unless an
// option says otherwise. Once the test is over, every value of every trial must
// be finite and in its distribution.
func NewStudy(t testing.TB, s goptuna.Sampler, opts ...goptuna.StudyOption) *goptuna.Study {
	t.Helper()
	opts = append([]goptuna.StudyOption{goptuna.StudyOptionSampler(s), goptuna.StudyOptionLogger(nil)}, opts...)
	study, err := goptuna.CreateStudy(StudyName, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { CheckStudy(t, study) })
	return study
}

// InMemory returns an empty storage, for tests that are of any.
func InMemory(testing.TB) goptuna.Storage { return goptuna.NewInMemoryStorage() }

// CheckStudy asks the distributions themselves about every trial of the study.
func CheckStudy(t testing.TB, study *goptuna.Study) {
	t.Helper()
	for _, trial := range TrialsOf(t, study) {
		for name, value := range trial.InternalParams {
			d := trial.Distributions[name]
			if !Contains(d, value) {
				t.Errorf("trial %d: %s = %v is not in %#v", trial.Number, name, value, d)
			}
		}
	}
}

// Contains asks Goptuna's distribution itself whether a finite number is one of its values.
func Contains(distribution any, value float64) bool {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return false
	}
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		return d.Contains(value)
	case goptuna.LogUniformDistribution:
		return d.Contains(value)
	case goptuna.IntUniformDistribution:
		return d.Contains(value)
	case goptuna.StepIntUniformDistribution:
		return d.Contains(value)
	case goptuna.DiscreteUniformDistribution:
		return d.Contains(value)
	case goptuna.CategoricalDistribution:
		return d.Contains(value)
	}
	return false
}

// TrialsOf returns the trials that the storage still has.
func TrialsOf(t testing.TB, study *goptuna.Study) []goptuna.FrozenTrial {
	t.Helper()
	trials, err := study.GetTrials()
	if err != nil && !errors.Is(err, goptuna.ErrTrialsPartiallyDeleted) {
		t.Fatal(err)
	}
	return trials
}

// Optimize runs n trials, none of which may stop the study.
func Optimize(t testing.TB, study *goptuna.Study, objective goptuna.FuncObjective, n int) {
	t.Helper()
	before := len(TrialsOf(t, study))
	if err := study.Optimize(objective, n); err != nil {
		t.Fatalf("after %d trials: %v", len(TrialsOf(t, study))-before, err)
	}
}

// Best returns the best value of the study.
func Best(t testing.TB, study *goptuna.Study) float64 {
	t.Helper()
	best, err := study.GetBestValue()
	if err != nil {
		t.Fatal(err)
	}
	return best
}

// Seeds returns the seeds below n.
func Seeds(n int) []int64 {
	seeds := make([]int64, n)
	for i := range seeds {
		seeds[i] = int64(i)
	}
	return seeds
}

// Below returns how many studies come below the value in so many trials: one with
// each of the seeds, which ends when it does.
func Below(t testing.TB, value float64, seeds []int64, objective goptuna.FuncObjective, trials int) (n int) {
	t.Helper()
	for _, seed := range seeds {
		study := NewStudy(t, Seeded(t, seed))
		for range trials {
			Optimize(t, study, objective, 1)
			if Best(t, study) < value {
				n++
				break
			}
		}
	}
	return n
}

// Seeded returns a sampler with the seed, which a failing test prints.
func Seeded(t testing.TB, seed int64, opts ...fm.SamplerOption) *fm.FMSampler {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("sampler seed %d", seed)
		}
	})
	return fm.NewSampler(append(opts, fm.SamplerOptionSeed(seed))...)
}

// RunningTrial adds a trial to the study as Goptuna does before the objective.
func RunningTrial(t *testing.T, study *goptuna.Study) goptuna.FrozenTrial {
	t.Helper()
	id, err := study.Storage.CreateNewTrial(study.ID)
	if err != nil {
		t.Fatal(err)
	}
	trial, err := study.Storage.GetTrial(id)
	if err != nil {
		t.Fatal(err)
	}
	return trial
}

// Enqueue adds a waiting trial with the internal values.
func Enqueue(t *testing.T, study *goptuna.Study, values map[string]float64) {
	t.Helper()
	if err := study.EnqueueTrial(values); err != nil {
		t.Fatal(err)
	}
}

// PruneAll is a pruner.
type PruneAll struct{}

func (PruneAll) Prune(*goptuna.Study, goptuna.FrozenTrial) (bool, error) { return true, nil }

// ErrObjective is what objectives fail with.
var ErrObjective = errors.New("out of memory")
