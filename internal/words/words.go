// Package words prints values, numbers of things and probabilities for sentences.
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Value prints a value of a parameter, as it may be copied into a program: a float64 with four
// digits, and a choice that is the empty string with its quotes, so that it is seen.
func Value(value any) string {
	if x, ok := value.(float64); ok {
		return fmt.Sprintf("%.4g", x)
	}
	if value == "" {
		return `""`
	}
	return fmt.Sprint(value)
}

// Number prints a number with so many digits, and zeros instead of an exponent where that is short.
func Number(x float64, digits int) string {
	text := fmt.Sprintf("%.*g", digits, x)
	if rounded, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(rounded) < 1e5 && rounded == math.Trunc(rounded) {
		text = strconv.FormatFloat(rounded, 'f', 0, 64)
	}
	if mantissa, exponent, ok := strings.Cut(text, "e"); ok {
		if e, err := strconv.Atoi(exponent); err == nil {
			text = mantissa + "e" + strconv.Itoa(e)
		}
	}
	return text
}

// Count returns "1 trial" or "7 trials".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Probability prints one: that of what never happened in some draws, or under a model,
// is not 0, and that of what always did is not 1.
func Probability(p float64) string {
	switch {
	case p < 0.01:
		return "less than 1 %"
	case p > 0.99:
		return "more than 99 %"
	}
	return fmt.Sprintf("%.0f %%", 100*p)
}
