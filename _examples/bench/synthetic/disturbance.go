package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// disturbance is what keeps a study from the values of its problem.
type disturbance struct {
	flaky    float64 // share of the trials that fail at random
	outage   span    // numbers of those that all fail
	penalty  float64 // value that is reported of a trial that fails; 0 if it fails
	noise    float64 // standard deviation of the noise on values
	outliers float64 // share of the values that are much too large
}

// flags adds the flags of the fields.
func (d *disturbance) flags(flags *flag.FlagSet) {
	flags.Float64Var(&d.flaky, "flaky", 0, "`share` of the trials that fail whatever their parameters")
	flags.Var(&d.outage, "outage", "`numbers` of the trials that fail, as 20-40: from the first, without the last")
	flags.Float64Var(&d.penalty, "penalty", 0, "`value` that is reported of trials that fail; 0 means that they fail")
	flags.Float64Var(&d.noise, "noise", 0, "standard `deviation` of the noise on values; what is shown is without")
	flags.Float64Var(&d.outliers, "outliers", 0, "`share` of the values that are much too large, by exp(3+2z) with z from a standard normal distribution; what is shown is without")
}

func (d *disturbance) check() error {
	switch {
	case !(d.flaky >= 0 && d.flaky < 1):
		return errors.New("-flaky must be at least 0 and less than 1")
	case !(d.outliers >= 0 && d.outliers < 1):
		return errors.New("-outliers must be at least 0 and less than 1")
	case math.IsNaN(d.penalty) || math.IsInf(d.penalty, 0):
		return errors.New("-penalty must be finite")
	case !(d.noise >= 0) || math.IsInf(d.noise, 1):
		return errors.New("-noise must be finite and not negative")
	}
	return nil
}

// errFlaky fails a trial that nothing is wrong with.
var errFlaky = errors.New("failed whatever the parameters")

// These streams set the random numbers of failures and of outliers apart from those of
// durations.
const (
	flakyStream   = 1 << 32
	outlierStream = 3 << 32
)

// fails tells whether a trial fails whatever its parameters. It depends on the seed and the
// trial alone, as noiseOf does.
func (d *disturbance) fails(seed int64, number int) bool {
	return rand.New(rand.NewPCG(uint64(seed), flakyStream+uint64(number))).Float64() < d.flaky || d.outage.contains(number)
}

// noiseOf returns what is added to the value that the study gets: noise, and of an outlier much.
func (d *disturbance) noiseOf(seed int64, number int) float64 {
	added := d.noise * harness.Noise(seed, number)
	rng := rand.New(rand.NewPCG(uint64(seed), outlierStream+uint64(number)))
	if rng.Float64() < d.outliers {
		added += math.Exp(3 + 2*rng.NormFloat64())
	}
	return added
}

// span is a range of numbers, the last not included, as a flag.
type span struct{ from, to int }

func (s *span) contains(n int) bool { return s.from <= n && n < s.to }

// String is empty for the empty span.
func (s *span) String() string {
	if s.from == s.to {
		return ""
	}
	return fmt.Sprintf("%d-%d", s.from, s.to)
}

// Set reads what String writes.
func (s *span) Set(text string) error {
	if _, err := fmt.Sscanf(text, "%d-%d", &s.from, &s.to); err != nil || s.from < 0 || s.to <= s.from {
		return errors.New("write two numbers, the smaller first, as 20-40")
	}
	return nil
}
