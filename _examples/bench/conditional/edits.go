package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

const (
	editionTrials = 50 // trials of each edition
	nextTrials    = 20 // of these, the ones to compare
)

// compareEdits runs, for each seed, a study whose space is edited in between,
// and a fresh study for each edition. It compares the trials after each edit
// with the first ones of the fresh study.
func compareEdits(ctx context.Context, cfg config, out, log io.Writer) error {
	editions := problems.Edited()
	var (
		mu            sync.Mutex
		edited, fresh []*harness.Run // of all editions; the problem is the change
	)
	progress := harness.NewProgress(log, cfg.Seeds*len(editions), "editions")
	defer progress.Close()
	err := harness.Do(ctx, cfg.Jobs, cfg.SeedNumbers(), func(ctx context.Context, seed int64) error {
		study, err := newFMStudy(seed)
		if err != nil {
			return err
		}
		for e, edition := range editions {
			other, err := newFMStudy(seed)
			if err != nil {
				return err
			}
			after, err := optimize(ctx, study, edition, editionTrials, e*editionTrials)
			if err != nil {
				return fmt.Errorf("seed %d, %s: %w", seed, edition.Change, err)
			}
			first, err := optimize(ctx, other, edition, nextTrials, 0)
			if err != nil {
				return fmt.Errorf("seed %d, %s: %w", seed, edition.Change, err)
			}
			after.Seed, first.Seed = seed, seed
			mu.Lock()
			edited, fresh = append(edited, after), append(fresh, first)
			mu.Unlock()
			progress.Step(1)
		}
		progress.Printf("edits, seed %d", seed)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "A study of %d trials, edited every %d, by fm: the mean and the best of the %d trials after an edit,\n"+
		"beside the first %d of a fresh study; mean ± standard error of seeds %d to %d\n\n",
		len(editions)*editionTrials, editionTrials, nextTrials, nextTrials, cfg.FirstSeed, cfg.FirstSeed+int64(cfg.Seeds)-1)
	harness.Print(out, editRows(editions, edited, fresh))
	return nil
}

// optimize runs so many trials of an edition and returns those to compare, from
// the given number on.
func optimize(ctx context.Context, study *goptuna.Study, edition problems.Edition, trials, from int) (*harness.Run, error) {
	study.WithContext(ctx)
	if err := study.Optimize(edition.Objective, trials); err != nil {
		return nil, err
	}
	all, err := study.GetTrials()
	if err != nil {
		return nil, err
	}
	r := &harness.Run{Problem: edition.Change, Method: "fm"}
	for _, trial := range all[from : from+nextTrials] {
		r.Values = append(r.Values, trial.Value)
	}
	return r, nil
}

// editRows returns a row per edition, of means and of best values.
func editRows(editions []problems.Edition, edited, fresh []*harness.Run) [][]string {
	rows := [][]string{{"edit", "mean after it", "fresh study", "difference", "best after it", "fresh study", "difference"}}
	for _, edition := range editions {
		row := []string{edition.Change}
		after, first := harness.RunsOf(edited, edition.Change, ""), harness.RunsOf(fresh, edition.Change, "")
		for _, number := range []func(*harness.Run) float64{
			func(r *harness.Run) float64 { return stat.Mean(r.Values, nil) },
			func(r *harness.Run) float64 { return r.Best(nextTrials) },
		} {
			row = append(row, harness.MeanError(harness.Each(after, number), 4), harness.MeanError(harness.Each(first, number), 4),
				harness.MeanError(harness.Differences(after, first, number), 4))
		}
		rows = append(rows, row)
	}
	return rows
}

func newFMStudy(seed int64) (*goptuna.Study, error) {
	return goptuna.CreateStudy("", goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(seed))), goptuna.StudyOptionLogger(nil))
}
