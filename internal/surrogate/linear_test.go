package surrogate_test

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// Linear targets are as far apart as the values are, and the model goes through
// them.
func TestLinear(t *testing.T) {
	s := newStudy(40, func(x values) float64 {
		if x["k"] < 2 {
			return 1 + 0.001*x["u"]
		}
		return 3 + x["u"]
	})
	m := fit(t, s.observe(t), plain, &surrogate.Cache{})
	linear, ok := m.Linear()
	if !ok {
		t.Fatal("no linear targets")
	}
	means := linear.Means(m.X)
	scale := (linear.Targets[1] - linear.Targets[0]) / (m.Y[1] - m.Y[0])
	for i, y := range m.Y {
		want := linear.Targets[0] + scale*(y-m.Y[0])
		if math.Abs(linear.Targets[i]-want) > 1e-9 || math.Abs(means[i]-want) > 0.1 {
			t.Errorf("value %v: target %v, predicted %v, want %v", y, linear.Targets[i], means[i], want)
		}
	}
	same := newStudy(5, func(values) float64 { return 1 })
	if _, ok := fit(t, same.observe(t), plain, &surrogate.Cache{}).Linear(); ok {
		t.Error("linear targets of equal values")
	}
}

// Like those of the fit, the hyperparameters for linear targets stand until the next
// one.
func TestLinearStands(t *testing.T) {
	s := newStudy(60, smooth)
	first := fit(t, s.observe(t), plain, &surrogate.Cache{})
	s.keep(t, first.Fit)
	linear, _ := first.Linear()
	for more := range 5 {
		m := fit(t, s.observe(t), plain, &surrogate.Cache{})
		now, ok := m.Linear()
		if !ok {
			t.Fatal("no linear targets")
		}
		if stands := reflect.DeepEqual(now.Model().Hyper(), linear.Model().Hyper()); stands == m.IsNew {
			t.Errorf("%d more: the fit is new: %t; that of linear targets stands: %t", more, m.IsNew, stands)
		}
		s.add(1, smooth)
	}
}

// The skill with linear targets is that of predicting these.
func TestLinearSkill(t *testing.T) {
	s := newStudy(40, func(x values) float64 { return math.Exp(5 * smooth(x)) })
	linear, ok := fit(t, s.observe(t), plain, &surrogate.Cache{}).Linear()
	if !ok {
		t.Fatal("no linear targets")
	}
	want := 0.0
	means, variances := linear.Model().LeaveOneOut(len(linear.Targets))
	for i, y := range linear.Targets {
		gain := distuv.Normal{Mu: means[i], Sigma: math.Sqrt(variances[i])}.LogProb(y) - distuv.UnitNormal.LogProb(y)
		want += min(1, max(-1, gain))
	}
	if got := linear.Skill(); math.Abs(got-want) > 1e-6 {
		t.Errorf("skill %v, want %v", got, want)
	}
}
