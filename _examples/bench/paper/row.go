package main

import "math"

// row is what a table or a picture says about a method.
type row struct {
	method *method
	runs   map[string][][]outcome // by -starts, one per seed
}

// collect returns the rows of all methods that the output directory has finished
// trials of.
func collect(cfg config) ([]row, error) {
	var rows []row
	for _, m := range methods {
		r := row{method: m, runs: map[string][][]outcome{}}
		for _, starts := range []string{startsRandom, startsPaper} {
			cfg.starts = starts
			for _, seed := range seeds(cfg, m) {
				outcomes, err := newStudy(cfg, m, seed).outcomes()
				if err != nil {
					return nil, err
				}
				if len(outcomes) > 0 {
					r.runs[starts] = append(r.runs[starts], outcomes)
				}
			}
		}
		if len(r.runs) > 0 {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// best returns the best value so far of each run after n trials. Runs that are
// shorter, or have no value yet, are left out.
func (r row) best(starts string, n int) []float64 {
	var best []float64
	for _, outcomes := range r.runs[starts] {
		if len(outcomes) < n {
			continue
		}
		smallest, ok := 0.0, false
		for _, o := range outcomes[:n] {
			if !math.IsNaN(o.value) && (!ok || o.value < smallest) {
				smallest, ok = o.value, true
			}
		}
		if ok {
			best = append(best, smallest)
		}
	}
	return best
}

// longest returns the number of trials of the longest run.
func longest(rows []row) int {
	n := 0
	for _, r := range rows {
		for _, runs := range r.runs {
			for _, outcomes := range runs {
				n = max(n, len(outcomes))
			}
		}
	}
	return n
}

// failed returns the number of failed trials.
func (r row) failed() (failed int) {
	for _, runs := range r.runs {
		for _, outcomes := range runs {
			for _, o := range outcomes {
				if math.IsNaN(o.value) {
					failed++
				}
			}
		}
	}
	return failed
}

// seconds returns the mean time that the method took for a trial.
func (r row) seconds() float64 {
	var sum float64
	n := 0
	for _, runs := range r.runs {
		for _, outcomes := range runs {
			for _, o := range outcomes {
				sum += o.seconds
				n++
			}
		}
	}
	return sum / float64(max(n, 1))
}
