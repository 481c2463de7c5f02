package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/problem"
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
