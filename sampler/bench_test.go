package sampler_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// BenchmarkSuggestion is one whole suggestion on Func3C's space, the mean over
// ten consecutive trials of a study: history, fit and acquisition included, on
// storage in memory. Meanwhile the pending trials of other workers are running.
func BenchmarkSuggestion(b *testing.B) {
	for _, n := range []int{50, 100, 200} {
		for _, pending := range []int{0, 16} {
			b.Run(fmt.Sprintf("func3c/n=%d/pending=%d", n, pending), func(b *testing.B) {
				benchmarkSuggestion(b, n, pending)
			})
		}
	}
}

func benchmarkSuggestion(b *testing.B, n, pending int) {
	problem := problems.Func3C()
	var spent time.Duration
	trials := 0
	for range b.N {
		b.StopTimer()
		study, err := goptuna.CreateStudy("", goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(1))), goptuna.StudyOptionLogger(nil))
		if err != nil {
			b.Fatal(err)
		}
		objective := func(trial goptuna.Trial) (float64, error) {
			start := time.Now()
			c, v, err := problem.Suggest(&trial)
			spent += time.Since(start)
			trials++
			if err != nil {
				return 0, err
			}
			return problem.Eval(c, v)
		}
		if err := study.Optimize(objective, n-5); err != nil {
			b.Fatal(err)
		}
		for range pending {
			id, err := study.Storage.CreateNewTrial(study.ID)
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := problem.Suggest(&goptuna.Trial{Study: study, ID: id}); err != nil {
				b.Fatal(err)
			}
		}
		spent, trials = 0, 0
		b.StartTimer()
		if err := study.Optimize(objective, 10); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(spent.Microseconds())/1e3/float64(trials), "ms/suggestion")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkConstraints is one whole suggestion for seven parameters beside so many limits, after
// random trials: the first, which has all hyperparameters to find, and the mean and the slowest
// of thirty that follow.
func BenchmarkConstraints(b *testing.B) {
	const measured = 30
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
	for _, constraints := range []int{0, 1, 3, 11} {
		for _, n := range []int{100, 300, 1000} {
			b.Run(fmt.Sprintf("constraints=%d/n=%d", constraints, n), func(b *testing.B) {
				var first, sum, slowest, took time.Duration
				objective := func(trial goptuna.Trial) (float64, error) {
					start := time.Now()
					x, err := fmtest.Suggest(&trial, manyFloats(7)...)
					took = time.Since(start)
					if err != nil {
						return 0, err
					}
					limits := make([]fm.Constraint, constraints)
					for i := range limits {
						at := func(k int) float64 { return x[string(rune('a'+k%7))] }
						limits[i] = fm.AtLeast(fmt.Sprint("c", i), at(i)+at(i+1)*at(2*i+3), 0.6)
					}
					return fm.Constrained(trial, sumOfSquares(x), limits...)
				}
				for range b.N {
					sampler := &relay{problems.NewRandomSampler(1)}
					study := fmtest.NewStudy(b, sampler, goptuna.StudyOptionIgnoreError(true))
					fmtest.Optimize(b, study, objective, n)
					sampler.Sampler = fm.NewSampler(fm.SamplerOptionSeed(1))
					fmtest.Optimize(b, study, objective, 1)
					first += took
					for range measured {
						fmtest.Optimize(b, study, objective, 1)
						sum, slowest = sum+took, max(slowest, took)
					}
				}
				b.ReportMetric(milliseconds(first)/float64(b.N), "ms/first")
				b.ReportMetric(milliseconds(sum)/float64(measured*b.N), "ms/suggestion")
				b.ReportMetric(milliseconds(slowest), "ms-slowest")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkTree is one whole suggestion, the mean over ten consecutive trials
// after 500, on a tree with 12 leaves and 30 parameters, of which a trial asks
// for six, and beside it on a flat space of 30 parameters of the same kinds. The
// first 500 trials cover the spaces evenly.
func BenchmarkTree(b *testing.B) {
	const history = 500
	tree := problems.Tree12()
	for _, space := range []struct {
		name      string
		objective goptuna.FuncObjective
	}{{"tree", tree.Objective}, {"flat", flat30}} {
		b.Run(space.name, func(b *testing.B) {
			var spent time.Duration
			for range b.N {
				b.StopTimer()
				sampler := &relay{fm.NewSampler(fm.SamplerOptionSeed(1), fm.SamplerOptionNumberOfStartupTrials(2*history))}
				study, err := goptuna.CreateStudy("", goptuna.StudyOptionSampler(sampler), goptuna.StudyOptionLogger(nil))
				if err != nil {
					b.Fatal(err)
				}
				if err := study.Optimize(space.objective, history-5); err != nil {
					b.Fatal(err)
				}
				sampler.Sampler = fm.NewSampler(fm.SamplerOptionSeed(1))
				// The first suggestion has all hyperparameters to find.
				if err := study.Optimize(space.objective, 1); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				start := time.Now()
				if err := study.Optimize(space.objective, 10); err != nil {
					b.Fatal(err)
				}
				spent += time.Since(start)
			}
			b.ReportMetric(float64(spent.Milliseconds())/float64(10*b.N), "ms/suggestion")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkSwitches is one whole suggestion after 2,000 random trials of twenty switches,
// each of which has a parameter of its own while it is on: hardly two trials have the
// same parameters.
func BenchmarkSwitches(b *testing.B) {
	const history, switches = 2000, 20
	objective := func(trial goptuna.Trial) (float64, error) {
		loss := 0.0
		for i := range switches {
			on, err := trial.SuggestCategorical(fmt.Sprintf("switch_%d", i), []string{"on", "off"})
			if err != nil {
				return 0, err
			}
			if on == "on" {
				x, err := trial.SuggestFloat(fmt.Sprintf("x_%d", i), 0, 1)
				if err != nil {
					return 0, err
				}
				loss += sq(x - 0.3)
			}
		}
		return loss, nil
	}
	sampler := &relay{problems.NewRandomSampler(1)}
	study, err := goptuna.CreateStudy("", goptuna.StudyOptionSampler(sampler), goptuna.StudyOptionLogger(nil))
	if err != nil {
		b.Fatal(err)
	}
	if err := study.Optimize(objective, history); err != nil {
		b.Fatal(err)
	}
	sampler.Sampler = fm.NewSampler(fm.SamplerOptionSeed(1))
	// The first suggestion has all hyperparameters to find.
	if err := study.Optimize(objective, 1); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := study.Optimize(objective, 1); err != nil {
			b.Fatal(err)
		}
	}
}

// relay passes all on to a sampler that can be exchanged.
type relay struct{ goptuna.Sampler }

// flat30 asks for what problems.Tree12 has, all of it each time: 4 choices, of 3
// and 4, 12 logarithmic floats, a float and 13 ints.
func flat30(trial goptuna.Trial) (float64, error) {
	loss := 0.
	add := func(x float64, err error) error { loss += x; return err }
	for _, name := range []string{"family", "member_a", "member_b", "member_c"} {
		choices := []string{"a", "b", "c", "d"}
		if name == "family" {
			choices = choices[:3]
		}
		choice, err := trial.SuggestCategorical(name, choices)
		if err := add(0.1*float64(choice[0]-'a'), err); err != nil {
			return 0, err
		}
	}
	x, err := trial.SuggestFloat("scale", 0, 1)
	if err := add(sq(x-0.64), err); err != nil {
		return 0, err
	}
	n, err := trial.SuggestInt("depth", 1, 12)
	if err := add(sq(float64(n-7)/12), err); err != nil {
		return 0, err
	}
	for i := range 12 {
		rate, err := trial.SuggestLogFloat(fmt.Sprintf("rate_%d", i), 1e-4, 1)
		if err := add(sq(math.Log10(rate)+2)/float64(4*i+4), err); err != nil {
			return 0, err
		}
		size, err := trial.SuggestInt(fmt.Sprintf("size_%d", i), 1, 100)
		if err := add(sq(float64(size-40)/100)/float64(i+1), err); err != nil {
			return 0, err
		}
	}
	return loss, nil
}

// BenchmarkFiftyBranches is a whole study of 100 trials, of which each chooses one of fifty
// branches with two parameters of their own: two trials share two of 101 at most.
func BenchmarkFiftyBranches(b *testing.B) {
	const branches, trials = 50, 100
	kinds := make([]string, branches)
	for i := range kinds {
		kinds[i] = fmt.Sprint(i, "th")
	}
	for b.Loop() {
		study := fmtest.NewStudy(b, fmtest.Seeded(b, 1))
		fmtest.Optimize(b, study, func(trial goptuna.Trial) (float64, error) {
			kind, err := trial.SuggestCategorical("kind", kinds)
			if err != nil {
				return 0, err
			}
			x, err := trial.SuggestFloat(kind+" x", 0, 1)
			if err != nil {
				return 0, err
			}
			y, err := trial.SuggestLogFloat(kind+" y", 1e-3, 1)
			return sq(x-0.4) + y + float64(len(kind)), err
		}, trials)
	}
}
