package sampler

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"
)

// Each parameter by itself says where trials fail: a choice by its values, a number by those
// near it. Values that no trial has say nothing, however many there are, and two values that
// were never seen but in failures are suspected together.
func TestFailures(t *testing.T) {
	distributions := map[string]any{"codec": choice(4), "mode": choice(4), "threads": goptuna.IntUniformDistribution{Low: 0, High: 9}}
	values := func(codec, mode, threads float64) map[string]float64 {
		return map[string]float64{"codec": codec, "mode": mode, "threads": threads}
	}
	var codecs, threads, pairs []finishedTrial
	for i := range 4 {
		x := float64(i)
		codecs = append(codecs, finishedTrial{values(0, 0, 2*x), math.NaN()}, finishedTrial{values(1, 0, 2*x), 1 + x})
		threads = append(threads, finishedTrial{values(x, 0, x/2), math.NaN()}, finishedTrial{values(x, 0, 9-x/2), 1 + x})
		pairs = append(pairs, finishedTrial{values(0, 1, 2*x), 1 + x}, finishedTrial{values(1, 0, 2*x), 2 + x}, finishedTrial{values(0, 0, 2*x), math.NaN()})
	}
	for _, test := range []struct {
		name      string
		trials    []finishedTrial
		at        map[string]float64
		low, high float64
	}{
		{"a value that fails", codecs, values(0, 0, 3), 0, 0.2},
		{"a value that works", codecs, values(1, 0, 3), 0.8, 1},
		{"a new value", codecs, values(2, 0, 3), 0.45, 0.55},
		{"two new values", codecs, values(2, 1, 3), 0.45, 0.55},
		{"near numbers that fail", threads, values(0, 0, 2), 0, 0.3},
		{"between", threads, values(0, 0, 5), 0.4, 0.7},
		{"near numbers that work", threads, values(0, 0, 7), 0.7, 1},
		{"two new values, where a third fails", pairs, values(2, 2, 3), 0.6, 0.7},
	} {
		p := problemAfter(t, distributions, test.trials, len(test.trials))
		x, ok := p.Point(test.at)
		if !ok {
			t.Fatalf("%s: no configuration", test.name)
		}
		if got := newFailures(p).single.probability(x); got < test.low || got > test.high {
			t.Errorf("%s: a value has the probability %.2f, want %v to %v", test.name, got, test.low, test.high)
		}
	}
	p := problemAfter(t, distributions, pairs, len(pairs))
	x, _ := p.Point(values(0, 0, 9))
	f := newFailures(p)
	if alone, together := f.single.probability(x), f.probability(x); together > alone/2 {
		t.Errorf("a pair that has failed has a value with probability %.2f, its values by themselves %.2f", together, alone)
	}
}
