package sampler_test

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// wide is a space of 100 parameters whose names need many bytes, and more when
// they are escaped.
func wide() []param {
	distributions := mixed()
	params := make([]param, 100)
	for i := range params {
		name := fmt.Sprintf("参数 <%d> \"größe\" \\ \t 🦜🦜🦜 &\u2028 %s", i, strings.Repeat("長", 20))
		params[i] = param{name, distributions[i%len(distributions)].distribution}
	}
	return params
}

func wideValue(x map[string]float64) (sum float64) {
	for _, p := range wide() {
		if d, ok := p.distribution.(goptuna.UniformDistribution); ok {
			sum += sq(x[p.name] - d.Low)
		}
	}
	return sum
}

// chunks returns the attributes of a trial that hold its plan, and checks that
// every database takes them.
func chunks(t *testing.T, trial goptuna.FrozenTrial) map[string]string {
	t.Helper()
	plan := map[string]string{}
	for key, value := range trial.SystemAttrs {
		if key == "fixed_params" {
			continue
		}
		if !strings.HasPrefix(key, "fm:") {
			t.Errorf("attribute %q without the prefix fm:", key)
		}
		if len(value) >= 2046 {
			t.Errorf("attribute %q has %d characters; databases take fewer than 2046", key, len(value))
		}
		for i := range len(value) {
			if value[i] >= 0x80 {
				t.Errorf("attribute %q has a character outside of ASCII at %d", key, i)
				break
			}
		}
		plan[key] = value
	}
	return plan
}

// A plan of any length is stored in pieces, and whoever asks next, on any
// worker, is answered from it: reading it back costs no history and no model.
func TestWidePlanIsStoredAndRead(t *testing.T) {
	storage := &counting{Storage: sqliteStorage(t, filepath.Join(t.TempDir(), "study.db"))}
	study := newStudy(t, seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(2)), goptuna.StudyOptionStorage(storage))
	optimize(t, study, ask(wide(), wideValue), 3)
	trial := trialsOf(t, study)[2]
	if n := len(chunks(t, trial)); n < 5 {
		t.Errorf("the plan has %d pieces; this test wants several", n)
	}
	// A new sampler for each question stands for another worker, or for the same
	// after a restart.
	other := runningTrial(t, study)
	storage.reads.Store(0)
	storage.writes.Store(0)
	first := map[string]float64{}
	for pass := range 2 {
		for i, p := range wide() {
			if pass > 0 && i%10 > 0 {
				continue
			}
			frozen, err := storage.GetTrial(other.ID)
			if err != nil {
				t.Fatal(err)
			}
			value, err := fm.NewSampler(fm.SamplerOptionNumberOfStartupTrials(2), fm.SamplerOptionSeed(1)).Sample(study, frozen, p.name, p.distribution)
			if err != nil {
				t.Fatal(err)
			}
			if was, ok := first[p.name]; ok && was != value {
				t.Errorf("%s was %v, and is %v", p.name, was, value)
			}
			first[p.name] = value
		}
	}
	if n := storage.reads.Load(); n != 1 {
		t.Errorf("110 samplers read all trials %d times, want once", n)
	}
	frozen, err := storage.GetTrial(other.ID)
	if err != nil {
		t.Fatal(err)
	}
	if n, pieces := storage.writes.Load(), len(chunks(t, frozen)); n != int64(pieces) {
		t.Errorf("%d attributes were written for a plan of %d pieces", n, pieces)
	}
}

// A shorter plan that replaces a longer one leaves no trace of it.
func TestShorterPlanReplacesLonger(t *testing.T) {
	s := seeded(t, 2, fm.SamplerOptionNumberOfStartupTrials(2))
	study := newStudy(t, s)
	optimize(t, study, ask(wide(), wideValue), 3)
	optimize(t, study, ask(mixed(), mixedValue), 3)
	trial := runningTrial(t, study)
	for _, p := range []param{wide()[0], mixed()[0], mixed()[5]} {
		if _, err := s.Sample(study, trial, p.name, p.distribution); err != nil {
			t.Fatal(err)
		}
	}
	frozen, err := study.Storage.GetTrial(trial.ID)
	if err != nil {
		t.Fatal(err)
	}
	before := chunks(t, frozen)
	// The plan that counts is the last one, of the mixed space.
	value, err := s.Sample(study, frozen, "kind", mixed()[5].distribution)
	if err != nil {
		t.Fatal(err)
	}
	again, err := fm.NewSampler(fm.SamplerOptionSeed(99)).Sample(study, frozen, "kind", mixed()[5].distribution)
	if err != nil || again != value {
		t.Errorf("the plan says %v, a sampler with another seed read %v, %v", value, again, err)
	}
	if !maps.Equal(before, chunks(t, frozen)) {
		t.Error("reading a plan has changed it")
	}
}

// Names that are no valid UTF-8 cannot be written down exactly. Their values
// are right all the same.
func TestNamesThatAreNoText(t *testing.T) {
	params := append(mixed()[:2], param{"\xff\xfe", goptuna.UniformDistribution{Low: 0, High: 1}},
		param{"", goptuna.UniformDistribution{Low: 0, High: 1}}, param{"\x00", goptuna.IntUniformDistribution{Low: 0, High: 9}})
	study := newStudy(t, seeded(t, 3))
	optimize(t, study, ask(params, func(x map[string]float64) float64 { return x["dropout"] }), 15)
	for _, trial := range trialsOf(t, study) {
		chunks(t, trial)
	}
}

// A plan holds for the distribution it was made for: a trial that turns out to
// ask for another one gets a value of that.
func TestPlanForAnotherDistribution(t *testing.T) {
	study := newStudy(t, seeded(t, 4))
	calls := 0
	optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		calls++
		x, err := suggest(&trial, mixed()[:3]...)
		if err != nil {
			return 0, err
		}
		low := float64(calls) // foreseen with the range of the trial before
		y, err := trial.SuggestFloat("y", low, low+1)
		if y < low || y > low+1 {
			t.Errorf("y = %v is not in [%v, %v]", y, low, low+1)
		}
		return x["dropout"] + sq(y-math.Floor(y)-0.5), err
	}, 25)
}

// A trial that is interrupted between two questions goes on with its plan.
func TestRestartInMidTrial(t *testing.T) {
	const seed, trials = 5, 15
	whole := newStudy(t, seeded(t, seed))
	optimize(t, whole, ask(mixed(), mixedValue), trials)
	want := trialsOf(t, whole)[trials-1].InternalParams

	study := newStudy(t, seeded(t, seed))
	optimize(t, study, ask(mixed(), mixedValue), trials-1)
	id := runningTrial(t, study).ID
	if _, err := suggest(&goptuna.Trial{Study: study, ID: id}, mixed()[:3]...); err != nil {
		t.Fatal(err)
	}
	study.Sampler = seeded(t, seed)
	if _, err := suggest(&goptuna.Trial{Study: study, ID: id}, mixed()[3:]...); err != nil {
		t.Fatal(err)
	}
	if got := trialsOf(t, study)[trials-1].InternalParams; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v as without the interruption", got, want)
	}
}

// An unreadable list of fixed values is Goptuna's to refuse; the sampler plans
// without it and says so once.
func TestUnreadableFixedValues(t *testing.T) {
	log := &recorder{}
	s := seeded(t, 6)
	study := newStudy(t, s, goptuna.StudyOptionLogger(log))
	for range 3 {
		trial := runningTrial(t, study)
		trial.SystemAttrs = map[string]string{"fixed_params": "{"}
		if _, err := s.Sample(study, trial, "dropout", mixed()[0].distribution); err != nil {
			t.Fatal(err)
		}
	}
	log.check(t, 1, "cannot read the values of an enqueued trial")
}
