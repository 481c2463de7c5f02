package plan_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

var (
	unit    = goptuna.UniformDistribution{Low: 0, High: 1}
	letters = goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}}
)

// spaceOf returns the space of dimensions and graphs: names from n on are graphs.
func spaceOf(t *testing.T, names string, groups ...space.Group) *space.Space {
	t.Helper()
	var params []*space.Param
	for _, name := range names {
		var distribution any = unit
		if name >= 'n' {
			distribution = letters
		}
		p, err := space.NewParam(string(name), distribution, nil)
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, p)
	}
	s, err := space.New(params, groups...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type build func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)

// ones returns hyperparameters of a kernel on the space, every one of which is v.
func ones(t *testing.T, s *space.Space, kernel build, v float64) gp.Hyper {
	t.Helper()
	k, err := s.Kernel(kernel)
	if err != nil {
		t.Fatal(err)
	}
	h := gp.Hyper{Noise: v, Scale: v, Mean: v, Params: k.NewParams()}
	for _, values := range [][]float64{h.Params.Alpha, h.Params.Beta, h.Params.Theta, h.Params.Mix} {
		for i := range values {
			values[i] = v
		}
	}
	return h
}

// numbered returns hyperparameters that all differ.
func numbered(t *testing.T, s *space.Space, kernel build) gp.Hyper {
	t.Helper()
	h := ones(t, s, kernel, 1)
	h.Noise, h.Scale, h.Mean = 0.01, 0.02, -0.03
	n := 0.1
	for _, values := range [][]float64{h.Params.Alpha, h.Params.Beta, h.Params.Theta, h.Params.Mix} {
		for i := range values {
			values[i] = n
			n += 0.1
		}
	}
	return h
}

// Hyperparameters come back in the space that they are of, for every kernel, with
// presence coordinates and without.
func TestFitRoundTrip(t *testing.T) {
	for name, kernel := range map[string]build{
		"ModLap": fmkernel.NewModLap, "ModDif": fmkernel.NewModDif, "ProdLap": fmkernel.NewProdLap, "AddLap": fmkernel.NewAddLap,
	} {
		for _, test := range []struct {
			names  string
			groups []space.Group
		}{
			{"ab", nil}, {"no", nil}, {"abno", nil},
			{"abno", []space.Group{{Names: []string{"a"}}}},
			{"abcno", []space.Group{{Names: []string{"b", "c"}}, {Names: []string{"a"}}, {Names: []string{"n"}}}},
		} {
			s := spaceOf(t, test.names, test.groups...)
			want := numbered(t, s, kernel)
			study, id, attrs := newTrial(t)
			store(t, &plan.Plan{Fit: &plan.Fit{Kernel: name, Trials: 17, Hyper: plan.NewHyper(s, want)}}, study, id)
			fit := plan.Decode(attrs()).Fit
			if fit.Kernel != name || fit.Trials != 17 {
				t.Errorf("%s on %s: %q, fitted to %d trials", name, test.names, fit.Kernel, fit.Trials)
			}
			got := ones(t, s, kernel, 9)
			if complete := fit.Apply(s, &got); !complete || !reflect.DeepEqual(got, want) {
				t.Errorf("%s on %s: complete %t\n%+v, want\n%+v", name, test.names, complete, got, want)
			}
		}
	}
}

// In another space a fit knows the parameters that it shares.
func TestFitInAnotherSpace(t *testing.T) {
	here := numbered(t, spaceOf(t, "abno"), fmkernel.NewModLap)
	fit := plan.NewHyper(spaceOf(t, "abno"), here)
	for _, test := range []struct {
		names    string
		complete bool
		theta    []float64 // 9 where the fit knows nothing
		beta     []float64
	}{
		{"abno", true, here.Params.Theta, here.Params.Beta},
		{"bo", true, here.Params.Theta[1:], here.Params.Beta[1:]},
		{"acn", false, []float64{here.Params.Theta[0], 9}, here.Params.Beta[:1]},
		{"bmop", false, []float64{here.Params.Theta[1], 9}, []float64{here.Params.Beta[1], 9}},
	} {
		s := spaceOf(t, test.names)
		got := ones(t, s, fmkernel.NewModLap, 9)
		complete := fit.Apply(s, &got)
		if complete != test.complete || !reflect.DeepEqual(got.Params.Theta, test.theta) || !reflect.DeepEqual(got.Params.Beta, test.beta) {
			t.Errorf("%s: complete %t, %+v, want θ = %v, β = %v", test.names, complete, got.Params, test.theta, test.beta)
		}
		if got.Noise != here.Noise || got.Scale != here.Scale || got.Mean != here.Mean {
			t.Errorf("%s: %+v, want noise, scale and mean of the fit", test.names, got)
		}
	}
	// The lengthscale of a presence is known by the first parameter of its group.
	optional := spaceOf(t, "abc", space.Group{Names: []string{"a", "b"}})
	presence := plan.NewHyper(optional, numbered(t, optional, fmkernel.NewModLap))
	for _, test := range []struct {
		group []string
		want  bool
	}{{[]string{"a", "b"}, true}, {[]string{"a"}, true}, {[]string{"b"}, false}} {
		s := spaceOf(t, "abc", space.Group{Names: test.group})
		got := ones(t, s, fmkernel.NewModLap, 9)
		if complete := presence.Apply(s, &got); complete != test.want || (got.Params.Theta[3] == 9) == test.want {
			t.Errorf("group %q: complete %t, lengthscale %v, want %t", test.group, complete, got.Params.Theta[3], test.want)
		}
	}
}

// Stored numbers that are no hyperparameters are passed over.
func TestFitOfSenselessNumbers(t *testing.T) {
	s := spaceOf(t, "abno")
	for _, bad := range []float64{0, -1, math.Inf(1), math.NaN()} {
		for name, spoil := range map[string]func(*plan.Hyper){
			"noise": func(f *plan.Hyper) { f.Noise = bad }, "scale": func(f *plan.Hyper) { f.Scale = bad },
			"θ": func(f *plan.Hyper) { f.Theta["b"] = bad }, "β": func(f *plan.Hyper) { f.Beta["n"] = bad }, "α": func(f *plan.Hyper) { f.Alpha["n"] = bad },
		} {
			fit := plan.NewHyper(s, numbered(t, s, fmkernel.NewModLap))
			spoil(&fit)
			got := ones(t, s, fmkernel.NewModLap, 9)
			if fit.Apply(s, &got) {
				t.Errorf("%s = %v is complete", name, bad)
			}
			nines := 0
			for _, values := range [][]float64{{got.Noise, got.Scale}, got.Params.Alpha, got.Params.Beta, got.Params.Theta} {
				for _, v := range values {
					if v == 9 {
						nines++
					}
					if !(v > 0) || math.IsInf(v, 1) {
						t.Errorf("%s = %v was applied", name, bad)
					}
				}
			}
			if nines != 1 {
				t.Errorf("%s = %v: %d hyperparameters stayed, want the one", name, bad, nines)
			}
		}
	}
	empty := &plan.Fit{}
	got := ones(t, s, fmkernel.NewModLap, 9)
	if empty.Apply(s, &got) || !reflect.DeepEqual(got.Params, ones(t, s, fmkernel.NewModLap, 9).Params) {
		t.Errorf("a fit of nothing gives %+v", got)
	}
	// That of a sum of kernels lacks what the product has, and the other way round.
	for _, kernels := range [][2]build{{fmkernel.NewAddLap, fmkernel.NewModLap}, {fmkernel.NewProdLap, fmkernel.NewModLap}, {fmkernel.NewModLap, fmkernel.NewAddLap}} {
		fit := plan.NewHyper(s, numbered(t, s, kernels[0]))
		other := ones(t, s, kernels[1], 9)
		if fit.Apply(s, &other) {
			t.Error("the fit of another kernel is complete")
		}
	}
}
