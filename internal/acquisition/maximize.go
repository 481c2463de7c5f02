package acquisition

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// Settings bounds the search. A zero field means its default.
type Settings struct {
	Candidates int // points whose acquisition value is computed first; 0 means 256
	Starts     int // candidates refined; 0 means 4

	// Fork returns a function equal to the one given, for another goroutine.
	// With it the search uses up to GOMAXPROCS goroutines, and finds the same;
	// nil means one.
	Fork func() Func
}

const (
	maxEnumerated = 1024 // finite domains up to this size together are enumerated
	minCandidates = 32   // candidates of each domain, where there are many
	finalists     = 2    // starts refined beyond one alternation
	alternations  = 8    // of continuous and discrete ascents from each of them, at most
	maxMoves      = 8    // discrete moves of one ascent at most
	fallbackDraws = 200  // random points tried when all else is excluded
)

// Candidate is a proposed point.
type Candidate struct {
	X     fmkernel.Point
	Value float64 // of the function
	dom   *Domain
}

// Maximize returns the point with the largest value of f that lies in one of the
// domains and is not excluded; ok is false where the search meets none, which need
// not mean that there is none.
func Maximize(f Func, doms []*Domain, rng *rand.Rand, s Settings) (c Candidate, ok bool) {
	if s.Candidates == 0 {
		s.Candidates = 256
	}
	if s.Starts == 0 {
		s.Starts = 4
	}
	m := &maximizer{f: f, rng: rng, Settings: s}
	var candidates, enumerated []Candidate
	room := float64(maxEnumerated)
	for _, dom := range doms {
		if size := dom.Size(); size <= room {
			room -= size
			dom.each(func(x fmkernel.Point) {
				enumerated = append(enumerated, Candidate{X: x.Clone(), dom: dom})
			})
			continue
		}
		n := max(s.Candidates/len(doms), min(s.Candidates, minCandidates))
		for _, x := range m.candidates(dom, n) {
			candidates = append(candidates, Candidate{X: x, dom: dom})
		}
	}
	m.evaluate(candidates)
	found := m.spread(candidates)
	m.refineAll(found, 1)
	m.refineAll(found[:min(finalists, len(found))], alternations)
	m.evaluate(enumerated)
	all := slices.Concat(found, candidates, enumerated)
	sortByValue(all)
	for _, c := range all {
		if !c.dom.excluded(c.X) {
			return c, true
		}
	}
	for _, dom := range doms {
		for range fallbackDraws {
			if x := dom.Draw(rng); !dom.excluded(x) {
				return m.valued(x, dom), true
			}
		}
	}
	return c, false
}

type maximizer struct {
	Settings
	f     Func
	forks []Func // one per goroutine, kept for the next time
	rng   *rand.Rand
}

// minBatch is the number of points worth a goroutine.
const minBatch = 64

// parallel calls f for the ranges of a partition of n items, at least atLeast
// each, on one goroutine per range.
func (m *maximizer) parallel(n, atLeast int, f func(worker *maximizer, from, to int)) {
	workers := 1
	if m.Fork != nil {
		workers = max(1, min(runtime.GOMAXPROCS(0), n/atLeast))
	}
	if workers == 1 {
		f(m, 0, n)
		return
	}
	for len(m.forks) < workers {
		m.forks = append(m.forks, m.Fork())
	}
	var wg sync.WaitGroup
	panics := make([]any, workers)
	for w := range workers {
		worker := *m
		worker.f, worker.Fork = m.forks[w], nil
		wg.Add(1)
		go func() {
			defer wg.Done()
			// A panic must end in the caller, not the process. The caller's stack is another one.
			defer func() {
				if r := recover(); r != nil {
					panics[w] = fmt.Sprintf("%v\n%s", r, debug.Stack())
				}
			}()
			f(&worker, w*n/workers, (w+1)*n/workers)
		}()
	}
	wg.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// evaluate fills in the values of the candidates, and sorts them, best first.
func (m *maximizer) evaluate(cs []Candidate) {
	if len(cs) == 0 {
		return
	}
	xs := make([]fmkernel.Point, len(cs))
	for i, c := range cs {
		xs[i] = c.X
	}
	values := make([]float64, len(xs))
	m.parallel(len(xs), minBatch, func(worker *maximizer, from, to int) {
		worker.f.ValueBatch(values[from:to], xs[from:to])
	})
	for i, value := range values {
		cs[i].Value = value
	}
	sortByValue(cs)
}

// valued returns the point as a candidate.
func (m *maximizer) valued(x fmkernel.Point, dom *Domain) Candidate {
	cs := []Candidate{{X: x, dom: dom}}
	m.evaluate(cs)
	return cs[0]
}

func sortByValue(cs []Candidate) {
	slices.SortStableFunc(cs, func(a, b Candidate) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return 0
	})
}
