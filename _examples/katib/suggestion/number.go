package suggestion

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxText bounds the text of a number. A float64 never needs more than 24
// characters.
const maxText = 100

var errNoNumber = errors.New("is not a finite number")

// parseNumber reads a number twice: as Goptuna has it, and exactly.
func parseNumber(text string) (float64, *big.Rat, error) {
	text = strings.TrimSpace(text)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || len(text) > maxText {
		return 0, nil, errNoNumber
	}
	if x == 0 { // whose exponent may be anything
		return 0, new(big.Rat), nil
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, nil, errNoNumber
	}
	return x, exact, nil
}

// formatNumber returns the shortest text that reads as x.
func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// formatExact returns a decimal number in full.
func formatExact(x *big.Rat) string {
	digits, exact := x.FloatPrec()
	if !exact || digits > maxText {
		f, _ := x.Float64()
		return formatNumber(f)
	}
	return x.FloatString(digits)
}
