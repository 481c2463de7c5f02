package space

import (
	"math"
	"slices"

	"github.com/c-bata/goptuna"
)

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
		if snapped := d.ToExternalRepr(value).(float64); !math.IsInf(snapped, 0) && !math.IsNaN(snapped) {
			value = snapped
		}
	case goptuna.StepIntUniformDistribution:
		value = float64(d.Low) + float64(math.Round((value-float64(d.Low))/float64(d.Step))*float64(d.Step))
	}
	return value, !math.IsNaN(value) && !math.IsInf(value, 0)
}

// Products that are added to something stand in float64(…) in this file: without
// it, a compiler for a CPU that can multiply and add in one step does so, without
// rounding in between, and two builds of one program would suggest values that
// differ in the last bit.

type linear struct{ low, high float64 }

func (c linear) decode(u float64) float64 {
	// Each end times its share: the difference of the ends may overflow.
	return math.Min(math.Max(float64(c.low*(1-u))+float64(c.high*u), c.low), c.high)
}

func (c linear) encode(value float64, from any) (float64, bool) {
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

type logarithmic struct{ low, high, logLow, logHigh float64 }

func (c logarithmic) decode(u float64) float64 {
	return math.Min(math.Max(math.Exp(c.logLow+float64(u*(c.logHigh-c.logLow))), c.low), c.high)
}

func (c logarithmic) encode(value float64, from any) (float64, bool) {
	x, ok := numeric(value, from)
	if !ok || x <= 0 {
		return 0, false
	}
	return ratio(math.Log(x)-c.logLow, c.logHigh-c.logLow), true
}

// grid is low, low+step, …, count values, as vertices of a path or as levels of
// a dimension.
type grid struct {
	low, high   float64 // high may lie off the grid; rounding must not pass it
	step, count float64
	vertices    bool    // whether values are vertices of a graph, or levels of a dimension
	order       float64 // number of vertices: values of earlier grids have some too
	shift       float64 // the vertex of low
	contains    func(float64) bool
}

// onGrid is how far off a value may lie, in steps, but for the spacing of floats.
const onGrid = 1e-6

// slack is by how much rounding may take a value off the grid: far from zero, as among
// times in seconds, the spacing of floats is more than onGrid.
func (c grid) slack() float64 {
	return onGrid*c.step + 1e-15*(math.Abs(c.low)+math.Abs(c.high))
}

// tolerance returns slack in steps. A value in the middle of two is off any grid.
func (c grid) tolerance() float64 { return math.Min(c.slack()/c.step, 0.49) }

func (c grid) decode(u float64) float64 {
	k := u - c.shift
	if !c.vertices {
		k = math.Round(u * (c.count - 1))
	}
	// At magnitudes where the spacing of float64 passes the step, the nearest
	// value may lie outside or off the grid; low never does.
	for shrink := 1e-9; ; shrink *= 4 {
		if v := math.Min(c.low+float64(k*c.step), c.high); k <= 0 || c.contains(v) {
			return v
		}
		if shrink < 0.5 {
			k = math.Floor(k * (1 - shrink))
		} else {
			k = math.Floor(math.Sqrt(k) / 2)
		}
	}
}

func (c grid) encode(value float64, from any) (float64, bool) {
	x, ok := numeric(value, from)
	if !ok {
		return 0, false
	}
	k := (x - c.low) / c.step
	if !c.vertices {
		return k / (c.count - 1), true
	}
	v := math.Round(k)
	if math.Abs(k-v) > c.tolerance() || v+c.shift < 0 || v+c.shift >= c.order {
		return 0, false
	}
	return v + c.shift, true
}

// choices are the vertices of a graph, or with position the levels of a
// dimension, in an order of their own.
type choices struct {
	texts    []string  // those of the distribution, then those of earlier ones
	count    int       // how many the distribution has
	vertexOf []int     // by choice
	choiceOf []int     // by vertex
	position []float64 // by vertex, ascending on [0, 1]; nil for a graph
}

func (c choices) decode(u float64) float64 {
	if c.position == nil {
		return float64(c.choiceOf[int(u)])
	}
	nearest, gap := 0, math.Inf(1)
	for v, at := range c.position {
		if i := c.choiceOf[v]; i < c.count && math.Abs(at-u) < gap {
			nearest, gap = i, math.Abs(at-u)
		}
	}
	return float64(nearest)
}

func (c choices) encode(value float64, from any) (float64, bool) {
	d, ok := from.(goptuna.CategoricalDistribution)
	i := int(value)
	if !ok || i < 0 || i >= len(d.Choices) {
		return 0, false
	}
	if i >= len(c.texts) || c.texts[i] != d.Choices[i] {
		// Choices were added, removed or reordered: they match by text.
		if i = slices.Index(c.texts, d.Choices[i]); i < 0 {
			return 0, false
		}
	}
	if c.position != nil {
		return c.position[c.vertexOf[i]], true
	}
	return float64(c.vertexOf[i]), true
}
