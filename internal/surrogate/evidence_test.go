package surrogate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// The present transform gives way to one with evidence. Where no transform has a density, it
// stays.
func TestMostEvident(t *testing.T) {
	s := fit(t, newStudy(40, smooth).observe(t), plain, &surrogate.Cache{})
	fitted := s.Model().Hyper()
	broken := fitted.Clone()
	broken.Noise = math.NaN()
	if got := s.MostEvident(fitted, "rank"); got == "rank" {
		t.Error("ranks are the most evident transform of smooth values")
	}
	for _, present := range []string{"", "linear", "rank"} {
		if got := s.MostEvident(broken, present); got != present {
			t.Errorf("without a density, %q is replaced by %q", present, got)
		}
	}
	if got := s.MostEvident(fitted, "nonsense"); got == "nonsense" {
		t.Error("a transform that does not apply is kept")
	}
}

// Of fewer than 20 observations the transform stays, whatever they are.
func TestFewKeepTheirTransform(t *testing.T) {
	for _, n := range []int{19, 20} {
		s := newStudy(n-1, smooth)
		last := fit(t, s.observe(t), plain, &surrogate.Cache{}).Fit
		last.Transform = "rank"
		s.keep(t, last)
		s.add(1, smooth)
		m := fit(t, s.observe(t), plain, &surrogate.Cache{})
		if got := m.Fit.Transform; !m.IsNew || (got == "rank") != (n < 20) {
			t.Errorf("the transform of %d observations is %q; new: %t", n, got, m.IsNew)
		}
	}
}

// The present transform stays where no other one has three nats more of evidence.
func TestEvidenceMargin(t *testing.T) {
	stays, gives := 0, 0
	rng := rand.New(rand.NewPCG(1, 44))
	noisy := func(x values) float64 { return smooth(x) + 0.3*rng.NormFloat64() }
	for n := 20; n <= 40; n += 5 {
		s := fit(t, newStudy(n, noisy).observe(t), plain, &surrogate.Cache{})
		hyper := s.Model().Hyper()
		most := math.Inf(-1)
		for _, name := range s.Transforms() {
			if evidence, ok := s.Evidence(name, hyper); ok {
				most = max(most, evidence)
			}
		}
		for _, present := range s.Transforms() {
			evidence, ok := s.Evidence(present, hyper)
			if !ok || most == evidence {
				continue
			}
			stayed := s.MostEvident(hyper, present) == present
			if stayed != (most-evidence <= 3) {
				t.Errorf("%d observations: %q has %.2f nats less than the best, and stays: %t", n, present, most-evidence, stayed)
			}
			if stayed {
				stays++
			} else {
				gives++
			}
		}
	}
	if stays < 3 || gives < 3 {
		t.Errorf("%d transforms stay, and %d give way: that tells nothing", stays, gives)
	}
}
