package sampler_test

import (
	"maps"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// A shorter plan that replaces a longer one leaves no trace of it.
func TestShorterPlanReplacesLonger(t *testing.T) {
	s := fmtest.Seeded(t, 2, fm.SamplerOptionNumberOfStartupTrials(2))
	study := fmtest.NewStudy(t, s)
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Wide(), fmtest.WideValue), 3)
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 3)
	trial := fmtest.RunningTrial(t, study)
	for _, p := range []fmtest.Param{fmtest.Wide()[0], fmtest.Mixed()[0], fmtest.Mixed()[5]} {
		if _, err := s.Sample(study, trial, p.Name, p.Distribution); err != nil {
			t.Fatal(err)
		}
	}
	frozen, err := study.Storage.GetTrial(trial.ID)
	if err != nil {
		t.Fatal(err)
	}
	before := fmtest.PlanOf(t, frozen)
	// The plan that counts is the last one, of the mixed space.
	value, err := s.Sample(study, frozen, "kind", fmtest.Mixed()[5].Distribution)
	if err != nil {
		t.Fatal(err)
	}
	again, err := fm.NewSampler(fm.SamplerOptionSeed(99)).Sample(study, frozen, "kind", fmtest.Mixed()[5].Distribution)
	if err != nil || again != value {
		t.Errorf("the plan says %v, a sampler with another seed read %v, %v", value, again, err)
	}
	if !maps.Equal(before, fmtest.PlanOf(t, frozen)) {
		t.Error("reading a plan has changed it")
	}
}

// Names that are no valid UTF-8 cannot be written down exactly. Their values
// are right all the same.
func TestNamesThatAreNoText(t *testing.T) {
	params := append(fmtest.Mixed()[:2], fmtest.Param{Name: "\xff\xfe", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}},
		fmtest.Param{Name: "", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}}, fmtest.Param{Name: "\x00", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 9}})
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 3))
	fmtest.Optimize(t, study, fmtest.Ask(params, func(x map[string]float64) float64 { return x["dropout"] }), 15)
	for _, trial := range fmtest.TrialsOf(t, study) {
		fmtest.PlanOf(t, trial)
	}
}

// A plan holds for the distribution it was made for: a trial that turns out to
// ask for another one gets a value of that.
func TestPlanForAnotherDistribution(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 4))
	calls := 0
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		calls++
		x, err := fmtest.Suggest(&trial, fmtest.Mixed()[:3]...)
		if err != nil {
			return 0, err
		}
		low := float64(calls) // planned with the range of the trial before
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
	whole := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
	fmtest.Optimize(t, whole, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), trials)
	want := fmtest.TrialsOf(t, whole)[trials-1].InternalParams

	study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), trials-1)
	id := fmtest.RunningTrial(t, study).ID
	if _, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: id}, fmtest.Mixed()[:3]...); err != nil {
		t.Fatal(err)
	}
	study.Sampler = fmtest.Seeded(t, seed)
	if _, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: id}, fmtest.Mixed()[3:]...); err != nil {
		t.Fatal(err)
	}
	if got := fmtest.TrialsOf(t, study)[trials-1].InternalParams; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v as without the interruption", got, want)
	}
}

// An unreadable list of fixed values is Goptuna's to refuse; the sampler plans
// without it and says so once.
func TestUnreadableFixedValues(t *testing.T) {
	log := &fmtest.Recorder{}
	s := fmtest.Seeded(t, 6)
	study := fmtest.NewStudy(t, s, goptuna.StudyOptionLogger(log))
	for range 3 {
		trial := fmtest.RunningTrial(t, study)
		trial.SystemAttrs = map[string]string{"fixed_params": "{"}
		if _, err := s.Sample(study, trial, "dropout", fmtest.Mixed()[0].Distribution); err != nil {
			t.Fatal(err)
		}
	}
	log.Check(t, 1, "cannot read the values of an enqueued trial")
}
