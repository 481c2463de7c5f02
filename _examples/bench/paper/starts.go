package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// What -starts says.
const (
	startsRandom = "random"
	startsPaper  = "paper"
)

// startsFile has the points that the paper's runs start from, below -data.
const startsFile = "functions/paper_initial_designs.json"

// readStarts returns the paper's start points of a run, by name in Goptuna's
// internal representation.
func readStarts(dir, designs string, seed int, space problems.Space) ([]map[string]float64, error) {
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
	rows := file.Designs[designs][strconv.Itoa(seed)]
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
		var c []float64
		var v []int
		for i, q := range ordered {
			if q.Kind == problems.Continuous {
				c = append(c, row[i])
			} else {
				v = append(v, int(row[i]))
			}
		}
		point := map[string]float64{}
		for i, q := range ordered {
			if q.Kind == problems.Nominal {
				point[q.Name] = row[i]
				continue
			}
			switch value := problems.Space(ordered).Values(c, v)[q.Name].(type) {
			case float64:
				point[q.Name] = value
			case int:
				point[q.Name] = float64(value)
			}
		}
		points = append(points, point)
	}
	return points, nil
}
