package surrogate_test

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// What something else made large is left out, and the model is as if it were not there.
func TestOutliers(t *testing.T) {
	const trials = 40
	large := []int{13, 22, 31}
	s := newStudy(trials, smooth)
	for _, i := range large {
		s.Finished[i].Y += 5
	}
	m := fit(t, s.observe(t), plain, &surrogate.Cache{})
	slices.Sort(m.Fit.Outliers)
	if !slices.Equal(m.Fit.Outliers, large) {
		t.Fatalf("outliers %v, want %v", m.Fit.Outliers, large)
	}
	if len(m.X) != trials-len(large) || len(m.Trials) != len(m.X) || m.Fit.Trials != trials {
		t.Errorf("%d observations of %d trials, fitted to %d", len(m.X), len(m.Trials), m.Fit.Trials)
	}
	for i, trial := range m.Trials {
		if slices.Contains(large, trial.Number) || m.Y[i] != trial.Y {
			t.Errorf("value %v of trial %d, which had %v", m.Y[i], trial.Number, trial.Y)
		}
	}
	xs := points(t, s, s.observe(t), 50)
	for i, mean := range m.Means(xs) {
		want := m.Transform.Targets([]float64{smooth(s.observe(t).Values(xs[i]))})[0]
		if math.Abs(mean-want) > 0.5 {
			t.Errorf("predicts %v, want %v", mean, want)
		}
	}

	// Until the next fit the same trials are left out.
	s.keep(t, m.Fit)
	s.add(1, smooth)
	later := fit(t, s.observe(t), plain, &surrogate.Cache{})
	if later.IsNew || !reflect.DeepEqual(later.Fit, m.Fit) || len(later.X) != len(m.X)+1 {
		t.Errorf("with one more trial: new %t, %d observations, outliers %v", later.IsNew, len(later.X), later.Fit.Outliers)
	}
}

// Few trials are enough, several of them may be outliers, and one that another hides is
// found without that.
func TestOutliersAmongOthers(t *testing.T) {
	for _, test := range []struct {
		name   string
		trials int
		excess map[int]float64 // by number
	}{
		{"one of few", 16, map[int]float64{7: 5}},
		{"six of forty", 40, map[int]float64{2: 5, 4: 6, 6: 9, 8: 7, 10: 7, 12: 9}},
		{"one beside larger ones", 40, map[int]float64{20: 50, 22: 50, 25: 1}},
	} {
		s := newStudy(test.trials, smooth)
		for number, excess := range test.excess {
			s.Finished[number].Y += excess
		}
		found := fit(t, s.observe(t), plain, &surrogate.Cache{}).Fit.Outliers
		if want := slices.Sorted(maps.Keys(test.excess)); !slices.Equal(slices.Sorted(slices.Values(found)), want) {
			t.Errorf("%s: outliers %v, want %v", test.name, found, want)
		}
	}
}

// Of many trials none is looked for. What was found before stays out, unless the user says by now that
// there is no noise.
func TestOutliersOfMany(t *testing.T) {
	s := newStudy(190, smooth)
	s.Finished[100].Y += 5
	first := fit(t, s.observe(t), plain, &surrogate.Cache{})
	if !slices.Equal(first.Fit.Outliers, []int{100}) {
		t.Fatalf("outliers %v of 190 trials", first.Fit.Outliers)
	}
	s.keep(t, first.Fit)
	s.add(30, smooth)
	s.Finished[200].Y += 5
	if m := fit(t, s.observe(t), plain, &surrogate.Cache{}); !m.IsNew || !slices.Equal(m.Fit.Outliers, []int{100}) || len(m.X) != 219 {
		t.Errorf("new %t, outliers %v, %d observations of 220 trials", m.IsNew, m.Fit.Outliers, len(m.X))
	}
	deterministic := plain
	deterministic.Deterministic = true
	if m := fit(t, s.observe(t), deterministic, &surrogate.Cache{}); len(m.Fit.Outliers) > 0 || len(m.X) != 220 {
		t.Errorf("without noise: outliers %v, %d observations of 220 trials", m.Fit.Outliers, len(m.X))
	}
}

// Values that are smaller than expected, that are beside others, or that the user says have no
// noise, stay.
func TestNoOutliers(t *testing.T) {
	deterministic, reference := plain, plain
	deterministic.Deterministic, reference.ReferenceFit = true, true
	large := func(s *study) { s.Finished[13].Y += 5 }
	for name, test := range map[string]struct {
		settings surrogate.Settings
		change   func(s *study)
	}{
		"none":      {plain, func(*study) {}},
		"too small": {plain, func(s *study) { s.Finished[13].Y -= 5 }},
		"a bad region": {plain, func(s *study) {
			for i := range s.Finished {
				if s.Finished[i].InternalParams["u"] > 0.8 {
					s.Finished[i].Y += 5
				}
			}
		}},
		"deterministic": {deterministic, large},
		"reference fit": {reference, large},
	} {
		s := newStudy(40, smooth)
		test.change(s)
		if m := fit(t, s.observe(t), test.settings, &surrogate.Cache{}); len(m.Fit.Outliers) > 0 || len(m.X) != 40 {
			t.Errorf("%s: %d observations, outliers %v", name, len(m.X), m.Fit.Outliers)
		}
	}
}
