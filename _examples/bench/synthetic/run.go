package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/tpe"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

var allMethods = []string{"fm", "tpe", "random"}

// newSampler returns one of allMethods.
func newSampler(cfg config, method string, seed int64) goptuna.Sampler {
	switch method {
	case "fm":
		opts := []fm.SamplerOption{fm.SamplerOptionSeed(seed), fm.SamplerOptionNumberOfStartupTrials(cfg.startup)}
		if cfg.modelTrials > 0 {
			opts = append(opts, fm.SamplerOptionNumberOfModelTrials(cfg.modelTrials))
		}
		opts = append(opts, fm.SamplerOptionReferenceFit(cfg.reference), fm.SamplerOptionSliceSampling(cfg.samples))
		if cfg.kernel != nil {
			opts = append(opts, fm.SamplerOptionKernel(cfg.kernel))
		}
		return fm.NewSampler(opts...)
	case "tpe":
		return tpe.NewSampler(tpe.SamplerOptionSeed(seed), tpe.SamplerOptionNumberOfStartupTrials(cfg.startup))
	case "random":
		return problems.NewRandomSampler(seed)
	default:
		panic("synthetic: unknown method " + method)
	}
}

// run is one study: a problem, a method, a number of workers, how many of them
// are killed and replaced, and a seed, and what came out, in the order in which
// the trials ended.
type run struct {
	problem *problems.Problem
	method  string
	workers int
	kills   int
	seed    int64
	flaky   float64 // share of the trials that fail at random
	noise   float64 // standard deviation of the noise on values

	time    float64   // simulated time of the last end
	values  []float64 // objective value of each trial, without noise; NaN if the trial failed
	best    []float64 // that of the trial that looks best so far; +Inf before the first success
	lowest  float64   // its value with noise
	suggest []float64 // seconds spent in the sampler by each trial
}

// runAll does every run of cfg, cfg.parallel at once. The order lets methods and
// numbers of workers take turns, so that a slow minute of the machine hits all
// of them.
func runAll(cfg config, log io.Writer) ([]*run, error) {
	var runs []*run
	for i := range cfg.seeds {
		for _, p := range cfg.problems {
			for _, method := range cfg.methods {
				for _, workers := range cfg.workers {
					for _, kills := range cfg.allKills() {
						runs = append(runs, &run{problem: p, method: method, workers: workers, kills: kills, seed: cfg.firstSeed + int64(i), flaky: cfg.flaky, noise: cfg.noise})
					}
				}
			}
		}
	}
	table, err := newCSV(cfg.csvFile)
	if err != nil {
		return nil, err
	}
	defer table.Close()

	todo := make(chan *run)
	var (
		wg       sync.WaitGroup
		mu       sync.Mutex // guards what follows, log and table
		done     int
		firstErr error
	)
	for range min(cfg.parallel, len(runs)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for r := range todo {
				start := time.Now()
				err := r.do(cfg)
				mu.Lock()
				if err == nil {
					done++
					fmt.Fprintf(log, "[%d/%d] %s: best %.6g in %.1f s\n", done, len(runs),
						r, r.best[len(r.best)-1], time.Since(start).Seconds())
					err = table.write(r)
				}
				if err != nil && firstErr == nil {
					firstErr = fmt.Errorf("%s: %w", r, err)
				}
				mu.Unlock()
			}
		}()
	}
	failed := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return firstErr != nil
	}
	for _, r := range runs {
		if failed() {
			break
		}
		todo <- r
	}
	close(todo)
	wg.Wait()
	return runs, firstErr
}

// String tells runs apart.
func (r *run) String() string {
	return fmt.Sprintf("%s, %s, workers %s, seed %d", r.problem.Name, r.method, team(r.workers, r.kills), r.seed)
}

// do runs the study.
func (r *run) do(cfg config) error {
	study, err := goptuna.CreateStudy(
		r.String(),
		goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage()),
		goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(newSampler(cfg, r.method, r.seed)),
	)
	if err != nil {
		return err
	}
	return r.simulate(study, cfg.trials)
}

// record appends the outcome of one trial: its value without noise, and with it.
func (r *run) record(value, seen, seconds float64, err error) {
	best := math.Inf(1)
	if n := len(r.best); n > 0 {
		best = r.best[n-1]
	}
	if err != nil {
		value = math.NaN()
	} else if math.IsInf(best, 1) || seen < r.lowest {
		best, r.lowest = value, seen
	}
	r.values = append(r.values, value)
	r.best = append(r.best, best)
	r.suggest = append(r.suggest, seconds)
}

// csvTable is a CSV file of trials; the nil table swallows them.
type csvTable struct {
	file *os.File
	w    *csv.Writer
}

func newCSV(name string) (*csvTable, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	t := &csvTable{file: file, w: csv.NewWriter(file)}
	return t, t.w.Write([]string{"problem", "method", "workers", "killed", "seed", "trial", "value", "best", "suggest_seconds"})
}

// write appends all trials of a run, counted from 1 as they ended. Runs come in
// the order in which they end, too.
func (t *csvTable) write(r *run) error {
	if t == nil {
		return nil
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for i := range r.best {
		err := t.w.Write([]string{
			r.problem.Name, r.method, strconv.Itoa(r.workers), strconv.Itoa(r.kills), strconv.FormatInt(r.seed, 10), strconv.Itoa(i + 1),
			number(r.values[i]), number(r.best[i]), number(r.suggest[i]),
		})
		if err != nil {
			return err
		}
	}
	t.w.Flush()
	return t.w.Error()
}

func (t *csvTable) Close() error {
	if t == nil {
		return nil
	}
	return t.file.Close()
}
