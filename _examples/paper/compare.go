package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"

	"github.com/goptuna-fm/goptuna-fm/_examples/paper/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/paper/problem"
)

// compare runs the methods on the problem and writes tables and pictures.
func compare(ctx context.Context, cfg config, out, log io.Writer) error {
	p, end, err := cfg.experiment.open(ctx, cfg)
	if err != nil {
		return err
	}
	studies, skipped, err := plan(ctx, cfg, p, log)
	if err == nil {
		err = runAll(ctx, cfg, p, studies, log)
	}
	if err := errors.Join(err, end()); err != nil {
		return err
	}
	return report(cfg, p, skipped, out)
}

// plan returns the studies to run, seed by seed, so that the methods take turns
// and a slow minute of the machine hits all of them; and the methods that are not
// installed.
func plan(ctx context.Context, cfg config, p *problem.Problem, log io.Writer) (studies []*study, skipped []*method, err error) {
	var usable []*method
	for _, m := range cfg.methods {
		_, end, err := m.sampler(ctx, setting{problem: p, trials: cfg.trials, python: cfg.python})
		if missing := (*bridge.MissingError)(nil); errors.As(err, &missing) {
			fmt.Fprintf(log, "skipping %s: %v\n", m.title, err)
			skipped = append(skipped, m)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if err := end(); err != nil {
			return nil, nil, err
		}
		usable = append(usable, m)
	}
	for i := range cfg.seeds {
		for _, m := range usable {
			studies = append(studies, newStudy(cfg, m, cfg.firstSeed+i))
		}
	}
	return studies, skipped, nil
}

// runAll runs what is missing of the studies, cfg.jobs at once.
func runAll(ctx context.Context, cfg config, p *problem.Problem, studies []*study, log io.Writer) error {
	missing := 0
	var todo []*study
	for _, s := range studies {
		outcomes, err := s.outcomes()
		if err != nil {
			return err
		}
		if n := cfg.trials - len(outcomes); n > 0 {
			missing += n
			todo = append(todo, s)
		}
	}
	bar := newBar(log, missing, cfg.experiment.name, "trials")
	defer bar.Finish()
	return each(ctx, cfg.jobs, todo, func(ctx context.Context, s *study) error {
		if err := s.do(ctx, cfg, p, func() { bar.Add(1) }); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		return nil
	})
}

// newBar returns a progress bar with the remaining time. Where log is no
// terminal, it is printed now and then only.
func newBar(log io.Writer, n int, title, unit string) *progressbar.ProgressBar {
	throttle := 30 * time.Second
	if file, ok := log.(*os.File); ok && isatty.IsTerminal(file.Fd()) {
		throttle = 200 * time.Millisecond
	}
	return progressbar.NewOptions(n,
		progressbar.OptionSetWriter(log),
		progressbar.OptionSetDescription(title),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString(unit),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(throttle),
		progressbar.OptionOnCompletion(func() { fmt.Fprintln(log) }),
	)
}

// each does all jobs, so many at once, until one fails, and returns the first
// error.
func each[T any](ctx context.Context, jobs int, all []T, do func(context.Context, T) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan T)
	var wg sync.WaitGroup
	for range min(jobs, len(all)) {
		wg.Go(func() {
			for job := range todo {
				if err := do(ctx, job); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, job := range all {
		if ctx.Err() != nil {
			break
		}
		select {
		case todo <- job:
		case <-ctx.Done():
		}
	}
	close(todo)
	wg.Wait()
	return context.Cause(ctx)
}

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
			if o.value == o.value && (!ok || o.value < smallest) {
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

// failed counts failed trials, and all.
func (r row) failed() (failed, all int) {
	for _, runs := range r.runs {
		for _, outcomes := range runs {
			all += len(outcomes)
			failed += len(outcomes) - len(slices.DeleteFunc(slices.Clone(outcomes), func(o outcome) bool { return o.value != o.value }))
		}
	}
	return failed, all
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
