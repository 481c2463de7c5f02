package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// What -starts says.
const (
	startsRandom = "random"
	startsPaper  = "paper"
)

var allStarts = []string{startsRandom, startsPaper}

// startsFile has the points that the paper's runs start from, below -data.
const startsFile = "functions/paper_initial_designs.json"

// readStarts returns the paper's start points of a run, by name in Goptuna's
// internal representation.
func readStarts(dir, designs string, seed int64, space problems.Space) ([]map[string]float64, error) {
	if designs == "" {
		return nil, errors.New("the paper's start points of this experiment are not known")
	}
	path := filepath.Join(dir, startsFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("-starts paper needs the start points of the paper: %w; see README.md and name its directory by -data", err)
	}
	// The rows are continuous, then ordinal, then nominal parameters: levels for
	// the discrete ones.
	var file struct {
		Designs map[string]map[string][][]float64
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rows := file.Designs[designs][strconv.FormatInt(seed, 10)]
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s has no start points for seed %d of %s; the paper's runs are seeds 0 to 4", path, seed, designs)
	}
	ordered := slices.Clone(space)
	rank := map[problems.Kind]int{problems.Continuous: 0, problems.Ordinal: 1, problems.Nominal: 2}
	slices.SortStableFunc(ordered, func(a, b problems.Param) int { return rank[a.Kind] - rank[b.Kind] })
	var points []map[string]float64
	for _, row := range rows {
		if len(row) != len(ordered) {
			return nil, fmt.Errorf("%s: a start point of %s has %d values, not %d", path, designs, len(row), len(ordered))
		}
		point := map[string]float64{}
		for i, q := range ordered {
			point[q.Name] = row[i]
			if q.Kind == problems.Ordinal { // the value of the level
				point[q.Name] = q.Low + row[i]*(q.High-q.Low)/float64(q.Levels-1)
			}
		}
		points = append(points, point)
	}
	return points, nil
}

// enqueueStarts fixes the first trials of a study.
func enqueueStarts(study *goptuna.Study, cfg config, p *harness.Problem, seed int64) error {
	points, err := readStarts(cfg.data, cfg.experiment.designs, seed, p.Space)
	if err != nil {
		return err
	}
	for _, point := range points {
		if err := study.EnqueueTrial(point); err != nil {
			return err
		}
	}
	return nil
}
