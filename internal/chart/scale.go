// Package chart draws small plots of a few kinds of marks, as SVG for a page and as characters for a terminal. Colours and
// fonts of the SVG are those of the page's style sheet: every mark has a class, and so have axes and labels.
package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

// A Kind is how the values of a scale are laid out.
type Kind int

const (
	Linear  Kind = iota
	Log          // of positive values
	Choices      // the values are 0, 1, ...: places in a list
)

// A Scale is an axis: what is on it, and how values become places.
type Scale struct {
	Label     string // with the unit, if there is one
	Kind      Kind
	Low, High float64  // the ends; not those of choices
	Choices   []string // their names, in order; of an axis that is read from above, the first is at the top
	Whole     bool     // only whole numbers have a tick
}

// A Tick is a labelled place on an axis, between 0 and 1.
type Tick struct {
	At    float64
	Label string
}

// At returns the place of a value, between 0 and 1: values outside are at the ends.
func (s Scale) At(value float64) float64 {
	low, high := s.Low, s.High
	switch {
	case s.Kind == Choices:
		low, high = -0.5, float64(max(1, len(s.Choices)))-0.5
	case !(high > low):
		return 0.5
	case s.Kind == Log:
		low, high, value = math.Log(low), math.Log(high), math.Log(math.Max(value, low))
	}
	value = math.Min(high, math.Max(low, value))
	if math.IsInf(high-low, 1) {
		return (value/2 - low/2) / (high/2 - low/2)
	}
	return (value - low) / (high - low)
}

const (
	// From a ratio of the ends of decadeTicks on, a logarithmic scale has its ticks at powers of ten, and from one of logTicks
	// on at 1, 2 and 5 times these. Below, even ticks tell more.
	decadeTicks, logTicks = 50, 4
	// slack is how far beyond an end a tick may be by rounding, in steps.
	slack = 1e-9
)

// Ticks returns n ticks or a few fewer, at round values.
func (s Scale) Ticks(n int) []Tick {
	var ticks []Tick
	add := func(value float64, label string) { ticks = append(ticks, Tick{s.At(value), label}) }
	switch {
	case s.Kind == Choices:
		for i, name := range s.Choices {
			add(float64(i), name)
		}
	case !(s.High > s.Low):
		add(s.Low, Number(s.Low))
	case s.Kind == Log && s.High/s.Low >= decadeTicks:
		decades := math.Log10(s.High) - math.Log10(s.Low)
		step := math.Max(1, math.Ceil(decades/float64(max(1, n-1))))
		for e := step * math.Ceil(math.Log10(s.Low)/step-slack); e <= math.Log10(s.High)+slack; e += step {
			add(math.Pow(10, e), power(int(math.Round(e))))
		}
	case s.Kind == Log && s.High/s.Low >= logTicks:
		for e := math.Floor(math.Log10(s.Low)); e <= math.Log10(s.High); e++ {
			for _, k := range []float64{1, 2, 5} {
				if v := k * math.Pow(10, e); s.Low <= v && v <= s.High {
					add(v, Number(v))
				}
			}
		}
	default:
		return s.evenTicks(n)
	}
	return ticks
}

// evenTicks returns ticks at the multiples of a round number.
func (s Scale) evenTicks(n int) (ticks []Tick) {
	parts := float64(max(1, n))
	step := math.Max(roundStep(s.High/parts-s.Low/parts), 1e-307)
	if s.Whole {
		step = math.Max(1, step)
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+slack)))
	most := math.Max(math.Abs(s.High), math.Abs(s.Low))
	first, last := math.Ceil(s.Low/step-slack), math.Inf(-1)
	for i := range n + 2 { // counted: beyond 2^53 steps from 0, one more is the same number
		value := (first+float64(i))*step + 0 // 0 is not to be -0
		if !(value <= s.High+slack*step) || math.IsInf(value, 0) {
			break
		}
		if value <= last {
			continue
		}
		last = value
		label := strings.Replace(strconv.FormatFloat(value, 'f', digits, 64), "-", "−", 1)
		if most >= 1e6 || digits > 5 {
			label = Digits(value, max(1, 1+int(math.Ceil(math.Log10(most/step))))) // as many as tell ticks apart
		}
		ticks = append(ticks, Tick{s.At(value), label})
	}
	return ticks
}

// roundStep returns the least of 1, 2 and 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if k*unit >= x*(1-slack) {
			return k * unit
		}
	}
	return 10 * unit
}

// power prints a power of ten.
func power(exponent int) string {
	if -4 < exponent && exponent < 5 {
		return strconv.FormatFloat(math.Pow(10, float64(exponent)), 'f', max(0, -exponent), 64)
	}
	return "10" + strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷",
		"8", "⁸", "9", "⁹").Replace(strconv.Itoa(exponent))
}

// Number prints a number with four digits.
func Number(x float64) string { return Digits(x, 4) }

// Digits prints a number with so many digits, as words.Number does, and a real minus sign.
func Digits(x float64, digits int) string {
	return strings.ReplaceAll(words.Number(x, digits), "-", "−")
}
