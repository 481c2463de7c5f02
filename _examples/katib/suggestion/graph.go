package suggestion

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// maxGraph is the largest number of values that a graph of the user's may have:
// its spectrum is computed for each request.
const maxGraph = 200

// parseGraph reads a graph on n values: the name of one, or the rows of its
// adjacency matrix, separated by semicolons, "0 1 0; 1 0 1; 0 1 0".
func parseGraph(text string, n int) (*graphs.Graph, error) {
	if n > maxGraph {
		return nil, fmt.Errorf("the parameter has %d values, and a graph at most %d", n, maxGraph)
	}
	switch strings.TrimSpace(text) {
	case "complete":
		return graphs.Complete(n), nil
	case "path":
		return graphs.Path(n), nil
	case "cycle":
		return graphs.Cycle(n), nil
	}
	rows := strings.Split(strings.TrimRight(strings.TrimSpace(text), ";"), ";")
	if len(rows) != n {
		return nil, fmt.Errorf("use complete, path, cycle or %d rows of an adjacency matrix, separated by semicolons, one for each value", n)
	}
	a := mat.NewDense(n, n, nil)
	for i, row := range rows {
		entries := strings.FieldsFunc(row, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' })
		if len(entries) != n {
			return nil, fmt.Errorf("row %d has %d entries, and the parameter %d values", i+1, len(entries), n)
		}
		for j, entry := range entries {
			w, err := strconv.ParseFloat(entry, 64)
			if err != nil {
				return nil, fmt.Errorf("entry %q in row %d is not a number", entry, i+1)
			}
			a.Set(i, j, w)
		}
	}
	return graphs.FromAdjacency(a)
}

// setGraph gives the parameter the graph of a setting.
func (p *parameter) setGraph(text string) error {
	var n int
	switch v := p.values.(type) {
	case choices:
		n = len(v.texts)
	case counted:
		n = v.count
	default:
		return errors.New("give graphs to categorical, discrete and uniform int parameters only")
	}
	g, err := parseGraph(text, n)
	p.graph = g
	return err
}
