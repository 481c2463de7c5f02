package stream_test

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/stream"
)

// A stream is a function of seed, number and purpose, and changes with each.
func TestRand(t *testing.T) {
	first := func(seed uint64, number int, purpose string) uint64 {
		return stream.Trial{Seed: seed, Number: number}.Rand(purpose).Uint64()
	}
	at := first(1, 2, "fit")
	if again := first(1, 2, "fit"); again != at {
		t.Errorf("%d, then %d", at, again)
	}
	for _, other := range []uint64{first(2, 2, "fit"), first(1, 3, "fit"), first(1, 2, "search"), first(2, 1, "fit")} {
		if other == at {
			t.Error("two streams start alike")
		}
	}
}
