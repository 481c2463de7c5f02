package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// choices of a configuration at the end of a study with noise.
const (
	luckiest    = "Goptuna's best trial"
	recommended = "recommended"
	tried       = "best that was tried"

	within = "trials within" // the limits, in truth: their number
)

// noises are the standard deviations of the noise in the value and in each quantity, as shares
// of their spreads.
type noises struct{ value, quantity float64 }

// compareChoices makes the runs of the plan with noise, and prints the regret of the
// configurations that may be used in the end, without noise: that of one beyond a limit in
// truth is worstRegret.
func compareChoices(ctx context.Context, plan harness.Plan, kinds []kind, noise noises, out io.Writer) error {
	for _, k := range kinds {
		plan.Problems = append(plan.Problems, &harness.Problem{Name: k.name})
	}
	plan.Make = func(ctx context.Context, r *harness.Run, sampler goptuna.Sampler) error {
		k := kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == r.Problem })]
		return choose(ctx, k.draw(r.Seed), r, sampler, plan.Trials, noise)
	}
	runs, _, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	rows := [][]string{{"", luckiest, recommended, "difference", tried, within}}
	row := func(name string, of []*harness.Run) {
		number := func(choice string) []float64 {
			return harness.Each(of, func(r *harness.Run) float64 { return r.Numbers[choice] })
		}
		less := harness.Each(of, func(r *harness.Run) float64 { return r.Numbers[recommended] - r.Numbers[luckiest] })
		rows = append(rows, []string{name, harness.MeanError(number(luckiest), 3), harness.MeanError(number(recommended), 3),
			harness.MeanError(less, 3), harness.MeanError(number(tried), 3), harness.MeanError(number(within), 1)})
	}
	for _, drawn := range []bool{false, true} {
		var all []*harness.Run
		for _, k := range kinds {
			if k.drawn == drawn {
				of := harness.RunsOf(runs, k.name, "")
				row(k.name, of)
				all = append(all, of...)
			}
		}
		if len(all) > 0 {
			row(map[bool]string{false: "formulas", true: "families"}[drawn], all)
		}
	}
	fmt.Fprintf(out, "%s; noise of %g in the value, and of %g in the quantities; regret without noise, mean ± standard error.\n\n", &plan.Budget, noise.value, noise.quantity)
	harness.Print(out, rows)
	return nil
}

// choose runs a study, and sets the regrets of its trials and of the choices, and how many trials
// are within the limits.
func choose(ctx context.Context, p *problems.Constrained, r *harness.Run, sampler goptuna.Sampler, trials int, noise noises) error {
	least, median := reference(p, nil)
	regret := func(y float64, violations []float64) float64 {
		if slices.Max(violations) > 0 {
			return worstRegret
		}
		return math.Min(worstRegret, (y-least)/(median-least))
	}
	at := func(params map[string]any) (float64, error) {
		c, v, err := p.Params.Point(params)
		if err != nil {
			return 0, err
		}
		return regret(p.Eval(p.Params.Numbers(c, v))), nil
	}
	study, err := goptuna.CreateStudy("", goptuna.StudyOptionSampler(sampler), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return err
	}
	deviations := spreads(p)
	rng := rand.New(rand.NewPCG(uint64(r.Seed), 1))
	trialsWithin := 0.0
	if err := fm.Optimize(ctx, study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		c, v, err := p.Params.Suggest(&trial)
		if err != nil {
			return 0, err
		}
		y, violations := p.Eval(p.Params.Numbers(c, v))
		r.Values = append(r.Values, regret(y, violations))
		if slices.Max(violations) <= 0 {
			trialsWithin++
		}
		constraints := make([]fm.Constraint, len(violations))
		for i, violation := range violations {
			constraints[i] = fm.AtMost("c"+strconv.Itoa(i), violation+noise.quantity*deviations[i+1]*rng.NormFloat64(), 0)
		}
		return fm.Constrained(trial, y+noise.value*deviations[0]*rng.NormFloat64(), constraints...)
	}, trials); err != nil {
		return err
	}
	r.Numbers = map[string]float64{luckiest: worstRegret, recommended: worstRegret, tried: r.Best(trials), within: trialsWithin}
	if best, err := study.GetBestParams(); err == nil { // else no trial was within the limits
		if r.Numbers[luckiest], err = at(best); err != nil {
			return err
		}
	}
	if m, err := insight.Fit(study); err == nil {
		if r.Numbers[recommended], err = at(m.Recommend().Params); err != nil {
			return err
		}
	}
	return nil
}

// spreads returns the range of the middle fifth of random points: of the value, and of each
// violation.
func spreads(p *problems.Constrained) []float64 {
	const points = 4000
	r := rand.New(rand.NewPCG(1, 1))
	var columns [][]float64
	for range points {
		y, violations := p.Eval(p.Params.At(draws(len(p.Params), r.Float64)))
		for i, v := range append([]float64{y}, violations...) {
			if i == len(columns) {
				columns = append(columns, nil)
			}
			columns[i] = append(columns[i], v)
		}
	}
	ranges := make([]float64, len(columns))
	for i, column := range columns {
		slices.Sort(column)
		ranges[i] = column[points*6/10] - column[points*4/10]
	}
	return ranges
}
