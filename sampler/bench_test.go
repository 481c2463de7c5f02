package sampler_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// BenchmarkSuggestion is one whole suggestion on Func3C's space, the mean over
// ten consecutive trials of a study: history, fit and acquisition included, on
// storage in memory.
func BenchmarkSuggestion(b *testing.B) {
	for _, n := range []int{50, 100, 200} {
		b.Run(fmt.Sprintf("func3c/n=%d", n), func(b *testing.B) {
			problem, _ := problems.ByName("func3c")
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
				spent, trials = 0, 0
				b.StartTimer()
				if err := study.Optimize(objective, 10); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(spent.Milliseconds())/float64(trials), "ms/suggestion")
			b.ReportMetric(0, "ns/op")
		})
	}
}
