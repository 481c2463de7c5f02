package main

import (
	"fmt"
	"io"

	"github.com/c-bata/goptuna"

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
func compareEdits(cfg config, out, log io.Writer) error {
	editions := problems.Edited()
	type column struct{ mean, best [2][]float64 } // of the study and of the fresh one, by seed
	columns := make([]column, len(editions))
	for i := range cfg.seeds {
		seed := cfg.firstSeed + int64(i)
		study, err := newFMStudy(seed)
		if err != nil {
			return err
		}
		for e, edition := range editions {
			fresh, err := newFMStudy(seed)
			if err != nil {
				return err
			}
			if err := study.Optimize(edition.Objective, editionTrials); err != nil {
				return fmt.Errorf("seed %d, %s: %w", seed, edition.Change, err)
			}
			if err := fresh.Optimize(edition.Objective, nextTrials); err != nil {
				return fmt.Errorf("seed %d, %s: %w", seed, edition.Change, err)
			}
			for k, s := range []*goptuna.Study{study, fresh} {
				trials, err := s.GetTrials()
				if err != nil {
					return err
				}
				if k == 0 {
					trials = trials[e*editionTrials:]
				}
				r := run{}
				var mean float64
				for _, trial := range trials[:nextTrials] {
					r.values = append(r.values, trial.Value)
					mean += trial.Value / nextTrials
				}
				columns[e].mean[k] = append(columns[e].mean[k], mean)
				columns[e].best[k] = append(columns[e].best[k], r.best(nextTrials))
			}
		}
		fmt.Fprintf(log, "edits, seed %d\n", seed)
	}
	rows := [][]string{{"edit", "mean after it", "fresh study", "difference", "best after it", "fresh study", "difference"}}
	for e, edition := range editions {
		row := []string{edition.Change}
		for _, values := range [][2][]float64{columns[e].mean, columns[e].best} {
			difference := make([]float64, cfg.seeds)
			for i := range difference {
				difference[i] = values[0][i] - values[1][i]
			}
			row = append(row, meanAndError(values[0]), meanAndError(values[1]), meanAndError(difference))
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(out, "A study of %d trials, edited every %d, by fm: the mean and the best of the %d trials after an edit,\n"+
		"beside the first %d of a fresh study; mean ± standard error of seeds %d to %d\n\n",
		len(editions)*editionTrials, editionTrials, nextTrials, nextTrials, cfg.firstSeed, cfg.firstSeed+int64(cfg.seeds)-1)
	printRows(out, cfg.markdown, rows)
	return nil
}

func newFMStudy(seed int64) (*goptuna.Study, error) {
	return goptuna.CreateStudy("", goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(seed))), goptuna.StudyOptionLogger(nil))
}
