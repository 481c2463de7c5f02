package harness

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
)

// Do does all jobs, so many at once, until one fails or ctx ends, and returns the
// first error. They begin in their order.
func Do[T any](ctx context.Context, atOnce int, jobs []T, do func(context.Context, T) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan T)
	var wg sync.WaitGroup
	for range min(atOnce, len(jobs)) {
		wg.Go(func() {
			for job := range todo {
				if ctx.Err() != nil {
					continue
				}
				if err := do(ctx, job); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, job := range jobs {
		select {
		case todo <- job:
		case <-ctx.Done():
		}
	}
	close(todo)
	wg.Wait()
	return context.Cause(ctx)
}

// Progress shows how far a program is: a bar with the remaining time on a
// terminal, and lines elsewhere. It is safe for concurrent use.
type Progress struct {
	mu  sync.Mutex
	out io.Writer
	bar *progressbar.ProgressBar // nil where there is no terminal
}

// NewProgress returns the progress of n steps, which the unit names.
func NewProgress(out io.Writer, n int, unit string) *Progress {
	p := &Progress{out: out}
	if file, ok := out.(*os.File); ok && n > 0 && isatty.IsTerminal(file.Fd()) {
		p.bar = progressbar.NewOptions(n,
			progressbar.OptionSetWriter(out),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(unit),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(200*time.Millisecond),
			progressbar.OptionOnCompletion(func() { fmt.Fprintln(out) }),
		)
	}
	return p
}

// Step says that n more steps are done.
func (p *Progress) Step(n int) {
	if p.bar != nil {
		p.bar.Add(n)
	}
}

// Printf prints a line, above the bar if there is one.
func (p *Progress) Printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		progressbar.Bprintf(p.bar, format+"\n", args...)
	} else {
		fmt.Fprintf(p.out, format+"\n", args...)
	}
}

// Close ends the bar.
func (p *Progress) Close() {
	if p.bar != nil {
		p.bar.Exit()
	}
}
