package suggestion

import (
	"errors"
	"fmt"
)

// continuum is the values that are their own numbers.
type continuum struct{ low, high float64 }

func (c continuum) text(x float64) string { return formatNumber(x) }

func (c continuum) parse(text string) (float64, error) {
	x, _, err := parseNumber(text)
	if err == nil && !(c.low <= x && x <= c.high) {
		err = fmt.Errorf("is not between %v and %v", c.low, c.high)
	}
	return x, err
}

// scaled is a continuum whose numbers are quantiles.
type scaled struct{ scale }

func (s scaled) text(x float64) string { return formatNumber(s.value(x)) }

func (s scaled) parse(text string) (float64, error) {
	x, err := continuum{s.low, s.high}.parse(text)
	return s.unit(x), err
}

// counted is a grid whose numbers are those of its values.
type counted struct{ grid }

func (c counted) text(x float64) string { return formatExact(c.value(int(x))) }

func (c counted) parse(text string) (float64, error) {
	_, exact, err := parseNumber(text)
	if err != nil {
		return 0, err
	}
	k, err := c.index(exact)
	return float64(k), err
}

// snapped is a grid whose numbers are quantiles, each of the nearest value.
type snapped struct {
	grid
	scale scale
}

func (s snapped) text(x float64) string {
	return formatExact(s.value(s.nearest(s.scale.value(x))))
}

func (s snapped) parse(text string) (float64, error) {
	k, err := counted{s.grid}.parse(text)
	if err != nil {
		return 0, err
	}
	value, _ := s.value(int(k)).Float64()
	return s.scale.unit(value), nil
}

// choices is a list whose numbers are places.
type choices struct {
	texts     []string
	index     map[string]int
	isNumeric bool // whether values are told apart by their numbers, not their texts
}

func (l choices) text(x float64) string { return l.texts[int(x)] }

func (l choices) parse(text string) (float64, error) {
	if i, ok := l.index[text]; ok {
		return float64(i), nil
	}
	if value, _, err := parseNumber(text); err == nil && l.isNumeric {
		for i, other := range l.texts {
			if x, _, _ := parseNumber(other); x == value {
				return float64(i), nil
			}
		}
	}
	return 0, errors.New("is not in the list")
}
