package surrogate_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// Without noise the model goes through the data, and between them it predicts what
// the objective has.
func TestPredictions(t *testing.T) {
	for name, settings := range variants() {
		s := newStudy(40, smooth)
		p := s.observe(t)
		settings.Deterministic = true
		m := fit(t, p, settings, &surrogate.Cache{})
		if !m.IsNew || m.Fit.Trials != 40 || len(m.X) != 40 || !slices.Equal(m.Y, p.Y) {
			t.Errorf("%s: new %t, fitted to %d trials, %d observations", name, m.IsNew, m.Fit.Trials, len(m.X))
		}
		for i, mean := range m.Means(m.X) {
			if math.Abs(mean-m.Targets[i]) > 0.02 {
				t.Errorf("%s: predicts %v at trial %d, which had %v", name, mean, i, m.Targets[i])
			}
			for j := range m.Y {
				if m.Y[i] < m.Y[j] && m.Targets[i] >= m.Targets[j] {
					t.Errorf("%s: values %v and %v have the targets %v and %v", name, m.Y[i], m.Y[j], m.Targets[i], m.Targets[j])
				}
			}
		}
		best := slices.Min(m.Means(m.X))
		all := surrogate.Reference{}
		for i := range m.X {
			all.Observed = append(all.Observed, i)
		}
		if got := m.Best(all); math.Abs(got-best) > 1e-9 {
			t.Errorf("%s: best prediction %v, want %v", name, got, best)
		}
		// Of two random points the model knows which is better.
		right, xs := 0, points(t, s, p, 200)
		means := m.Means(xs)
		for i := 0; i < len(xs); i += 2 {
			if (smooth(p.Values(xs[i])) < smooth(p.Values(xs[i+1]))) == (means[i] < means[i+1]) {
				right++
			}
		}
		if right < 85 {
			t.Errorf("%s: orders %d of 100 pairs rightly", name, right)
		}
	}
}

// variants are settings of every kind.
func variants() map[string]surrogate.Settings {
	samples, reference, both, additive, few := plain, plain, plain, plain, plain
	samples.Samples = 3
	reference.ReferenceFit = true
	both.ReferenceFit, both.Samples = true, 2
	additive.Kernel = fmkernel.NewProdLap
	few.ModelTrials = 40
	return map[string]surrogate.Settings{"plain": plain, "samples": samples, "reference": reference, "both": both, "ProdLap": additive, "few": few}
}

// A reference is the observations that it names, and predictions elsewhere.
func TestReference(t *testing.T) {
	s := newStudy(20, smooth)
	p := s.observe(t)
	m := fit(t, p, plain, &surrogate.Cache{})
	means, xs := m.Means(m.X), points(t, s, p, 3)
	elsewhere := m.Means(xs)
	for _, test := range []struct {
		ref  surrogate.Reference
		want float64
	}{
		{surrogate.Reference{Observed: []int{4}}, means[4]},
		{surrogate.Reference{Observed: []int{4, 7}}, min(means[4], means[7])},
		{surrogate.Reference{Points: xs}, slices.Min(elsewhere)},
		{surrogate.Reference{Observed: []int{4}, Points: xs[:1]}, min(means[4], elsewhere[0])},
	} {
		if got := m.Best(test.ref); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("best of %v is %v, want %v", test.ref, got, test.want)
		}
		// The improvement on it, less the margin, is that of the predictions.
		for _, margin := range []float64{0, 0.3} {
			f := m.Improvement(test.ref, margin)()
			got := make([]float64, len(xs))
			f.ValueBatch(got, xs)
			for i, x := range xs {
				mean, variance := m.Model().Predictor().Predict(x)
				if want := acquisition.LogEI(test.want-margin, mean, variance); math.Abs(got[i]-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("improvement %v, want %v", got[i], want)
				}
			}
		}
	}
}

// The uncertainty about what other workers evaluate goes, their predictions stay.
func TestPending(t *testing.T) {
	s := newStudy(25, smooth)
	alone := fit(t, s.observe(t), plain, &surrogate.Cache{})
	running := []values{s.draw(), s.draw(), s.draw()}
	for _, x := range running {
		s.run(t, x)
	}
	p := s.observe(t)
	if len(p.Pending) != 3 {
		t.Fatalf("%d pending", len(p.Pending))
	}
	beside := fit(t, p, plain, &surrogate.Cache{})
	if !reflect.DeepEqual(alone.Fit, beside.Fit) {
		t.Errorf("running trials change the fit from\n%+v to\n%+v", alone.Fit, beside.Fit)
	}
	for i, x := range p.Pending {
		mean, variance := alone.Model().Predictor().Predict(x)
		meanNow, varianceNow := beside.Model().Predictor().Predict(x)
		if math.Abs(mean-meanNow) > 1e-6 {
			t.Errorf("pending %d: predicted %v, %v while it runs", i, mean, meanNow)
		}
		if varianceNow >= variance || varianceNow > 2*beside.Fit.Noise+1e-6 {
			t.Errorf("pending %d: variance %v, %v while it runs, with noise %v", i, variance, varianceNow, beside.Fit.Noise)
		}
	}
	for _, x := range points(t, s, p, 50) {
		mean, variance := alone.Model().Predictor().Predict(x)
		meanNow, varianceNow := beside.Model().Predictor().Predict(x)
		if math.Abs(mean-meanNow) > 1e-6 || varianceNow > variance+1e-9 {
			t.Errorf("at %v: mean %v and variance %v become %v and %v", x, mean, variance, meanNow, varianceNow)
		}
	}
}

// Trials that failed raise the prediction where they did, to the mean of all at
// least where failures come from there, and take away from the improvement.
func TestFailures(t *testing.T) {
	s := newStudy(30, smooth)
	best := values{"u": 0.3, "v": 0.01, "k": 0}
	p := s.observe(t)
	x, _ := p.Point(best)
	without := fit(t, p, plain, &surrogate.Cache{})
	if without.Fit.Failures != nil {
		t.Error("feasibility is fitted where nothing failed")
	}
	before := without.Means([]fmkernel.Point{x})[0]
	if before > -0.5 {
		t.Fatalf("the best place is predicted at %v, nothing to raise", before)
	}
	ref := surrogate.Reference{Observed: []int{0}}
	improvement := func(m *surrogate.Surrogate) float64 {
		var value [1]float64
		m.Improvement(ref, 0)().ValueBatch(value[:], []fmkernel.Point{x})
		return value[0]
	}
	last, first := before, improvement(without)
	var feasible *plan.Hyper
	for n := range 6 {
		s.finish(values{"u": 0.3 + 0.01*float64(n), "v": 0.01, "k": 0}, goptuna.TrialStateFail, 0)
		m := fit(t, s.observe(t), plain, &surrogate.Cache{})
		now := m.Means([]fmkernel.Point{x})[0]
		if now < last-0.05 {
			t.Errorf("after %d failures predicted at %v, before at %v", n+1, now, last)
		}
		if m.Fit.Failures == nil || reflect.DeepEqual(m.Fit.Failures, feasible) {
			t.Errorf("after %d failures: fit of feasibility %+v, before %+v", n+1, m.Fit.Failures, feasible)
		}
		feasible = m.Fit.Failures
		last = now
		if n == 5 && (now < before+0.3 || improvement(m) > first-0.5) {
			t.Errorf("after %d failures predicted at %v, before at %v; log improvement %v, before %v", n+1, now, before, improvement(m), first)
		}
		if !slices.Equal(m.Y, without.Y) {
			t.Error("failures are observations")
		}
	}
}

// Where half of all trials fail by chance, those near the best place leave it as it is
// predicted without them.
func TestFailuresByChance(t *testing.T) {
	predicted := func(failures bool) float64 {
		s := newStudy(30, smooth)
		for n := range 60 {
			x := s.draw()
			if n%3 == 0 { // near the best place
				x = values{"u": 0.2 + 0.2*x["u"], "v": 0.01 * math.Pow(x["v"]/0.03, 0.3), "k": 0}
			}
			switch fails := s.rng.IntN(2) == 0; {
			case !fails:
				s.finish(x, goptuna.TrialStateComplete, smooth(x))
			case failures:
				s.finish(x, goptuna.TrialStateFail, 0)
			}
		}
		p := s.observe(t)
		x, _ := p.Point(values{"u": 0.3, "v": 0.01, "k": 0})
		return fit(t, p, plain, &surrogate.Cache{}).Means([]fmkernel.Point{x})[0]
	}
	with, without := predicted(true), predicted(false)
	t.Logf("predicted at %.3f, at %.3f without the failures", with, without)
	if with > without+0.05 {
		t.Errorf("predicted at %v, at %v without the failures", with, without)
	}
}

// Targets of values that the model does not use are on the scale of those that it uses,
// with linear targets, too.
func TestTargetsOf(t *testing.T) {
	few := plain
	few.ModelTrials = 20
	p := newStudy(60, smooth).observe(t)
	s := fit(t, p, few, &surrogate.Cache{})
	linear, ok := s.Linear()
	if !ok {
		t.Fatal("no linear targets")
	}
	for _, s := range []*surrogate.Surrogate{s, linear} {
		if len(s.Targets) != 20 {
			t.Fatalf("%d observations, want 20", len(s.Targets))
		}
		if got := s.Transform.Targets(s.Y); !slices.Equal(got, s.Targets) {
			t.Errorf("targets %v, want %v", got, s.Targets)
		}
		all := s.Transform.Targets(p.Y)
		for i, y := range p.Y {
			for k, z := range p.Y {
				if y < z && all[i] > all[k] {
					t.Fatalf("targets %v and %v of %v and %v", all[i], all[k], y, z)
				}
			}
		}
	}
}

// Hyperparameters are new with the first fit, with each of the first 20
// observations, when a tenth of those beyond them is new, or where the last fit is
// of other parameters or another kernel. Until then they stand.
func TestRefit(t *testing.T) {
	small, other := plain, plain
	small.ModelTrials = 20
	other.Kernel = fmkernel.NewModDif
	for _, test := range []struct {
		name     string
		settings surrogate.Settings
		first    int
		due      []bool // after so many more observations
	}{
		{"few", plain, 10, []bool{false, true}},
		{"40", plain, 40, []bool{false, false, false, true}}, // 1 and 2 are less than 21/10 and 22/10
		{"100", plain, 100, []bool{false, false, false, false, false, false, false, false, false, true}},
		{"100, of which 20 count", small, 100, []bool{false, true}},
	} {
		s := newStudy(test.first, smooth)
		first := fit(t, s.observe(t), test.settings, &surrogate.Cache{})
		if !first.IsNew || first.Fit.Trials != test.first {
			t.Errorf("%s: the first fit is new: %t, to %d trials", test.name, first.IsNew, first.Fit.Trials)
		}
		s.keep(t, first.Fit)
		for more, due := range test.due {
			if more > 0 {
				s.add(1, smooth)
			}
			m, err := surrogate.Fit(s.observe(t), test.settings, &surrogate.Cache{}, func(string, ...any) {})
			if err != nil {
				t.Fatal(err)
			}
			if m.IsNew != due {
				t.Errorf("%s, %d more: new %t, want %t", test.name, more, m.IsNew, due)
			}
			if !due && !reflect.DeepEqual(m.Fit, first.Fit) {
				t.Errorf("%s, %d more: the fit is\n%+v, was\n%+v", test.name, more, m.Fit, first.Fit)
			}
			if trials := test.first + more; due && m.Fit.Trials != trials {
				t.Errorf("%s: fitted to %d trials, want %d", test.name, m.Fit.Trials, trials)
			}
		}
	}
	s := newStudy(40, smooth)
	first := fit(t, s.observe(t), plain, &surrogate.Cache{})
	s.keep(t, first.Fit)
	if m := fit(t, s.observe(t), other, &surrogate.Cache{}); !m.IsNew || m.Fit.Kernel == first.Fit.Kernel {
		t.Errorf("another kernel: new %t, fit of %q", m.IsNew, m.Fit.Kernel)
	}
	lacking := *first.Fit
	lacking.Theta = maps.Clone(lacking.Theta)
	delete(lacking.Theta, "u")
	s.keep(t, &lacking)
	if m := fit(t, s.observe(t), plain, &surrogate.Cache{}); !m.IsNew {
		t.Error("a fit without u is not new")
	}
	future := *first.Fit
	future.Trials = 41 // of a trial that was deleted
	s.keep(t, &future)
	if m := fit(t, s.observe(t), plain, &surrogate.Cache{}); !m.IsNew || m.Fit.Trials != 40 {
		t.Errorf("a fit to more trials than there are: new %t, to %d", m.IsNew, m.Fit.Trials)
	}
}

// The cache saves time only: predictions have the same bits with one that saw every
// suggestion before, with a new one, and with that of another study.
func TestCacheChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("fits some hundred times")
	}
	for name, settings := range variants() {
		s := newStudy(36, smooth)
		kept, strange := &surrogate.Cache{}, &surrogate.Cache{}
		fit(t, newStudy(20, func(x values) float64 { return x["k"] - x["u"] }).observe(t), settings, strange)
		for step := range 8 {
			switch step {
			case 3:
				s.run(t, s.draw())
			case 4:
				s.finish(s.draw(), goptuna.TrialStateFail, 0)
			case 5:
				s.Running = nil
			}
			p := s.observe(t)
			xs := points(t, s, p, 20)
			// What other settings left for the same observations.
			other, crossed := settings, &surrogate.Cache{}
			if other.Kernel = fmkernel.NewModDif; step == 0 {
				fit(t, p, other, crossed)
			}
			var want []uint64
			for i, cache := range []*surrogate.Cache{{}, kept, kept, crossed, strange} {
				m := fit(t, p, settings, cache)
				linear, ok := m.Linear()
				if !ok {
					t.Fatal("no linear targets")
				}
				got := slices.Concat(predictions(m, xs), predictions(linear, xs))
				if i == 0 {
					want = got
				} else if !slices.Equal(got, want) {
					t.Fatalf("%s, step %d: cache %d changes predictions", name, step, i)
				}
				if i == 4 && m.IsNew {
					s.keep(t, m.Fit)
				}
			}
			s.add(1, smooth)
		}
	}
}

// predictions returns the bits of means, variances and improvements.
func predictions(m *surrogate.Surrogate, xs []fmkernel.Point) []uint64 {
	values := make([]float64, len(xs))
	m.Improvement(surrogate.Reference{Observed: []int{0, 1}}, 0.1)().ValueBatch(values, xs)
	post := m.Model().Predictor()
	for _, x := range xs {
		mean, variance := post.Predict(x)
		values = append(values, mean, variance)
	}
	bits := make([]uint64, len(values))
	for i, value := range values {
		bits[i] = math.Float64bits(value)
	}
	return bits
}

// What the settings say shows in the fit and in the predictions.
func TestSettings(t *testing.T) {
	s := newStudy(30, func(x values) float64 { return smooth(x) + 0.1*math.Sin(1e6*x["u"]) }) // as good as noise
	p := s.observe(t)
	of := func(settings surrogate.Settings) *surrogate.Surrogate { return fit(t, p, settings, &surrogate.Cache{}) }
	base := of(plain)
	deterministic := plain
	deterministic.Deterministic = true
	if noise := of(deterministic).Fit.Noise; noise > 1e-3*base.Fit.Noise {
		t.Errorf("noise %v where there is none, else %v", noise, base.Fit.Noise)
	}
	reference := plain
	reference.ReferenceFit = true
	if m := of(reference); !strings.Contains(m.Fit.Kernel, "reference") || base.Fit.Kernel != "" || reflect.DeepEqual(m.Fit.Theta, base.Fit.Theta) {
		t.Errorf("the reference fit is of %q, the other of %q, lengthscales %v", m.Fit.Kernel, base.Fit.Kernel, m.Fit.Theta)
	}
	xs := points(t, s, p, 20)
	bits := predictions(base, xs)
	if !slices.Equal(bits, predictions(of(plain), xs)) {
		t.Error("two fits with one seed differ")
	}
	samples := plain
	samples.Samples = 4
	if m := of(samples); slices.Equal(bits, predictions(m, xs)) || !reflect.DeepEqual(m.Fit, base.Fit) {
		t.Error("samples change no prediction, or the fit that is stored")
	}
	few := plain
	few.ModelTrials = 12
	m := of(few)
	if len(m.X) != 12 || slices.Min(m.Y) != slices.Min(p.Y) || m.Fit.Trials != 30 {
		t.Errorf("%d observations, the best %v of %v, fitted to %d trials; want 12 with the best, of 30", len(m.X), slices.Min(m.Y), slices.Min(p.Y), m.Fit.Trials)
	}
	broken := plain
	broken.Kernel = func(int, ...*graphs.Graph) (*fmkernel.Kernel, error) { return nil, errors.New("no kernel") }
	if _, err := surrogate.Fit(p, broken, &surrogate.Cache{}, nil); err == nil || !strings.Contains(fmt.Sprint(err), "no kernel") {
		t.Errorf("error %v, want that of the kernel", err)
	}
}
