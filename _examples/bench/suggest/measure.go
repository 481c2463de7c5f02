package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

// benchCase is one row of the table.
type benchCase struct {
	Space       string
	N           int // finished trials
	Suggestions int // to measure after the first
	Seed        int64
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

func (r *result) mean() float64 { return stat.Mean(r.Seconds, nil) }

func (r *result) median() float64 { return harness.Median(r.Seconds) }

// measureInChild measures a case in a process of its own: nothing that was
// measured before counts towards its peak of memory or is left to collect.
func measureInChild(ctx context.Context, c benchCase, procs int) (*result, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(ctx, self, "-measure", string(text))
	child.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
	child.Stderr = os.Stderr
	output, err := child.Output()
	if err != nil {
		return nil, fmt.Errorf("%s, n=%d: %w", c.Space, c.N, err)
	}
	r := new(result)
	return r, json.Unmarshal(output, r)
}

// measure measures a case with a method, which is fm or a peer. Of a peer, time
// and memory are those of its process.
func measure(ctx context.Context, m *harness.Method, c benchCase, python string, threads int) (r *result, err error) {
	found, err := harness.Select(c.Space, spaces, (*space).name)
	if err != nil {
		return nil, err
	}
	s := found[0]
	instance, err := m.Open(ctx, harness.Setting{Problem: s.Problem, Seed: c.Seed, Python: python, Threads: threads})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, instance.Close()) }()
	var logged warnings
	study, err := goptuna.CreateStudy("suggest",
		goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage()),
		goptuna.StudyOptionLogger(&logged),
		goptuna.StudyOptionSampler(instance),
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

	meter := meter{space: s, study: study}
	meter.peer, _ = instance.Sampler.(*peers.Sampler)
	if err := meter.suggest(1 + c.Suggestions); err != nil {
		return nil, err
	}
	r = &result{
		Method: m.Name, Space: s.Name, N: c.N, First: meter.seconds[0], Seconds: meter.seconds[1:], CPU: stat.Mean(meter.cpu[1:], nil),
	}
	if meter.peer != nil {
		r.PeakRSS = meter.peer.Cost().PeakRSS
		return r, nil
	}
	r.Bytes, r.Allocs = stat.Mean(meter.bytes[1:], nil), stat.Mean(meter.allocs[1:], nil)
	if err := s.insert(study, trials[c.N:]); err != nil {
		return nil, err
	}
	if err := meter.suggest(1); err != nil {
		return nil, err
	}
	r.Grown, r.PeakRSS, r.Warnings = meter.seconds[1+c.Suggestions], peakRSS(), logged.messages
	return r, nil
}

// meter measures the suggestions of a study's trials.
type meter struct {
	space *space
	study *goptuna.Study
	peer  *peers.Sampler // nil for fm

	// Per suggestion; memory is that of fm.
	seconds, cpu, bytes, allocs []float64
}

// suggest runs count trials to their end. The clock runs in the Suggest calls
// only.
func (m *meter) suggest(count int) error {
	return m.study.Optimize(func(trial goptuna.Trial) (float64, error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		used, start := cpuTime(), time.Now()
		c, v, err := m.space.Space.Suggest(&trial)
		cost := peers.Cost{Seconds: time.Since(start).Seconds(), CPU: (cpuTime() - used).Seconds()}
		runtime.ReadMemStats(&after)
		if err != nil {
			return 0, err
		}
		if m.peer != nil {
			cost = m.peer.Cost()
		}
		m.seconds, m.cpu = append(m.seconds, cost.Seconds), append(m.cpu, cost.CPU)
		m.bytes = append(m.bytes, float64(after.TotalAlloc-before.TotalAlloc))
		m.allocs = append(m.allocs, float64(after.Mallocs-before.Mallocs))
		return m.space.objective(m.space.Space.InOrder(c, v)), nil
	}, count)
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
