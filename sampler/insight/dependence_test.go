package insight_test

import (
	"errors"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// The partial dependence of an additive function is the function of the one
// parameter, up to the average of the others, with values on the axis as the study
// has them.
func TestPartialDependence(t *testing.T) {
	fmtest.Sequential(t)
	m := fit(t, atRandom(t, mixed, 100))
	rate, err := m.PartialDependence("rate")
	if err != nil {
		t.Fatal(err)
	}
	if rate.Scale != insight.Log || math.Abs(rate.Values[0].(float64)-1e-4) > 1e-12 || math.Abs(rate.Values[len(rate.Values)-1].(float64)-1) > 1e-9 {
		t.Errorf("axis %v of %v", rate.Scale, rate.Values)
	}
	for i, value := range rate.Values {
		u := math.Log10(value.(float64)) + 2
		want := 5 + u*u + 0.5 + 0.5
		if at := rate.At[i]; math.Abs(at.Value-want) > 0.3 || at.Low > at.Value || at.High < at.Value {
			t.Errorf("at %v: %v, want %v", value, at, want)
		}
	}
	kind, err := m.PartialDependence("kind")
	if err != nil || kind.Scale != insight.Choices || kind.Values[0] != "a" || kind.Values[1] != "b" {
		t.Fatalf("%+v, error %v", kind, err)
	}
	if rise := kind.At[1].Value - kind.At[0].Value; math.Abs(rise-1) > 0.15 {
		t.Errorf("b is worse than a by %v, want 1", rise)
	}
	layers, err := m.PartialDependence("layers")
	if err != nil || len(layers.Values) != 4 || layers.Values[3] != 4 || layers.Scale != insight.Linear {
		t.Errorf("%+v, error %v", layers, err)
	}
	both, err := m.PartialDependence2("kind", "layers")
	if err != nil || len(both.At) != 4 || len(both.At[0]) != 2 {
		t.Fatalf("%+v, error %v", both, err)
	}
	if rise := both.At[3][1].Value - both.At[0][0].Value; math.Abs(rise-1.6) > 0.25 {
		t.Errorf("b with 4 layers is worse than a with 1 by %v, want 1.6", rise)
	}
	if _, err := m.PartialDependence("color"); err == nil {
		t.Error("an unknown parameter has a partial dependence")
	}
	if _, err := m.PartialDependence2("rate", "color"); err == nil {
		t.Error("an unknown parameter has a partial dependence")
	}
	for _, d := range []*insight.Dependence{rate, kind, layers} {
		if scale, err := m.Scale(d.Param); err != nil || scale != d.Scale {
			t.Errorf("%s has scale %v, error %v, and its axis %v", d.Param, scale, err, d.Scale)
		}
	}
	if _, err := m.Scale("color"); err == nil {
		t.Error("an unknown parameter has a scale")
	}
}

// Parameters of different branches have no dependence together.
func TestPartialDependenceOfBranches(t *testing.T) {
	m := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"a", "b"})
		if err != nil {
			return 0, err
		}
		x, err := trial.SuggestFloat("x of "+kind, 0, 1)
		return x, err
	}, 60))
	if _, err := m.PartialDependence2("x of a", "x of b"); !errors.Is(err, insight.ErrInactive) {
		t.Errorf("error %v", err)
	}
	if d, err := m.PartialDependence("x of a"); err != nil || math.Abs(d.At[0].Value) > 0.1 || math.Abs(d.At[len(d.At)-1].Value-1) > 0.1 {
		t.Errorf("%+v, error %v", d, err)
	}
}

// Of x·y + z, the interaction is that of x and y: E[(xy - x'y - xy' + x'y')²]/4 =
// E[(x-x')²]²/4 = (1/6)²/4.
func TestInteractions(t *testing.T) {
	fmtest.Sequential(t)
	m := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
		xs, err := floats(trial, 3)
		return xs[0]*xs[1] + xs[2]/4, err
	}, 120))
	variance := 1.0/9 - 1.0/16 + 1.0/12/16
	all := m.Interactions(3)
	if len(all) != 3 {
		t.Fatalf("%v", all)
	}
	first := all[0]
	if first.X+first.Y != "x1x2" && first.X+first.Y != "x2x1" || math.Abs(first.Share-1.0/144/variance) > 0.02 || all[1].Share > 0.01 {
		t.Errorf("%v, want x1 and x2 with %.3f", all, 1.0/144/variance)
	}
}
