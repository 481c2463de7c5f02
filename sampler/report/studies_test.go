package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// An example is a study to report on.
type example struct {
	name      string
	objective fm.Objective
	trials    int
	workers   int // as the times have it
	maximise  bool
	tuned     bool // by the FM sampler; the others by random search, so that nothing is known of them but the trials
}

var examples = []example{
	{name: "mixed", objective: mixed, trials: 50, workers: 1, tuned: true},
	{name: "conditional", objective: conditional, trials: 80, workers: 2},
	{name: "failing", objective: failing, trials: 60, workers: 4, maximise: true},
	{name: "limited", objective: limited, trials: 40, workers: 1, tuned: true},
	{name: "large", objective: large, trials: 1000, workers: 8},
}

// A timed storage says that trials took a minute or two, on that many workers: in a test they take no time.
type timed struct {
	goptuna.Storage
	workers int
}

func (s timed) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := s.Storage.GetAllTrials(studyID)
	for i := range trials {
		const minute = time.Minute
		start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Add(time.Duration(i/s.workers)*2*minute + time.Duration(i%s.workers)*time.Second)
		if i > len(trials)/2 {
			start = start.Add(9 * time.Hour) // after a night
		}
		trials[i].DatetimeStart = start
		if trials[i].State.IsFinished() {
			trials[i].DatetimeComplete = start.Add(minute + time.Duration(i*37%50)*time.Second)
		}
	}
	return trials, err
}

// newStudy runs a study.
func newStudy(t testing.TB, e example) *goptuna.Study {
	t.Helper()
	var sampler goptuna.Sampler = problems.NewRandomSampler(1)
	if e.tuned {
		sampler = fm.NewSampler(fm.SamplerOptionSeed(1))
	}
	direction := goptuna.StudyDirectionMinimize
	if e.maximise {
		direction = goptuna.StudyDirectionMaximize
	}
	s, err := goptuna.CreateStudy(e.name,
		goptuna.StudyOptionStorage(timed{goptuna.NewInMemoryStorage(), e.workers}),
		goptuna.StudyOptionSampler(sampler),
		goptuna.StudyOptionDirection(direction),
		goptuna.StudyOptionLogger(nil),
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := fm.Optimize(context.Background(), s, e.objective, e.trials); err != nil {
		t.Fatal(err)
	}
	return s
}

// read returns the study with its model.
func read(t testing.TB, s *goptuna.Study) *study {
	t.Helper()
	r, err := readStudy(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var documents sync.Map // of the examples, by name

// documentOf returns the report of an example.
func documentOf(t testing.TB, e example) *document {
	t.Helper()
	if d, ok := documents.Load(e.name); ok {
		return d.(*document)
	}
	d := read(t, newStudy(t, e)).document()
	documents.Store(e.name, d)
	return d
}

// limited is the cost of a server, whose answers may not take long.
func limited(_ context.Context, trial goptuna.Trial) (float64, error) {
	machines, err := trial.SuggestInt("machines", 1, 40)
	if err != nil {
		return 0, err
	}
	cache, err := trial.SuggestLogFloat("cache_mb", 16, 65536)
	if err != nil {
		return 0, err
	}
	hits := 1 - math.Exp(-math.Sqrt(cache/4096))
	latency := 2 + 400*(2-hits)/float64(machines)
	cost := float64(machines) * (10 + cache/2048)
	return fm.Constrained(trial, cost, fm.AtMost("latency_ms", latency, 30), fm.AtLeast("hit_rate", hits, 0.8))
}

// An asker asks a trial for parameters, and keeps the first error.
type asker struct {
	trial goptuna.Trial
	err   error
}

// ask returns an objective that asks by an asker.
func ask(objective func(a *asker) float64) fm.Objective {
	return func(_ context.Context, trial goptuna.Trial) (float64, error) {
		a := asker{trial: trial}
		value := objective(&a)
		return value, a.err
	}
}

// fail makes the trial fail.
func (a *asker) fail(err error) float64 {
	a.err = errors.Join(a.err, err)
	return 0
}

// noise is between -1 and 1, and another one in each trial.
func (a *asker) noise() float64 {
	n, err := a.trial.Number()
	a.err = errors.Join(a.err, err)
	return 2*math.Mod(float64(n+1)*math.Phi, 1) - 1
}

func (a *asker) float(name string, low, high float64) float64 {
	x, err := a.trial.SuggestFloat(name, low, high)
	a.err = errors.Join(a.err, err)
	return x
}

func (a *asker) log(name string, low, high float64) float64 {
	x, err := a.trial.SuggestLogFloat(name, low, high)
	a.err = errors.Join(a.err, err)
	return math.Log10(math.Max(x, low))
}

func (a *asker) int(name string, low, high int) float64 {
	x, err := a.trial.SuggestInt(name, low, high)
	a.err = errors.Join(a.err, err)
	return float64(x)
}

func (a *asker) choice(name string, choices ...string) string {
	x, err := a.trial.SuggestCategorical(name, choices)
	a.err = errors.Join(a.err, err)
	return x
}

var mixed = ask(func(a *asker) float64 {
	rate, dropout, layers := a.log("learning_rate", 1e-5, 1), a.float("dropout", 0, 0.5), a.int("layers", 1, 6)
	best := map[string]float64{"sgd": -1.5, "momentum": -2, "adam": -3}[a.choice("optimiser", "sgd", "momentum", "adam")]
	return 0.1 + 0.02*math.Abs(best) + 0.08*math.Pow(rate-best, 2) + math.Pow(dropout-0.2, 2) + 0.02*math.Pow(layers-3, 2) + 0.03*a.noise()
})

var conditional = ask(func(a *asker) float64 {
	value := 0.2 + a.float("common", 0, 1)
	switch a.choice("model", "forest", "kernel", "network") {
	case "forest":
		value += 0.2 + math.Abs(a.int("trees", 10, 100)-60)/100
	case "kernel":
		if a.choice("shape", "linear", "gaussian") == "gaussian" {
			value += math.Pow(a.log("length", 0.01, 10)+1, 2) / 4
		} else {
			value += 0.6
		}
	case "network":
		value += 0.1 + math.Pow(a.float("width", 0, 3)-1, 2)
	}
	return value + 0.1*a.noise()
})

var failing = ask(func(a *asker) float64 {
	memory, threads, mode := a.log("memory_mb", 16, 4096), a.int("threads", 1, 8), a.choice("mode", "safe", "fast", "unsafe")
	switch {
	case memory < 2:
		return a.fail(fmt.Errorf("out of memory with %s mode", mode))
	case mode == "unsafe" && threads > 5:
		return a.fail(errors.New("the server does not answer"))
	case threads == 8:
		return a.fail(goptuna.ErrTrialPruned)
	}
	return 100*memory + 30*threads - 4*threads*threads + 15*a.noise()
})

var large = ask(func(a *asker) float64 {
	value := 0.0
	for i := range 6 {
		value += math.Pow(a.float(fmt.Sprintf("x%d", i+1), -2, 2)-0.1*float64(i), 2) / float64(i+1)
	}
	for i := range 2 {
		value += math.Abs(a.int(fmt.Sprintf("n%d", i+1), 1, 20)-7) / 10
	}
	for i := range 2 {
		if a.choice(fmt.Sprintf("c%d", i+1), "a", "b", "c", "d") == "b" {
			value -= 0.5 * float64(i)
		}
	}
	return value + 1 + 0.2*a.noise()
})

// longNames has names that fit into no chart.
var longNames = ask(func(a *asker) float64 {
	long := strings.Repeat("WideName", 15)
	x, y := a.float(long, 0, 1), a.log("短い名前ではありません"+long, 1e-9, 1e9)
	if a.choice("choices_"+long, long+"1", "学習率を選ぶための非常に長い選択肢の名前です", "m"+long) == long+"1" {
		x += a.float("only_"+long, 0, 1)
	}
	if y > 6 {
		return a.fail(errors.New(long + " " + long))
	}
	return 1e7 + x + y*x/9
})
