package insight

import (
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// near returns a configuration near x: of each parameter, or of few, another value,
// by steps whose size is log-uniform.
func (m *Model) near(x fmkernel.Point, rng *rand.Rand) (fmkernel.Point, bool) {
	values := m.problem.Space.Decode(x)
	step := math.Exp(-7 + 5.5*rng.Float64())
	few := rng.Float64() < 0.5
	params := m.problem.Space.Params()
	for _, p := range params {
		value, active := values[p.Name]
		switch {
		case !active || p.Graph != nil && rng.Float64() < 1/float64(len(params)):
			values[p.Name] = p.FromUnit(rng.Float64())
		case active && p.Graph == nil && !(few && rng.Float64() < 0.5):
			u, _ := p.Encode(value)
			u = math.Min(math.Max(u+step*rng.NormFloat64(), 0), math.Nextafter(1, 0))
			if math.IsInf(p.Count(), 1) {
				values[p.Name] = p.Decode(u)
			} else {
				values[p.Name] = p.FromUnit(u)
			}
		}
	}
	return m.cube.at(values)
}
