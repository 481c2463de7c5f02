package simulation

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/c-bata/goptuna"
)

// violation is a promise that the sampler broke.
type violation struct{ text string }

func (v *violation) Error() string { return v.text }

func violated(format string, args ...any) error {
	return &violation{fmt.Sprintf(format, args...)}
}

// guard stands between Goptuna and a sampler. It turns panics and values outside
// the distribution into violations, before they reach the storage, and takes the
// time.
type guard struct {
	sampler Sampler
	times   *times
}

// times keeps the slowest suggestion of a study.
type times struct {
	mu          sync.Mutex
	suggestions int
	slowest     time.Duration
	what        string
}

func (t *times) add(d time.Duration, number int, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.suggestions++
	if d > t.slowest {
		t.slowest, t.what = d, fmt.Sprintf("trial %d, parameter %q", number, name)
	}
}

func (g *guard) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (value float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = violated("trial %d, parameter %q of %#v: panic: %v\n%s", trial.Number, name, distribution, r, debug.Stack())
		}
	}()
	start := time.Now()
	value, err = g.sampler.Sample(study, trial, name, distribution)
	g.times.add(time.Since(start), trial.Number, name)
	if err == nil && !contains(distribution, value) {
		err = violated("trial %d: %q is %v, which is not in %#v", trial.Number, name, value, distribution)
	}
	return value, err
}

func (g *guard) SampleRelative(study *goptuna.Study, trial goptuna.FrozenTrial, searchSpace map[string]any) (values map[string]float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = violated("trial %d, defined space: panic: %v\n%s", trial.Number, r, debug.Stack())
		}
	}()
	start := time.Now()
	values, err = g.sampler.SampleRelative(study, trial, searchSpace)
	g.times.add(time.Since(start), trial.Number, "all")
	for name, value := range values {
		// An enqueued value is not the sampler's.
		if !contains(searchSpace[name], value) && !strings.Contains(trial.SystemAttrs["fixed_params"], strconv.Quote(name)) {
			err = violated("trial %d, defined space: %q is %v, which is not in %#v", trial.Number, name, value, searchSpace[name])
		}
	}
	return values, err
}

// log keeps the sampler's warnings, and the first that is a mistake of the program.
type log struct {
	goptuna.Logger
	mu       sync.Mutex
	warnings []string
	mistake  string
}

func (l *log) Debug(string, ...any) {}
func (l *log) Info(string, ...any)  {}
func (l *log) Error(string, ...any) {}
func (l *log) Warn(message string, fields ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if strings.HasPrefix(message, "fm:") {
		l.warnings = append(l.warnings, message)
		if text := fmt.Sprint(fields...); l.mistake == "" && (strings.Contains(text, "runtime error") || strings.Contains(text, "panic(")) {
			l.mistake = message + ": " + text
		}
	}
}

// saysExhausted reports whether the sampler has warned that it repeats
// configurations.
func (l *log) saysExhausted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.warnings {
		if strings.Contains(w, "every configuration") {
			return true
		}
	}
	return false
}
