package sampler_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// slowest ends a test of which a suggestion hangs.
const slowest = time.Minute

// timely runs n trials one by one, and stops the test when one takes too long.
func timely(t *testing.T, name string, study *goptuna.Study, objective goptuna.FuncObjective, n int) {
	t.Helper()
	for i := range n {
		done := make(chan error, 1)
		go func() { done <- study.Optimize(objective, 1) }()
		select {
		case err := <-done:
			if err != nil {
				t.Fatalf("%s: trial %d: %v", name, i, err)
			}
		case <-time.After(slowest):
			t.Fatalf("%s: trial %d is not planned after %v", name, i, slowest)
		}
	}
}

// However many values lie below the threshold at which another parameter comes
// up, a suggestion takes a moment.
func TestWideThresholdIsPlannedInTime(t *testing.T) {
	fmtest.Sequential(t)
	for _, hi := range []int{1_000, 10_000, 100_000} {
		t.Run(fmt.Sprint(hi), func(t *testing.T) {
			timely(t, fmt.Sprintf("threshold below %d", hi), fmtest.NewStudy(t, fmtest.Seeded(t, 1)), func(trial goptuna.Trial) (float64, error) {
				a, err := trial.SuggestInt("cache_bytes", 0, hi)
				if err != nil {
					return 0, err
				}
				b, err := trial.SuggestInt("threads", 1, 64)
				if err != nil {
					return 0, err
				}
				value := sq(float64(a)/float64(hi)-0.6) + sq(float64(b)/64-0.3)
				if a > hi/10*9 {
					ways, err := trial.SuggestInt("ways", 0, 100)
					return value + sq(float64(ways)/100-0.5), err
				}
				return value, nil
			}, 30)
		})
	}
}

// Many branches, each of which is small enough to be enumerated, are planned in a
// moment too.
func TestManyBranchesArePlannedInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("fits 61 parameters")
	}
	kinds := make([]string, 20)
	for i := range kinds {
		kinds[i] = fmt.Sprintf("kind %d", i)
	}
	objective := func(trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", kinds)
		if err != nil {
			return 0, err
		}
		sum := float64(slices.Index(kinds, kind)) / 20
		for k := range 3 { // 1,000 points
			x, err := trial.SuggestInt(fmt.Sprintf("%s, %d", kind, k), 0, 9)
			if err != nil {
				return 0, err
			}
			sum += sq(float64(x)/9 - 0.4)
		}
		return sum, nil
	}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(1_000)))
	fmtest.Optimize(t, study, objective, 400)
	study.Sampler = fmtest.Seeded(t, 1)
	timely(t, "20 branches", study, objective, 2)
}

// finite is a finite conditional space: a parameter, and for each of its values
// the parameters that come up then.
type finite struct {
	fmtest.Param
	values   int
	children [][]*finite // by the number of the value
}

// configurations returns how many configurations the spaces have together.
func configurations(spaces []*finite) int {
	product := 1
	for _, s := range spaces {
		sum := 0
		for _, children := range s.children {
			sum += configurations(children)
		}
		product *= sum
	}
	return product
}

// ask asks for the parameter and what comes with its value. The objective is a
// sum of a random share of each.
func (s *finite) ask(trial *goptuna.Trial) (float64, error) {
	x, err := fmtest.SuggestOne(trial, s.Param)
	if err != nil {
		return 0, err
	}
	number := int(x)
	if d, ok := s.Distribution.(goptuna.IntUniformDistribution); ok {
		number -= d.Low
	}
	sum := sq(float64(number)/float64(s.values) - 0.3)
	for _, child := range s.children[number] {
		value, err := child.ask(trial)
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}

// randomFinite draws a space of the given depth: an int or a choice, whose
// values decide by a threshold or each for itself.
func randomFinite(rng *rand.Rand, name string, depth, values int) *finite {
	s := &finite{values: values, children: make([][]*finite, values)}
	if rng.IntN(2) == 0 {
		low := rng.IntN(5)
		s.Param = fmtest.Param{Name: name, Distribution: goptuna.IntUniformDistribution{Low: low, High: low + values - 1}}
	} else {
		choices := make([]string, values)
		for i := range choices {
			choices[i] = fmt.Sprintf("%s%c", name, 'a'+i)
		}
		s.Param = fmtest.Param{Name: name, Distribution: goptuna.CategoricalDistribution{Choices: choices}}
	}
	if depth == 0 {
		return s
	}
	var kinds [][]*finite // what may come with a value
	for k := range 1 + rng.IntN(3) {
		var kind []*finite
		for c := range rng.IntN(3) {
			kind = append(kind, randomFinite(rng, fmt.Sprintf("%s.%d%d", name, k, c), depth-1, 1+rng.IntN(4)))
		}
		kinds = append(kinds, kind)
	}
	threshold := 1 + rng.IntN(values)
	byThreshold := rng.IntN(2) == 0
	for v := range s.children {
		switch {
		case !byThreshold:
			s.children[v] = kinds[rng.IntN(len(kinds))]
		case v >= threshold:
			s.children[v] = kinds[len(kinds)-1]
		default:
			s.children[v] = kinds[0]
		}
	}
	return s
}

// No configuration of a finite conditional space is repeated while others
// remain, and the log says that all have been tried when they have, not before.
func TestConditionalSpaceIsExhaustedBeforeItRepeats(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	type spaceCase struct {
		name  string
		roots []*finite
		total int
	}
	int23 := func(decides func(v int) bool) []*finite {
		root := &finite{Param: fmtest.Param{Name: "decides", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 22}}, values: 23, children: make([][]*finite, 23)}
		for v := range root.children {
			if decides(v) {
				root.children[v] = []*finite{{Param: fmtest.Param{Name: "extra", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 4}}, values: 5, children: make([][]*finite, 5)}}
			}
		}
		return []*finite{root}
	}
	cases := []spaceCase{
		{"23 values, threshold", int23(func(v int) bool { return v >= 7 }), 7 + 16*5},
		{"23 values, scattered", int23(func(v int) bool { return v%5 < 3 }), 8 + 15*5},
		{"23 values, alternating", int23(func(v int) bool { return v%2 == 0 }), 11 + 12*5},
	}
	rng := rand.New(rand.NewPCG(12, 3))
	wanted := 40
	if testing.Short() {
		wanted = 12
	}
	for number := 0; len(cases) < wanted; number++ {
		roots := []*finite{randomFinite(rng, "r", 1+rng.IntN(2), 2+rng.IntN(8))}
		if rng.IntN(3) == 0 {
			roots = append(roots, randomFinite(rng, "s", 0, 2+rng.IntN(2)))
		}
		if n := configurations(roots); n >= 12 && n <= 60 {
			cases = append(cases, spaceCase{fmt.Sprintf("space %d", number), roots, n})
		}
	}
	failed, trials, repeats := 0, 0, 0
	for _, c := range cases {
		if n := configurations(c.roots); n != c.total {
			t.Fatalf("%s has %d configurations, want %d", c.name, n, c.total)
		}
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(5)), goptuna.StudyOptionLogger(log))
		objective := func(trial goptuna.Trial) (sum float64, err error) {
			for _, root := range c.roots {
				value, err := root.ask(&trial)
				if err != nil {
					return 0, err
				}
				sum += value
			}
			return sum, nil
		}
		warned := -1
		for i := range c.total {
			fmtest.Optimize(t, study, objective, 1)
			if warned < 0 && len(log.Warnings()) > 0 {
				warned = i
			}
		}
		n := fmtest.Duplicates(fmtest.TrialsOf(t, study))
		trials, repeats = trials+c.total, repeats+n
		if n > 0 || warned >= 0 {
			failed++
			t.Errorf("%s: %d of %d trials repeat one of %d configurations; first warning at trial %d: %q", c.name, n, c.total, c.total, warned, log.Warnings())
			continue
		}
		fmtest.Optimize(t, study, objective, 1)
		log.Check(t, 1, "every configuration")
	}
	t.Logf("%d of %d spaces failed, %d of %d trials are repeats", failed, len(cases), repeats, trials)
}

// What was known long ago is known still: a narrow region of the best values, in
// which a parameter of its own comes up, is entered whether its trials came among
// others or before them.
func TestOldBranchIsRemembered(t *testing.T) {
	fmtest.Sequential(t)
	const enqueued, trials = 24, 36
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			return 0, err
		}
		if x < 0.4 || x >= 0.405 {
			return 5 + sq(x-0.8), nil
		}
		y, err := trial.SuggestFloat("y", 0, 1)
		return sq(y - 0.7), err
	}
	inside := func(i int) map[string]float64 {
		return map[string]float64{"x": 0.4 + 0.004*float64(i)/(enqueued/2), "y": float64(i) / (enqueued / 2)}
	}
	outside := func(i int) map[string]float64 {
		return map[string]float64{"x": (float64(i) + 0.3) / (enqueued / 2)}
	}
	for _, test := range []struct {
		name  string
		point func(i int) map[string]float64
	}{
		{"interleaved", func(i int) map[string]float64 {
			if i%2 == 0 {
				return inside(i / 2)
			}
			return outside(i / 2)
		}},
		{"the branch first", func(i int) map[string]float64 {
			if i < enqueued/2 {
				return inside(i)
			}
			return outside(i - enqueued/2)
		}},
		{"the branch last", func(i int) map[string]float64 {
			if i < enqueued/2 {
				return outside(i)
			}
			return inside(i - enqueued/2)
		}},
	} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
		for i := range enqueued {
			fmtest.Enqueue(t, study, test.point(i))
		}
		fmtest.Optimize(t, study, objective, enqueued+trials)
		entered := 0
		for _, trial := range fmtest.TrialsOf(t, study)[enqueued:] {
			if _, ok := trial.InternalParams["y"]; ok {
				entered++
			}
		}
		if entered < trials/3 {
			t.Errorf("%s: %d of %d trials enter the branch of the best values, want a third at least", test.name, entered, trials)
		}
		t.Logf("%s: %d of %d trials enter the branch", test.name, entered, trials)
	}
}
