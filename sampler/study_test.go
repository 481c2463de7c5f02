package sampler_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

const studyName = "test"

// newStudy returns a study with the sampler, in memory and silent unless an
// option says otherwise. Once the test is over, every value of every trial must
// be finite and in its distribution.
func newStudy(t testing.TB, s goptuna.Sampler, opts ...goptuna.StudyOption) *goptuna.Study {
	t.Helper()
	opts = append([]goptuna.StudyOption{goptuna.StudyOptionSampler(s), goptuna.StudyOptionLogger(nil)}, opts...)
	study, err := goptuna.CreateStudy(studyName, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checkStudy(t, study) })
	return study
}

// checkStudy asks the distributions themselves about every trial of the study.
func checkStudy(t testing.TB, study *goptuna.Study) {
	t.Helper()
	for _, trial := range trialsOf(t, study) {
		for name, value := range trial.InternalParams {
			d := trial.Distributions[name]
			if math.IsNaN(value) || math.IsInf(value, 0) || !contains(d, value) {
				t.Errorf("trial %d: %s = %v is not in %#v", trial.Number, name, value, d)
			}
		}
	}
}

func contains(distribution any, value float64) bool {
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

// trialsOf returns the trials that the storage still has.
func trialsOf(t testing.TB, study *goptuna.Study) []goptuna.FrozenTrial {
	t.Helper()
	trials, err := study.GetTrials()
	if err != nil && !errors.Is(err, goptuna.ErrTrialsPartiallyDeleted) {
		t.Fatal(err)
	}
	return trials
}

// optimize runs n trials, none of which may stop the study.
func optimize(t testing.TB, study *goptuna.Study, objective goptuna.FuncObjective, n int) {
	t.Helper()
	before := len(trialsOf(t, study))
	if err := study.Optimize(objective, n); err != nil {
		t.Fatalf("after %d trials: %v", len(trialsOf(t, study))-before, err)
	}
}

// sqliteStorage opens a database in the given file.
func sqliteStorage(t testing.TB, file string) *rdb.Storage {
	t.Helper()
	// Goptuna's transactions read before they write. Unless each takes the
	// write lock at once, SQLite refuses one of two that run side by side.
	dsn := file + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate"
	db, err := gorm.Open(sqlite.Open(dsn), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if conn, err := db.DB(); err != nil || conn.Close() != nil {
			t.Errorf("closing %s: %v", file, err)
		}
	})
	if err := rdb.RunAutoMigrate(db); err != nil {
		t.Fatal(err)
	}
	return rdb.NewStorage(db)
}

// onSQLite is the option for a new database of the test's own.
func onSQLite(t testing.TB) goptuna.StudyOption {
	t.Helper()
	return goptuna.StudyOptionStorage(sqliteStorage(t, filepath.Join(t.TempDir(), "study.db")))
}

// param is a parameter that an objective asks for.
type param struct {
	name         string
	distribution any
}

// mixed has a parameter of each of Goptuna's six distributions, ints both as
// levels of a dimension (units) and as vertices of a path (layers).
func mixed() []param {
	return []param{
		{"dropout", goptuna.UniformDistribution{Low: -1, High: 2}},
		{"rate", goptuna.LogUniformDistribution{Low: 1e-5, High: 1}},
		{"units", goptuna.IntUniformDistribution{Low: 1, High: 64}},
		{"layers", goptuna.StepIntUniformDistribution{Low: 2, High: 14, Step: 3}},
		{"momentum", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.25}},
		{"kind", goptuna.CategoricalDistribution{Choices: []string{"tanh", "relu", "gelu"}}},
	}
}

// mixedValue is separable: each parameter has its best value whatever the
// others are. The minimum is 0.
func mixedValue(x map[string]float64) float64 {
	return sq(x["dropout"]-0.3) + sq(math.Log10(x["rate"])+2)/4 + sq((x["units"]-40)/40) +
		sq((x["layers"]-8)/6) + sq(x["momentum"]-0.75) + []float64{0.4, 0, 0.2}[int(x["kind"])]
}

func sq(x float64) float64 { return x * x }

// space returns the params as Goptuna's StudyOptionDefineSearchSpace takes them.
func space(params []param) map[string]any {
	m := make(map[string]any, len(params))
	for _, p := range params {
		m[p.name] = p.distribution
	}
	return m
}

// ask is an objective that asks for the params in order, and then returns the
// value at what it was given. Categorical parameters are given by index.
func ask(params []param, value func(x map[string]float64) float64) goptuna.FuncObjective {
	return func(trial goptuna.Trial) (float64, error) {
		x, err := suggest(&trial, params...)
		if err != nil {
			return 0, err
		}
		return value(x), nil
	}
}

func suggest(trial *goptuna.Trial, params ...param) (x map[string]float64, err error) {
	x = make(map[string]float64, len(params))
	for _, p := range params {
		if x[p.name], err = suggestOne(trial, p); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func suggestOne(trial *goptuna.Trial, p param) (float64, error) {
	switch d := p.distribution.(type) {
	case goptuna.UniformDistribution:
		return trial.SuggestFloat(p.name, d.Low, d.High)
	case goptuna.LogUniformDistribution:
		return trial.SuggestLogFloat(p.name, d.Low, d.High)
	case goptuna.DiscreteUniformDistribution:
		return trial.SuggestDiscreteFloat(p.name, d.Low, d.High, d.Q)
	case goptuna.IntUniformDistribution:
		x, err := trial.SuggestInt(p.name, d.Low, d.High)
		return float64(x), err
	case goptuna.StepIntUniformDistribution:
		x, err := trial.SuggestStepInt(p.name, d.Low, d.High, d.Step)
		return float64(x), err
	case goptuna.CategoricalDistribution:
		choice, err := trial.SuggestCategorical(p.name, d.Choices)
		return float64(slices.Index(d.Choices, choice)), err
	}
	return 0, fmt.Errorf("no way to suggest a %T", p.distribution)
}

// sameTrials reports the first trial in which two studies differ, to the bit.
func sameTrials(t *testing.T, why string, got, want []goptuna.FrozenTrial) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d trials, want %d", why, len(got), len(want))
		return
	}
	sameBits := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	for i, g := range got {
		w := want[i]
		if g.Number != w.Number || g.State != w.State || !sameBits(g.Value, w.Value) ||
			!maps.EqualFunc(g.InternalParams, w.InternalParams, sameBits) {
			t.Errorf("%s: trial %d is\n%v %v %v, want\n%v %v %v", why, i,
				g.State, g.Value, g.InternalParams, w.State, w.Value, w.InternalParams)
			return
		}
	}
}

// duplicates returns how many trials repeat the values of an earlier one.
func duplicates(trials []goptuna.FrozenTrial) int {
	seen := map[string]bool{}
	for _, trial := range trials {
		seen[fmt.Sprint(trial.InternalParams)] = true // maps print in the order of their keys
	}
	return len(trials) - len(seen)
}

// count returns the number of trials in the state.
func count(trials []goptuna.FrozenTrial, state goptuna.TrialState) int {
	n := 0
	for _, trial := range trials {
		if trial.State == state {
			n++
		}
	}
	return n
}

// recorder keeps the sampler's own messages.
type recorder struct {
	goptuna.Logger
	mu       sync.Mutex
	warnings []string
}

func (r *recorder) Debug(string, ...any) {}
func (r *recorder) Info(string, ...any)  {}
func (r *recorder) Error(string, ...any) {}
func (r *recorder) Warn(message string, fields ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if strings.HasPrefix(message, "fm:") {
		r.warnings = append(r.warnings, message+" "+fmt.Sprint(fields...))
	}
}

// check compares the number of warnings, and asks each to contain part.
func (r *recorder) check(t *testing.T, want int, part string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	matching := 0
	for _, w := range r.warnings {
		if strings.Contains(w, part) {
			matching++
		}
	}
	if matching != want || len(r.warnings) != want {
		t.Errorf("want %d warnings with %q, got %q", want, part, r.warnings)
	}
}

// seeded returns a sampler with the seed, which a failing test prints.
func seeded(t testing.TB, seed int64, opts ...fm.SamplerOption) *fm.FMSampler {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("sampler seed %d", seed)
		}
	})
	return fm.NewSampler(append(opts, fm.SamplerOptionSeed(seed))...)
}

// lowerQuartile returns the value that a quarter of the trials reach. In a study
// that has found the optimum, others go on to explore.
func lowerQuartile(trials []goptuna.FrozenTrial) float64 {
	values := make([]float64, len(trials))
	for i, trial := range trials {
		values[i] = trial.Value
	}
	slices.Sort(values)
	return values[len(values)/4]
}

var errObjective = errors.New("out of memory")
