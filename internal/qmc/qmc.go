// Package qmc draws scrambled Sobol points, the space-filling sets behind
// start-up trials and acquisition candidates.
package qmc

import (
	"math/bits"

	"github.com/c-bata/goptuna/sobol"
)

// Sequence is an Owen-scrambled Sobol sequence in [0, 1)^d. Every coordinate
// has a seed of its own, so a coordinate keeps its scrambling when others come
// and go. It is not safe for concurrent use.
type Sequence struct {
	seeds  []uint64
	engine *sobol.Engine
	next   int       // index of the point that the engine draws next
	raw    []float64 // point next-1
}

// New returns the sequence with one coordinate per seed, at index 0. It panics
// when there is none.
func New(seeds []uint64) *Sequence {
	return &Sequence{
		seeds:  seeds,
		engine: sobol.NewEngine(uint32(len(seeds))),
		next:   1, // the engine leaves out point 0, the origin
		raw:    make([]float64, len(seeds)),
	}
}

// Seek moves to the point with the given index, which must not lie behind.
func (s *Sequence) Seek(index int) {
	for s.next <= index {
		s.raw = s.engine.Draw()
		s.next++
	}
}

// PointTo stores the current point in dst, len d.
func (s *Sequence) PointTo(dst []float64) {
	for d, u := range s.raw {
		dst[d] = scramble(uint32(u*(1<<32)), s.seeds[d])
	}
}

// Next advances by one point.
func (s *Sequence) Next() { s.Seek(s.next) }

// scramble applies a nested uniform (Owen) scrambling to the 32 binary digits
// of x and fills the digits below at random: the flip of each digit depends on
// all higher ones, by a hash that carries upwards only, applied to the reversed
// word (Burley, Practical hash-based Owen scrambling, JCGT 2020).
func scramble(x uint32, seed uint64) float64 {
	x = bits.Reverse32(x)
	x += uint32(seed >> 32)
	for _, even := range [...]uint32{0x6c50b47c, 0xb82f1e52, 0xc7afe638, 0x8d22f6e6} {
		x ^= x * even
	}
	x = bits.Reverse32(x)
	low := Mix(seed, uint64(x)) >> 43 // 21 digits below the 32
	return float64(uint64(x)<<21|low) / (1 << 53)
}

// Mix hashes two words into one (the finaliser of SplitMix64).
func Mix(a, b uint64) uint64 {
	z := a + b*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// HashString hashes a name with a seed (FNV-1a, finished by Mix).
func HashString(seed uint64, name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return Mix(seed, h)
}
