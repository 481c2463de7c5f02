//go:build unix

package report

import (
	"syscall"
	"testing"
	"time"
)

// The figures are those of docs/report.md. The time is that of one core: fitting a model to 1,000 trials of random search is most of it.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("fits a model to 1,000 trials")
	}
	for _, e := range examples {
		s := newStudy(t, e)
		start := userTime(t)
		page, _ := render(t, read(t, s).document())
		took := userTime(t) - start
		if len(page) > maxSize {
			t.Errorf("%s has %d bytes", e.name, len(page))
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
