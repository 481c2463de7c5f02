package sampler_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// depends on x alone, strongly.
func reportObjective(trial goptuna.Trial) (float64, error) {
	x, err := trial.SuggestFloat("x", 0, 1)
	if err != nil {
		return 0, err
	}
	if _, err := trial.SuggestCategorical("idle", []string{"a", "b", "c"}); err != nil {
		return 0, err
	}
	return (x - 0.3) * (x - 0.3), nil
}

func reported(t *testing.T, storage goptuna.Storage, opts ...fm.SamplerOption) map[string]string {
	t.Helper()
	study, err := goptuna.CreateStudy("report", goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(fm.NewSampler(opts...)))
	if err != nil {
		t.Fatal(err)
	}
	if err := study.Optimize(reportObjective, 30); err != nil {
		t.Fatal(err)
	}
	attrs, err := study.GetUserAttrs()
	if err != nil {
		t.Fatal(err)
	}
	return attrs
}

func TestStudyAttributes(t *testing.T) {
	fmtest.Sequential(t)
	attrs := reported(t, goptuna.NewInMemoryStorage())
	for key, want := range map[string]string{
		"fm: model":                `^ModLap kernel on 1 continuous and 1 discrete parameters, fitted to 2[89] trials$`,
		"fm: prediction":           `^leaving one trial out: R² = (0\.9|1\.0)\d; 90 % intervals hold \d+ % of the values before they are adjusted$`,
		"fm: importance":           `^x explains (9\d|100) % of the variation \(best near 0\.[23]\d*\), idle \d %$`,
		"fm: expected improvement": `^(stop|go on): the next ten trials are expected to gain (less than )?[0-9.e-]+ % of the way from the median to the best value; more than 1 % is left with a probability of ((less|more) than )?\d+ %`,
	} {
		if !regexp.MustCompile(want).MatchString(attrs[key]) {
			t.Errorf("%s: %q does not match %s", key, attrs[key], want)
		}
	}
	if attrs := reported(t, goptuna.NewInMemoryStorage(), fm.SamplerOptionStudyAttributes(false)); len(attrs) != 0 {
		t.Errorf("switched off, the sampler wrote %v", attrs)
	}
}

// attrWrites counts writes of study user attributes, and can refuse them.
type attrWrites struct {
	goptuna.Storage
	writes int
	err    error
}

func (c *attrWrites) SetStudyUserAttr(id int, key, value string) error {
	c.writes++
	if c.err != nil {
		return c.err
	}
	if len(value) > 2046 || strings.TrimSpace(value) == "" {
		return errors.New("attribute too long, or empty")
	}
	return c.Storage.SetStudyUserAttr(id, key, value)
}

// Reports cost four writes a trial at most, and one that cannot be written does
// not touch the trial.
func TestStudyAttributeWrites(t *testing.T) {
	fmtest.Sequential(t)
	for _, refuse := range []error{nil, errors.New("refused")} {
		storage := &attrWrites{Storage: goptuna.NewInMemoryStorage(), err: refuse}
		reported(t, storage)
		if storage.writes == 0 || storage.writes > 4*20 {
			t.Errorf("%d writes in 20 trials of the model", storage.writes)
		}
	}
}

// infos keeps what a study logs.
type infos struct {
	fmtest.Recorder
	messages []string
}

func (l *infos) Info(message string, fields ...any) {
	l.messages = append(l.messages, fmt.Sprintln(append([]any{message}, fields...)...))
}

// The first model of a study that another sampler has begun does not say that nothing is left.
func TestFirstModelGivesNoAdvice(t *testing.T) {
	fmtest.Sequential(t)
	log := &infos{}
	study := fmtest.NewStudy(t, goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(1)), goptuna.StudyOptionLogger(log))
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		return (x - 0.3) * (x - 0.3), err
	}
	said := func() bool {
		return slices.ContainsFunc(log.messages, func(message string) bool { return strings.Contains(message, "hardly worth their cost") })
	}
	fmtest.Optimize(t, study, objective, 80)
	study.Sampler = fm.NewSampler()
	fmtest.Optimize(t, study, objective, 1)
	if said() {
		t.Errorf("the first model says %q", log.messages)
	}
	fmtest.Optimize(t, study, objective, 12)
	if !said() {
		t.Errorf("a later model says nothing of it: %q", log.messages)
	}
}

// That nothing is left to gain is logged once, with what becomes of further trials.
func TestLogsAdvice(t *testing.T) {
	fmtest.Sequential(t)
	levels := func(trial goptuna.Trial) (float64, error) {
		level, err := trial.SuggestInt("level", 1, 12)
		return math.Abs(float64(level) - 4), err
	}
	for _, test := range []struct {
		objective goptuna.FuncObjective
		trials    int
		want      string
	}{
		{reportObjective, 60, "most further trials search away from the best one"},
		{levels, 16, "further trials repeat the best ones"},
	} {
		log := &infos{}
		study := fmtest.NewStudy(t, fm.NewSampler(), goptuna.StudyOptionLogger(log))
		fmtest.Optimize(t, study, test.objective, test.trials)
		n := 0
		for _, message := range log.messages {
			if strings.Contains(message, "hardly worth their cost") && strings.Contains(message, test.want) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%q logged %d times", test.want, n)
		}
	}
}
