package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"unicode/utf8"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// pick returns one of the values.
func pick[T any](rng *rand.Rand, values ...T) T { return values[rng.IntN(len(values))] }

// chance is true with probability p.
func chance(rng *rand.Rand, p float64) bool { return rng.Float64() < p }

// smallDistribution has 1 to 6 values.
func smallDistribution(rng *rand.Rand) any {
	n := 1 + rng.IntN(5)
	low := rng.IntN(7) - 3
	switch rng.IntN(5) {
	case 0:
		return goptuna.IntUniformDistribution{Low: low, High: low + n}
	case 1:
		step := 1 + rng.IntN(4)
		return goptuna.StepIntUniformDistribution{Low: low, High: low + n*step, Step: step}
	case 2:
		q := pick(rng, 0.1, 0.25, 0.5, 2)
		return goptuna.DiscreteUniformDistribution{Low: float64(low) * q, High: float64(low+n) * q, Q: q}
	case 3:
		choices := []string{"1", "2", "4", "8", "16", "-3"}
		rng.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
		return goptuna.CategoricalDistribution{Choices: choices[:n]}
	default:
		choices := []string{"relu", "tanh", "gelu", "", "日本", "a b"}
		rng.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
		return goptuna.CategoricalDistribution{Choices: choices[:n]}
	}
}

// usualDistribution is what programs ask for most.
func usualDistribution(rng *rand.Rand) any {
	switch rng.IntN(6) {
	case 0:
		return goptuna.UniformDistribution{Low: -rng.Float64(), High: 1 + rng.Float64()}
	case 1:
		return goptuna.LogUniformDistribution{Low: 1e-5 * (1 + rng.Float64()), High: 1 + rng.Float64()}
	case 2:
		return goptuna.IntUniformDistribution{Low: rng.IntN(3), High: 10 + rng.IntN(1000)}
	case 3:
		return goptuna.StepIntUniformDistribution{Low: 0, High: 100 + rng.IntN(900), Step: 1 + rng.IntN(30)}
	case 4:
		return goptuna.DiscreteUniformDistribution{Low: 0, High: 1 + rng.Float64(), Q: pick(rng, 0.01, 0.1, 0.3)}
	default:
		return smallDistribution(rng)
	}
}

// extremeDistribution is at a limit of what Goptuna can hold.
func extremeDistribution(rng *rand.Rand) any {
	const huge = math.MaxFloat64
	switch rng.IntN(6) {
	case 0:
		return pick(rng,
			goptuna.UniformDistribution{Low: -huge, High: huge},
			goptuna.UniformDistribution{Low: 0, High: math.SmallestNonzeroFloat64},
			goptuna.UniformDistribution{Low: 1, High: math.Nextafter(1, 2)},
			goptuna.UniformDistribution{Low: 1e300, High: 1.0001e300},
			goptuna.UniformDistribution{Low: -1e-300, High: 1e-300},
			goptuna.UniformDistribution{Low: 0.5, High: 0.5})
	case 1:
		return pick(rng,
			goptuna.LogUniformDistribution{Low: math.SmallestNonzeroFloat64, High: huge},
			goptuna.LogUniformDistribution{Low: 1e-300, High: 1e300},
			goptuna.LogUniformDistribution{Low: 1e300, High: math.Nextafter(1e300, huge)},
			goptuna.LogUniformDistribution{Low: 1, High: 1 + 1e-12},
			goptuna.LogUniformDistribution{Low: 3, High: 3})
	case 2:
		const most = math.MaxInt64 - 600 // more is no range that a database reads back
		return pick(rng,
			goptuna.IntUniformDistribution{Low: -most, High: most},
			goptuna.IntUniformDistribution{Low: 0, High: most},
			goptuna.IntUniformDistribution{Low: -1 << 53, High: 1 << 53},
			goptuna.IntUniformDistribution{Low: 1 << 60, High: 1<<60 + 5000},
			goptuna.IntUniformDistribution{Low: 0, High: 100_000},
			goptuna.IntUniformDistribution{Low: -7, High: -7})
	case 3:
		return pick(rng,
			goptuna.StepIntUniformDistribution{Low: 0, High: math.MaxInt64 - 600, Step: 3},
			goptuna.StepIntUniformDistribution{Low: 0, High: 1 << 60, Step: 1<<60 - 1},
			goptuna.StepIntUniformDistribution{Low: 0, High: 1 << 40, Step: 7},
			goptuna.StepIntUniformDistribution{Low: 0, High: 5, Step: 9},
			goptuna.StepIntUniformDistribution{Low: 4, High: 4, Step: 1})
	case 4:
		return pick(rng,
			goptuna.DiscreteUniformDistribution{Low: 0, High: 1e300, Q: 1.0 / 3},
			goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 1e-12},
			goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: math.SmallestNonzeroFloat64},
			goptuna.DiscreteUniformDistribution{Low: 1e17, High: 2e17, Q: 0.1},
			goptuna.DiscreteUniformDistribution{Low: -huge / 2, High: huge / 2, Q: 1e300},
			goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 5},
			goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.4},
			goptuna.DiscreteUniformDistribution{Low: 2, High: 2, Q: 1})
	default:
		many := make([]string, pick(rng, 21, 30, 300))
		for i := range many {
			many[i] = fmt.Sprint(i*i - 7)
		}
		named := make([]string, len(many))
		for i := range named {
			named[i] = "choice " + many[i]
		}
		return pick(rng,
			goptuna.CategoricalDistribution{Choices: many},
			goptuna.CategoricalDistribution{Choices: named},
			goptuna.CategoricalDistribution{Choices: append([]string{"-1e17", "1e17"}, many...)},
			goptuna.CategoricalDistribution{Choices: []string{"1", "1.0", "2"}},
			goptuna.CategoricalDistribution{Choices: []string{"-1.7e308", "0", "1.7e308", "1e-300"}},
			goptuna.CategoricalDistribution{Choices: []string{"\x00", "\xff", `"`}},
			goptuna.CategoricalDistribution{Choices: []string{"only"}})
	}
}

// senseless is a distribution that the sampler must refuse.
func senseless(rng *rand.Rand) any {
	nan, inf := math.NaN(), math.Inf(1)
	return pick[any](rng,
		goptuna.UniformDistribution{Low: nan, High: 1},
		goptuna.UniformDistribution{Low: 0, High: inf},
		goptuna.LogUniformDistribution{Low: 0, High: 1},
		goptuna.LogUniformDistribution{Low: -1, High: 1},
		goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0},
		goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: nan},
		goptuna.IntUniformDistribution{Low: 0, High: math.MaxInt64},
		goptuna.StepIntUniformDistribution{Low: math.MinInt64, High: 0, Step: 5},
		goptuna.StepIntUniformDistribution{Low: -1 << 62, High: 1 << 62, Step: 3},
		goptuna.DiscreteUniformDistribution{Low: -math.MaxFloat64, High: math.MaxFloat64, Q: 1e300})
}

// changed is the distribution after an edit: another range or other choices, of
// the same kind mostly.
func changed(rng *rand.Rand, distribution any) any {
	if chance(rng, 0.15) {
		return smallDistribution(rng)
	}
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		width := d.High - d.Low
		if math.IsInf(width, 0) {
			return goptuna.UniformDistribution{Low: -1, High: 1}
		}
		low := d.Low + width*pick(rng, 0, 0.3, 0.7, -0.5)
		return goptuna.UniformDistribution{Low: low, High: low + width*pick(rng, 0.1, 0.5, 1)}
	case goptuna.LogUniformDistribution:
		if d.Low > 1e100 || d.Low < 1e-100 {
			return goptuna.LogUniformDistribution{Low: 1e-3, High: 1}
		}
		low := d.Low * pick(rng, 0.1, 1, 3)
		return goptuna.LogUniformDistribution{Low: low, High: low * pick(rng, 1, 10, 1e4)}
	case goptuna.IntUniformDistribution:
		if d.High > 1<<50 || d.Low < -1<<50 {
			return goptuna.IntUniformDistribution{Low: 0, High: 40}
		}
		low := d.Low + pick(rng, 0, 1, 2, -1, (d.High-d.Low)/2)
		return goptuna.IntUniformDistribution{Low: low, High: max(low, d.High+pick(rng, 0, 0, 1, -1, 30))}
	case goptuna.StepIntUniformDistribution:
		if d.High > 1<<50 || d.Low < -1<<50 {
			return goptuna.StepIntUniformDistribution{Low: 0, High: 40, Step: 3}
		}
		low := d.Low + d.Step*pick(rng, 0, 1, 2, -1)
		return goptuna.StepIntUniformDistribution{Low: low, High: max(low, d.High+d.Step*pick(rng, 0, 0, 1, -1)), Step: d.Step * pick(rng, 1, 1, 1, 2)}
	case goptuna.DiscreteUniformDistribution:
		if d.High/d.Q > 1e6 {
			return goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.25}
		}
		low := d.Low + d.Q*pick(rng, 0, 1.0, 2, -1)
		return goptuna.DiscreteUniformDistribution{Low: low, High: max(low, d.High+d.Q*pick(rng, 0, 1, -1.0)), Q: d.Q * pick(rng, 1, 1, 1, 2.0)}
	case goptuna.CategoricalDistribution:
		choices := slices.Clone(d.Choices)
		switch rng.IntN(4) {
		case 0: // added
			choices = slices.Insert(choices, rng.IntN(len(choices)+1), pick(rng, "32", "0.5", "new"))
		case 1: // in another order
			rng.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
		default: // removed
			if len(choices) > 1 {
				i := rng.IntN(len(choices))
				choices = slices.Delete(choices, i, i+1)
			}
		}
		return goptuna.CategoricalDistribution{Choices: choices}
	}
	return distribution
}

// draw returns a value of the distribution in Goptuna's internal representation.
func draw(rng *rand.Rand, distribution any) float64 {
	u := rng.Float64()
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		return min(max(d.Low*(1-u)+d.High*u, d.Low), d.High)
	case goptuna.LogUniformDistribution:
		return min(max(math.Exp(math.Log(d.Low)*(1-u)+math.Log(d.High)*u), d.Low), d.High)
	case goptuna.IntUniformDistribution:
		if v := math.Round(float64(d.Low)*(1-u) + float64(d.High+1)*u - 0.5); contains(d, v) {
			return v
		}
		return float64(d.Low)
	case goptuna.StepIntUniformDistribution:
		if d.Single() {
			return float64(d.Low)
		}
		k := math.Floor(u * (float64(d.High) - float64(d.Low)) / float64(d.Step))
		if v := float64(d.Low) + k*float64(d.Step); contains(d, v) {
			return v
		}
		return float64(d.Low)
	case goptuna.DiscreteUniformDistribution:
		k := math.Floor(u * (d.High/d.Q - d.Low/d.Q + 1 + 1e-8))
		if v := min(d.Low+k*d.Q, d.High); contains(d, v) {
			return v
		}
		return d.Low
	case goptuna.CategoricalDistribution:
		return float64(rng.IntN(len(d.Choices)))
	}
	return 0
}

// contains reports whether a sampler may give the value. It is stricter than Goptuna,
// which rounds: ints and indices of choices must be whole, and ints with a step on the grid.
func contains(distribution any, value float64) bool {
	if !fmtest.Contains(distribution, value) {
		return false
	}
	whole := value == math.Trunc(value)
	switch d := distribution.(type) {
	case goptuna.IntUniformDistribution, goptuna.CategoricalDistribution:
		return whole
	case goptuna.StepIntUniformDistribution:
		return whole && (d.High > 1<<50 || (int(value)-d.Low)%d.Step == 0)
	}
	return true
}

// maxValues is the largest number of values that are enumerated.
const maxValues = 400

// valuesOf returns all values of the distribution as Goptuna hands them out.
// Floats and long grids are infinite; known is false where the number of values
// is a matter of rounding.
func valuesOf(distribution any) (values []any, infinite, known bool) {
	ints := func(low, count, step int) (values []any, infinite, known bool) {
		if count > maxValues {
			return nil, true, true
		}
		for i := range count {
			values = append(values, low+i*step)
		}
		return values, false, true
	}
	// few is the ratio of the ends of a range with few floats.
	const few = 1 + 1e-6
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		if d.Low == d.High {
			return []any{d.Low}, false, true
		}
		return nil, true, d.High-d.Low > 1e-6*max(math.Abs(d.Low), math.Abs(d.High)) && d.High-d.Low > 1e-250
	case goptuna.LogUniformDistribution:
		if d.Low == d.High {
			return []any{d.Low}, false, true
		}
		return nil, true, d.High/d.Low > few
	case goptuna.IntUniformDistribution:
		if d.High > 1<<53 || d.Low < -1<<53 {
			return nil, true, float64(d.High)-float64(d.Low) > 1<<53
		}
		return ints(d.Low, d.High-d.Low+1, 1)
	case goptuna.StepIntUniformDistribution:
		if d.High > 1<<53 || d.Low < -1<<53 {
			return nil, true, float64(d.Step) < 1<<30
		}
		if d.Single() {
			return ints(d.Low, 1, d.Step)
		}
		return ints(d.Low, (d.High-d.Low+d.Step-1)/d.Step, d.Step) // without High
	case goptuna.DiscreteUniformDistribution:
		return gridValues(d)
	case goptuna.CategoricalDistribution:
		seen := map[string]bool{}
		for _, text := range d.Choices {
			if seen[text] || !utf8.ValidString(text) { // JSON has no place for other bytes
				return nil, false, false
			}
			seen[text] = true
			values = append(values, text)
		}
		return values, false, true
	}
	return nil, false, false
}

// gridValues is valuesOf for a grid of floats.
func gridValues(d goptuna.DiscreteUniformDistribution) (values []any, infinite, known bool) {
	if d.Low == d.High {
		return []any{d.Low}, false, true
	}
	n := (d.High - d.Low) / d.Q
	if n > maxValues {
		return nil, true, n < 1e6
	}
	if r := n - math.Floor(n); d.Q < 1e-3 || r > 1e-9 && r < 1e-4 || r > 1-1e-4 && r < 1-1e-9 {
		return nil, false, false
	}
	for k := range int(math.Floor(n+1e-8)) + 1 {
		values = append(values, d.ToExternalRepr(d.Low+float64(k)*d.Q))
	}
	return values, false, true
}
