package space

import (
	"math"

	"github.com/c-bata/goptuna"
)

// codec converts between the internal representation of Goptuna and a
// coordinate: u in [0, 1] of a dimension, or the number of a vertex.
type codec interface {
	// Decode returns the value at coordinate u. It lies in the distribution.
	Decode(u float64) float64
	// EncodeFrom returns the coordinate of a value that another distribution may
	// have produced, and false when it has none here.
	EncodeFrom(value float64, from any) (u float64, ok bool)
	// Single reports whether there is one value only, and returns it.
	Single() (value float64, ok bool)
	// bounds returns the range of the values, and contains reports whether a finite
	// number is one of them, as Goptuna's Contains does.
	bounds() interval
	contains(value float64) bool
}

// numeric returns the number that a value of a distribution stands for, as the
// objective gets it, and false for a categorical one.
func numeric(value float64, from any) (float64, bool) {
	switch d := from.(type) {
	case goptuna.CategoricalDistribution:
		return 0, false
	case goptuna.IntUniformDistribution:
		value = math.Round(value)
	case goptuna.DiscreteUniformDistribution:
		// Goptuna accepts values on the grid that counts down from the upper end, too.
		if snapped := d.ToExternalRepr(value).(float64); isFinite(snapped) {
			value = snapped
		}
	case goptuna.StepIntUniformDistribution:
		value = float64(d.Low) + float64(math.Round((value-float64(d.Low))/float64(d.Step))*float64(d.Step))
	}
	return value, isFinite(value)
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Products that are added to something stand in float64(…) in the codecs: without
// it, a compiler for a CPU that can multiply and add in one step does so, without
// rounding in between, and two builds of one program would suggest values that
// differ in the last bit.

// interval is a range of values, both ends included.
type interval struct{ low, high float64 }

// clip returns the value of the interval that is next to one.
func (r interval) clip(value float64) float64 {
	return math.Min(math.Max(value, r.low), r.high)
}

// clipRounded is clip for a value that rounding has led out of the interval, by slack at
// most; any other stays as it is.
func (r interval) clipRounded(value, slack float64) float64 {
	if clipped := r.clip(value); math.Abs(value-clipped) <= slack {
		return clipped
	}
	return value
}

func (r interval) bounds() interval { return r }

func (r interval) contains(value float64) bool { return r.low <= value && value <= r.high }

func (r interval) Single() (value float64, ok bool) { return r.low, r.low == r.high }

type linear struct{ interval }

func (c linear) Decode(u float64) float64 {
	// Each end times its share: the difference of the ends may overflow.
	return c.clip(float64(c.low*(1-u)) + float64(c.high*u))
}

func (c linear) EncodeFrom(value float64, from any) (float64, bool) {
	x, ok := numeric(value, from)
	return ratio(x/2-c.low/2, c.high/2-c.low/2), ok
}

// ratio returns a/b, and 0 for a range so small that its length has rounded to 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

type logarithmic struct {
	interval
	log interval // that of the logarithms
}

func (c logarithmic) Decode(u float64) float64 {
	return c.clip(math.Exp(c.log.low + float64(u*(c.log.high-c.log.low))))
}

func (c logarithmic) EncodeFrom(value float64, from any) (float64, bool) {
	x, ok := numeric(value, from)
	if !ok || x <= 0 {
		return 0, false
	}
	return ratio(math.Log(x)-c.log.low, c.log.high-c.log.low), true
}
