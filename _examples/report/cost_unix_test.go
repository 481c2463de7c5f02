//go:build unix

package main

import (
	"syscall"
	"testing"
	"time"
)

// maxTime is the time of one core that a report may take: fitting a model to 1,000 trials of random search is most of it.
const maxTime = 10 * time.Second

// The figures are those of docs/report.md.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("fits a model to 1,000 trials")
	}
	for _, e := range examples {
		s := newStudy(t, e)
		start := userTime(t)
		page, _ := render(t, read(t, e.name, s).document())
		took := userTime(t) - start
		if took > maxTime {
			t.Errorf("%s takes %v", e.name, took)
		}
		t.Logf("%-12s %4d KB, %.2f s", e.name, len(page)/1024, took.Seconds())
	}
}

// userTime returns for how long the process has computed.
func userTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano())
}
