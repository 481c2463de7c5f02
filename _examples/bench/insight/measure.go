package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// measure is what is found out about a run, and the table of that.
type measure struct {
	functions, tables string // by default
	of                func(s *subject, run *study, seed int64) (map[string]float64, error)
	rows              func(cfg config, runs []*harness.Run) [][]string
}

var measures = map[string]measure{
	"recommend": {"Func2C,Func3C,Ackley5C", "", recommend, recommendRows},
	"stop":      {"Func2C,Func3C,Ackley5C,Hartmann6-mixed,Levy6-mixed,G-mixed", "nasbench201,spark,gpu_pnpoly_rtx3090,hipacc", stop, stopRows},
	"cover":     {"Func2C,Func3C,Ackley5C,Hartmann6-mixed,Levy6-mixed,G-mixed", "all", cover, coverRows},
}

// make conducts a run and measures it.
func (cfg *config) make(ctx context.Context, r *harness.Run, sampler goptuna.Sampler) error {
	s := cfg.subjects[slices.IndexFunc(cfg.subjects, func(s *subject) bool { return s.Name == r.Problem })]
	run, err := conduct(ctx, s, sampler, cfg.Trials, cfg.again, cfg.noise*s.unit, r.Seed)
	if err != nil {
		return err
	}
	for _, t := range run.trials {
		value := math.NaN()
		if t.State == goptuna.TrialStateComplete {
			value = t.Value
		}
		r.Values = append(r.Values, value)
	}
	if cfg.studies != "" {
		if err := run.save(filepath.Join(cfg.studies, fmt.Sprintf("%s-%d.json", s.Name, r.Seed)), s); err != nil {
			return err
		}
	}
	r.Numbers, err = cfg.measure.of(s, run, r.Seed)
	return err
}

// halfOutside is the probability that a value is on one side of an interval of 90 %.
const halfOutside = 0.05

// recommend finds the regrets of the recommended and of the best configuration, and what
// the interval of the first is worth.
func recommend(s *subject, run *study, seed int64) (map[string]float64, error) {
	m, err := insight.Fit(run.Study, insight.OptionSeed(seed))
	if err != nil {
		return nil, err
	}
	r := m.Recommend()
	recommended, err := s.truth(r.Params)
	if err != nil {
		return nil, err
	}
	best, err := s.truth(r.BestParams)
	if err != nil {
		return nil, err
	}
	numbers := map[string]float64{"recommended": (recommended - s.optimum) / s.unit, "best": (best - s.optimum) / s.unit}
	if r.Repeat {
		numbers["repeat"] = 1
	}
	below, above := max(0, r.Objective.Low-recommended), max(0, recommended-r.Objective.High)
	if below+above == 0 {
		numbers["inside"] = 1
	}
	numbers["interval"] = (r.Objective.High - r.Objective.Low + (below+above)/halfOutside) / (s.median - s.optimum)
	return numbers, nil
}

func recommendRows(cfg config, runs []*harness.Run) [][]string {
	rows := [][]string{{"problem", "best observed", "recommended", "difference", "t", "z", "repeat", "inside", "interval"}}
	for _, s := range cfg.subjects {
		of := harness.RunsOf(runs, s.Name, "")
		differences := harness.Each(of, func(r *harness.Run) float64 { return r.Numbers["recommended"] - r.Numbers["best"] })
		rows = append(rows, []string{s.Name, meanOf(of, "best"), meanOf(of, "recommended"), harness.MeanError(differences, 4),
			orDash(stat.Mean(differences, nil) / harness.StdErr(differences)), orDash(signedRanks(differences)),
			fmt.Sprintf("%.2f", stat.Mean(harness.Each(of, number("repeat")), nil)),
			fmt.Sprintf("%.2f", stat.Mean(harness.Each(of, number("inside")), nil)), meanOf(of, "interval")})
	}
	return rows
}

// orDash prints a number, or a dash for NaN: of one run, and where nothing differs, there is no t.
func orDash(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

// The advice is asked for after so many trials, and then after each period.
const firstAdvice, advicePeriod = 20, 5

// stop finds where the advice ends the run, and what is lost by that.
func stop(s *subject, run *study, seed int64) (map[string]float64, error) {
	n := len(run.trials)
	end, bestAtEnd := n, run.best(n)
	for run.shown = firstAdvice; run.shown < n; run.shown += advicePeriod {
		m, err := insight.Fit(run.Study, insight.OptionSeed(seed))
		if err == nil && m.Advice().Stop {
			end = run.shown
			break
		}
	}
	run.shown = n
	return map[string]float64{"stop": float64(end), "lost": s.regret(run.best(end)) - s.regret(bestAtEnd)}, nil
}

func stopRows(cfg config, runs []*harness.Run) [][]string {
	rows := [][]string{{"problem", "median trials", "saved", "lost", "worst loss", "over 1 %"}}
	line := func(name string, of []*harness.Run) []string {
		stops, lost := harness.Each(of, number("stop")), harness.Each(of, number("lost"))
		over := 0
		for _, l := range lost {
			if l > 0.01 {
				over++
			}
		}
		median := harness.Median(stops)
		return []string{name, fmt.Sprintf("%.0f", median), fmt.Sprintf("%.0f %%", 100*(1-median/float64(cfg.Trials))),
			harness.MeanError(lost, 4), fmt.Sprintf("%.4f", slices.Max(lost)), fmt.Sprintf("%d of %d", over, len(of))}
	}
	for _, s := range cfg.subjects {
		rows = append(rows, line(s.Name, harness.RunsOf(runs, s.Name, "")))
	}
	return append(rows, line("all", runs))
}

// cover finds how well trials are predicted from the others, and the last quarter
// from those before.
func cover(_ *subject, run *study, seed int64) (map[string]float64, error) {
	whole, err := insight.Fit(run.Study, insight.OptionSeed(seed))
	if err != nil {
		return nil, err
	}
	n := len(run.trials)
	run.shown = n * 3 / 4
	before, err := insight.Fit(run.Study, insight.OptionSeed(seed))
	if err != nil {
		return nil, err
	}
	var inside, count float64
	for _, t := range run.trials[run.shown:] {
		if t.State != goptuna.TrialStateComplete {
			continue
		}
		if _, p, err := before.Predict(t.Params); err == nil {
			count++
			if p.Low <= t.Value && t.Value <= p.High {
				inside++
			}
		}
	}
	run.shown = n
	skill := whole.Skill()
	numbers := map[string]float64{"plain": skill.Coverage, "new": inside / count, "rank": skill.Rank}
	left := whole.LeaveOneOut()
	for _, l := range left {
		if l.Inside() {
			numbers["left out"] += 1 / float64(len(left))
		}
	}
	return numbers, nil
}

func coverRows(cfg config, runs []*harness.Run) [][]string {
	rows := [][]string{{"problem", "left out", "not adjusted", "last quarter", "rank correlation"}}
	line := func(name string, of []*harness.Run) []string {
		return []string{name, meanOf(of, "left out"), meanOf(of, "plain"), meanOf(of, "new"), meanOf(of, "rank")}
	}
	for _, s := range cfg.subjects {
		rows = append(rows, line(s.Name, harness.RunsOf(runs, s.Name, "")))
	}
	return append(rows, line("all", runs))
}

func number(name string) func(*harness.Run) float64 {
	return func(r *harness.Run) float64 { return r.Numbers[name] }
}

func meanOf(runs []*harness.Run, name string) string {
	return harness.MeanError(harness.Each(runs, number(name)), 4)
}
