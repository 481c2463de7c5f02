package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// benchCase is one row of the table.
type benchCase struct {
	Space       string
	N           int // finished trials
	Suggestions int // to measure after the first
	Seed        int64
	Profile     string // file for a CPU profile; "" for none
}

// result is what came out of a case.
type result struct {
	Method  string // fm, or the name of a peer
	Space   string
	N       int
	First   float64   // seconds of the first suggestion
	Seconds []float64 // of the suggestions after it
	CPU     float64   // seconds of processors of a suggestion after the first, on average; 0 where it is not known
	Grown   float64   // seconds of one after the history has grown; fm only
	Bytes   float64   // allocated by a suggestion, on average; fm only
	Allocs  float64   // allocations of a suggestion, on average; fm only
	// PeakRSS is the largest resident memory of the process in bytes, 0 where
	// it is not known.
	PeakRSS  int64
	Warnings []string // of the sampler: what it measured may be a fallback
}

func (r *result) mean() float64 { return mean(r.Seconds) }

func (r *result) median() float64 {
	sorted := slices.Sorted(slices.Values(r.Seconds))
	half := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[half-1] + sorted[half]) / 2
	}
	return sorted[half]
}

// measureInChild measures a case in a process of its own: nothing that was
// measured before counts towards its peak of memory or is left to collect.
func measureInChild(c benchCase, procs int) (*result, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.Command(self, "-measure", string(text))
	child.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
	child.Stderr = os.Stderr
	output, err := child.Output()
	if err != nil {
		return nil, fmt.Errorf("%s, n=%d: %w", c.Space, c.N, err)
	}
	r := new(result)
	return r, json.Unmarshal(output, r)
}

// measure measures a case in this process.
func measure(c benchCase) (*result, error) {
	s, err := spaceByName(c.Space)
	if err != nil {
		return nil, err
	}
	var logged warnings
	study, err := goptuna.CreateStudy("suggest",
		goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage()),
		goptuna.StudyOptionLogger(&logged),
		goptuna.StudyOptionSampler(fm.NewSampler(append(s.options(), fm.SamplerOptionSeed(c.Seed))...)),
	)
	if err != nil {
		return nil, err
	}
	growth := max(1, c.N/10)
	trials := s.history(c.N+growth, c.Seed)
	if err := s.insert(study, trials[:c.N]); err != nil {
		return nil, err
	}
	runtime.GC() // of what made the history

	stop, err := startProfile(c.Profile)
	if err != nil {
		return nil, err
	}
	defer stop()
	m := meter{space: s, study: study}
	if err := m.suggest(1 + c.Suggestions); err != nil {
		return nil, err
	}
	cpu, bytes, allocs := mean(m.cpu[1:]), mean(m.bytes[1:]), mean(m.allocs[1:])
	if err := s.insert(study, trials[c.N:]); err != nil {
		return nil, err
	}
	if err := m.suggest(1); err != nil {
		return nil, err
	}
	return &result{
		Method: "fm", Space: c.Space, N: c.N,
		First: m.seconds[0], Seconds: m.seconds[1 : 1+c.Suggestions], Grown: m.seconds[1+c.Suggestions],
		CPU: cpu, Bytes: bytes, Allocs: allocs,
		PeakRSS: peakRSS(), Warnings: logged.messages,
	}, nil
}

// meter measures the suggestions of a study's trials.
type meter struct {
	space *space
	study *goptuna.Study

	// Per suggestion.
	seconds, cpu, bytes, allocs []float64
}

// suggest runs count trials to their end. The clock runs in the Suggest calls
// only.
func (m *meter) suggest(count int) error {
	return m.study.Optimize(func(trial goptuna.Trial) (float64, error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		used, start := cpuTime(), time.Now()
		x, err := m.space.suggest(&trial)
		elapsed := time.Since(start)
		used = cpuTime() - used
		runtime.ReadMemStats(&after)
		if err != nil {
			return 0, err
		}
		m.seconds = append(m.seconds, elapsed.Seconds())
		m.cpu = append(m.cpu, used.Seconds())
		m.bytes = append(m.bytes, float64(after.TotalAlloc-before.TotalAlloc))
		m.allocs = append(m.allocs, float64(after.Mallocs-before.Mallocs))
		return m.space.objective(x), nil
	}, count)
}

func mean(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// startProfile starts a CPU profile, if name is not empty.
func startProfile(name string) (stop func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, err
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		file.Close()
	}, nil
}

// peakRSS returns the largest resident memory of this process in bytes, or 0
// on a system that does not tell it in /proc.
func peakRSS() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		if value, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			kB, _ := strconv.ParseInt(string(bytes.TrimSuffix(bytes.TrimSpace(value), []byte(" kB"))), 10, 64)
			return kB << 10
		}
	}
	return 0
}

// warnings is a logger of a study that keeps what is wrong.
type warnings struct{ messages []string }

func (w *warnings) Debug(string, ...any)            {}
func (w *warnings) Info(string, ...any)             {}
func (w *warnings) Warn(msg string, fields ...any)  { w.add(msg, fields) }
func (w *warnings) Error(msg string, fields ...any) { w.add(msg, fields) }
func (w *warnings) add(msg string, fields []any) {
	w.messages = append(w.messages, strings.TrimSpace(msg+" "+fmt.Sprintln(fields...)))
}
