package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/mattn/go-isatty"
)

// A progress reports one line per trial: the same line again and again on a terminal, one below the other elsewhere.
// It is also where the study's logger writes. Write is safe for concurrent use.
type progress struct {
	out     io.Writer
	inPlace bool // out is a terminal
	trials  int  // that this run is to make
	done    int  // that it has made
	began   time.Time
	best    *goptuna.FrozenTrial // nil until a trial is complete

	mu   sync.Mutex // guards line and what is written
	line string     // that is on the terminal now
}

// newProgress returns a progress that reports to out on a run of that many trials.
func newProgress(out *os.File, trials int) *progress {
	return &progress{
		out:     out,
		inPlace: isatty.IsTerminal(out.Fd()) || isatty.IsCygwinTerminal(out.Fd()),
		trials:  trials,
	}
}

// start starts the clock. The trials of earlier runs count for the best so far.
func (p *progress) start(earlier []goptuna.FrozenTrial) {
	p.began = time.Now()
	if best, ok := bestOf(earlier); ok {
		p.best = &best
	}
	if p.inPlace && p.trials > 0 {
		p.show("the first trial is running")
	}
}

// finished reports a trial that has just ended.
func (p *progress) finished(trial goptuna.FrozenTrial) { p.report(trial, time.Since(p.began)) }

// report shows a finished trial, so much time after the start.
func (p *progress) report(trial goptuna.FrozenTrial, elapsed time.Duration) {
	p.done++
	value, best := "failed", "none yet"
	if trial.State == goptuna.TrialStateComplete {
		value = fmt.Sprintf("%.4f", trial.Value)
		if p.best == nil || trial.Value < p.best.Value {
			p.best = &trial
		}
	}
	if p.best != nil {
		best = fmt.Sprintf("%.4f (trial %d)", p.best.Value, p.best.Number)
	}
	left := elapsed / time.Duration(p.done) * time.Duration(p.trials-p.done)
	p.show(fmt.Sprintf("%3d/%d  trial %3d: %-6s  best %-18s  %s, %s left",
		p.done, p.trials, trial.Number, value, best, clock(elapsed), clock(left)))
}

// show writes a line, on a terminal over the one before it.
func (p *progress) show(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.inPlace {
		fmt.Fprintln(p.out, line)
		return
	}
	fmt.Fprintf(p.out, "\r%-*s", len(p.line), line) // padded, to cover all of a longer line
	p.line = line
}

// leave ends the line on the terminal, so that what comes next stands below it.
func (p *progress) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.line != "" {
		fmt.Fprintln(p.out)
		p.line = ""
	}
}

// Write passes a message on to standard error, past the line on the terminal.
func (p *progress) Write(message []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.line != "" {
		fmt.Fprintf(p.out, "\r%s\r", strings.Repeat(" ", len(p.line)))
		defer fmt.Fprint(p.out, p.line)
	}
	return os.Stderr.Write(message)
}

// clock formats a duration as minutes and seconds.
func clock(d time.Duration) string {
	seconds := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}
