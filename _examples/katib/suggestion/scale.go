package suggestion

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// spread is half the range of a normal distribution in standard deviations:
// Katib's Hyperopt service reads min and max as mean ± 3 of these. Nothing is
// suggested outside of the range, which has 99.7 % of the distribution.
const spread = 3

// scale maps a range to [0, 1] so that a value that is distributed as the user
// says becomes uniformly distributed.
type scale struct {
	low, high   float64
	log, normal bool
}

func newScale(low, high float64, d api.Distribution) scale {
	return scale{
		low: low, high: high,
		log:    d == api.Distribution_LOG_UNIFORM || d == api.Distribution_LOG_NORMAL,
		normal: d == api.Distribution_NORMAL || d == api.Distribution_LOG_NORMAL,
	}
}

// unit returns the quantile of a value.
func (s scale) unit(value float64) float64 {
	low, high := s.line(s.low), s.line(s.high)
	u := (s.line(value) - low) / (high - low)
	if s.normal {
		tail := distuv.UnitNormal.CDF(-spread)
		u = (distuv.UnitNormal.CDF(spread*(2*u-1)) - tail) / (1 - 2*tail)
	}
	return min(max(u, 0), 1)
}

// value returns the value at a quantile.
func (s scale) value(u float64) float64 {
	if s.normal {
		tail := distuv.UnitNormal.CDF(-spread)
		z := distuv.UnitNormal.Quantile(tail + u*(1-2*tail))
		u = (z/spread + 1) / 2
	}
	low, high := s.line(s.low), s.line(s.high)
	value := low + u*(high-low)
	if s.log {
		value = math.Exp(value)
	}
	return min(max(value, s.low), s.high)
}

func (s scale) line(value float64) float64 {
	if s.log {
		return math.Log(value)
	}
	return value
}
