package fmtest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/c-bata/goptuna"
)

// Recorder is a study's logger that keeps the sampler's own messages.
type Recorder struct {
	goptuna.Logger
	mu       sync.Mutex
	warnings []string
}

func (r *Recorder) Debug(string, ...any) {}
func (r *Recorder) Info(string, ...any)  {}
func (r *Recorder) Error(string, ...any) {}
func (r *Recorder) Warn(message string, fields ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if strings.HasPrefix(message, "fm:") {
		r.warnings = append(r.warnings, message+" "+fmt.Sprint(fields...))
	}
}

// Check compares the number of warnings, and asks each to contain part.
func (r *Recorder) Check(t *testing.T, want int, part string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	matching := 0
	for _, w := range r.warnings {
		if strings.Contains(w, part) {
			matching++
		}
	}
	if matching != want || len(r.warnings) != want {
		t.Errorf("want %d warnings with %q, got %q", want, part, r.warnings)
	}
}

// Warnings returns the warnings.
func (r *Recorder) Warnings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.warnings)
}
