package plan_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// newTrial returns a study in memory, a trial in it, and what reads the trial's
// attributes.
func newTrial(t *testing.T) (study *goptuna.Study, id int, attrs func() map[string]string) {
	t.Helper()
	study, err := goptuna.CreateStudy("plans", goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	if id, err = study.Storage.CreateNewTrial(study.ID); err != nil {
		t.Fatal(err)
	}
	return study, id, func() map[string]string {
		attrs, err := study.Storage.GetTrialSystemAttrs(id)
		if err != nil {
			t.Fatal(err)
		}
		return maps.Clone(attrs)
	}
}

func store(t *testing.T, p *plan.Plan, study *goptuna.Study, id int) {
	t.Helper()
	if err := p.Store(study, id); err != nil {
		t.Fatal(err)
	}
}

// wide is a plan of n parameters whose names are hard to store.
func wide(n int) *plan.Plan {
	p := &plan.Plan{
		Values: map[string]plan.Value{}, Revision: 3,
		Fit: &plan.Fit{
			Trials: 7, Hyper: plan.Hyper{Noise: 5e-324, Scale: math.MaxFloat64, Mean: -0.1, Theta: map[string]float64{}, Mix: []float64{1. / 3}, Wide: true},
			Rival: &plan.Hyper{Noise: 2}, Lead: -0.1, Failures: &plan.Hyper{Noise: 1},
		},
	}
	for i := range n {
		name := fmt.Sprintf("参数 %d \"größe\" \\ \t\n 🦜 &<\u2028> \U0010ffff \x7f%s", i, strings.Repeat("長", i%7))
		p.Values[name] = plan.Value{Value: math.Ldexp(1/float64(i+3), i%600-300), Fingerprint: "d" + fmt.Sprint(i)}
		p.Fit.Theta[name] = 1 / float64(i+1)
	}
	return p
}

// A plan is read as it was stored, to the last bit, whatever its size. Every
// database takes what is stored.
func TestPlanRoundTrip(t *testing.T) {
	plans := map[string]*plan.Plan{
		"empty":    {},
		"one":      {Values: map[string]plan.Value{"x": {Value: 0.1, Fingerprint: "abc"}}},
		"no value": {Values: map[string]plan.Value{}, Revision: 1},
		"extremes": {Values: map[string]plan.Value{"a": {Value: math.MaxFloat64}, "b": {Value: -5e-324}, "c": {Value: math.Nextafter(1, 2)}, "": {}}},
	}
	for _, n := range []int{1, 2, 10, 100, 1000} {
		plans[fmt.Sprint(n)] = wide(n)
	}
	for name, want := range plans {
		study, id, attrs := newTrial(t)
		store(t, want, study, id)
		got := plan.Decode(attrs())
		if len(got.Values) != len(want.Values) || !maps.Equal(got.Values, want.Values) || got.Revision != want.Revision || !reflect.DeepEqual(got.Fit, want.Fit) {
			t.Errorf("%s: read\n%+v, want\n%+v", name, got, want)
		}
		for key, value := range attrs() {
			if len(value) >= 2046 || len(key) > 100 {
				t.Errorf("%s: attribute %q has %d characters", name, key, len(value))
			}
			for _, r := range value {
				if r >= 0x80 {
					t.Errorf("%s: attribute %q has %q", name, key, r)
					break
				}
			}
		}
	}
}

// Names that are not UTF-8 are found in a plan and a fit that were stored.
func TestNamesThatAreNotUTF8(t *testing.T) {
	names := []string{"gr\xf6\xdfe", "gr\xf6\xf6e", "größe"}
	want := &plan.Plan{Values: map[string]plan.Value{}}
	var params []*space.Param
	hyper := gp.Hyper{Noise: 1, Scale: 1}
	for i, name := range names {
		p, err := space.NewParam(name, unit, nil)
		if err != nil {
			t.Fatal(err)
		}
		want.Set(p, float64(i)/4)
		params, hyper.Params.Theta = append(params, p), append(hyper.Params.Theta, float64(i+1))
	}
	sp, err := space.New(params)
	if err != nil {
		t.Fatal(err)
	}
	want.Fit = &plan.Fit{Trials: 3, Hyper: plan.NewHyper(sp, hyper)}
	study, id, attrs := newTrial(t)
	store(t, want, study, id)
	got := plan.Decode(attrs())
	for i, p := range params {
		if value, ok := got.For(p); !ok || value != float64(i)/4 {
			t.Errorf("%q: %v, %t", p.Name, value, ok)
		}
		if got.Follows(goptuna.FrozenTrial{InternalParams: map[string]float64{p.Name: 0.9}}) {
			t.Errorf("%q: another value follows the plan", p.Name)
		}
	}
	read := gp.Hyper{Params: fmkernel.Params{Theta: make([]float64, len(names))}}
	if !got.Fit.Apply(sp, &read) || !slices.Equal(read.Params.Theta, hyper.Params.Theta) {
		t.Errorf("read %+v, want %+v", read, hyper)
	}
}

// Every length of a plan is cut into chunks that make it again: those that end with
// a chunk, too.
func TestPlanChunks(t *testing.T) {
	study, id, attrs := newTrial(t)
	for n := range 4100 {
		name := strings.Repeat("x", n)
		if n > 20 && n%100 > 3 && (n+40)%2000 > 80 { // all near multiples of a chunk, some elsewhere
			continue
		}
		want := &plan.Plan{Values: map[string]plan.Value{name: {Value: float64(n), Fingerprint: "d"}}}
		store(t, want, study, id)
		if got := plan.Decode(attrs()); !maps.Equal(got.Values, want.Values) {
			t.Fatalf("a name of %d characters: read %+v", n, got)
		}
	}
}

// A later plan replaces an earlier one, whichever is longer. One of which a part is
// not there, or that something else has written, is none.
func TestPlanReplaced(t *testing.T) {
	study, id, attrs := newTrial(t)
	for _, n := range []int{100, 1, 30, 0, 100} {
		want := wide(n)
		store(t, want, study, id)
		if got := plan.Decode(attrs()); !maps.Equal(got.Values, want.Values) {
			t.Errorf("a plan of %d parameters after another one: read %d of them", n, len(got.Values))
		}
	}
	if got := plan.Decode(nil); got == nil || len(got.Values) != 0 || got.Fit != nil {
		t.Errorf("no plan: read %+v", got)
	}
	for key := range attrs() {
		lacking := attrs()
		delete(lacking, key)
		broken := attrs()
		broken[key] = "\x01" + broken[key] // which is in no JSON text
		for name, from := range map[string]map[string]string{"without": lacking, "with a broken": broken} {
			got := plan.Decode(from)
			if len(got.Values) != 0 || got.Fit != nil || got.Revision != 0 {
				t.Errorf("%s attribute %q: read a plan of %d values", name, key, len(got.Values))
			}
		}
	}
}

// A fit to less than no trials is none: the model would be asked for what came after them.
func TestNegativeTrials(t *testing.T) {
	got := plan.Decode(map[string]string{"fm:plan:0": `{"v":{"x":{"x":0.1,"d":"a"}},"f":{"o":-1,"n":1}}` + "\n"})
	if len(got.Values) != 0 || got.Fit != nil {
		t.Errorf("read %+v", got)
	}
}

// Settled is what a worker said about the very plan.
func TestSettled(t *testing.T) {
	study, id, attrs := newTrial(t)
	first, second := wide(1), wide(1)
	second.Revision++
	store(t, first, study, id)
	if first.Settled(attrs()) {
		t.Error("settled before anybody said so")
	}
	if err := first.Settle(study, id); err != nil {
		t.Fatal(err)
	}
	if !first.Settled(attrs()) || !plan.Decode(attrs()).Settled(attrs()) {
		t.Error("not settled")
	}
	store(t, second, study, id)
	if second.Settled(attrs()) || plan.Decode(attrs()).Settled(attrs()) {
		t.Error("a later plan is settled by what was said about an earlier one")
	}
	zero := &plan.Plan{}
	if zero.Settled(nil) {
		t.Error("the first revision is settled where nothing was said")
	}
}

// A storage that refuses says which trial.
func TestStoreErrors(t *testing.T) {
	study, id, _ := newTrial(t)
	if err := study.Storage.SetTrialState(id, goptuna.TrialStateComplete); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"Store": wide(1).Store(study, id), "Settle": wide(1).Settle(study, id)} {
		if err == nil || !strings.HasPrefix(err.Error(), "fm: ") || !strings.Contains(err.Error(), fmt.Sprintf("trial %d", id)) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A trial follows a plan while it has none but its values.
func TestFollows(t *testing.T) {
	p := &plan.Plan{Values: map[string]plan.Value{"x": {Value: 1}, "y": {Value: 2}}}
	for _, test := range []struct {
		name string
		has  map[string]float64
		want bool
	}{
		{"nothing", nil, true},
		{"a part", map[string]float64{"y": 2}, true},
		{"all", map[string]float64{"x": 1, "y": 2}, true},
		{"more", map[string]float64{"x": 1, "z": 9}, true},
		{"another value", map[string]float64{"x": 1, "y": 2.5}, false},
		{"almost", map[string]float64{"x": math.Nextafter(1, 2)}, false},
	} {
		if got := p.Follows(goptuna.FrozenTrial{InternalParams: test.has}); got != test.want {
			t.Errorf("%s: follows is %t", test.name, got)
		}
	}
}

// FuzzDecode reads arbitrary attributes. None makes it fail, and what it reads can
// be stored and read again.
func FuzzDecode(f *testing.F) {
	f.Add(`{"v":{"x":{"x":0.1,"d":"a"}},"i":2}`+"\n", "")
	f.Add(`{"v":{"x":{"x":1e999}}}`, "\n")
	f.Add("null\n", "[]")
	f.Add(`{"v":null,"f":{"t":{"x":-1}}}`+"\n", "\n")
	f.Fuzz(func(t *testing.T, first, second string) {
		p := plan.Decode(map[string]string{"fm:plan:0": first, "fm:plan:1": second})
		if p == nil {
			t.Fatal("no plan")
		}
		study, id, attrs := newTrial(t)
		store(t, p, study, id)
		if again := plan.Decode(attrs()); len(again.Values) != len(p.Values) || again.Revision != p.Revision {
			t.Errorf("%+v was stored, and %+v read", p, again)
		}
	})
}

// Random plans, too, are read as they were stored.
func TestRandomPlans(t *testing.T) {
	const seed = 9
	rng := rand.New(rand.NewPCG(seed, 1))
	study, id, attrs := newTrial(t)
	for range 300 {
		want := &plan.Plan{Values: map[string]plan.Value{}, Revision: rng.IntN(5)}
		for range rng.IntN(60) {
			var name []rune
			for range rng.IntN(30) {
				r := rune(rng.IntN(1 << uint(1+rng.IntN(20))))
				if r >= 0xd800 && r < 0xe000 { // no character
					r = 'x'
				}
				name = append(name, r)
			}
			value := math.Float64frombits(rng.Uint64())
			if math.IsNaN(value) || math.IsInf(value, 0) {
				value = 0
			}
			want.Values[string(name)] = plan.Value{Value: value, Fingerprint: string(name)}
		}
		store(t, want, study, id)
		if got := plan.Decode(attrs()); !maps.Equal(got.Values, want.Values) || got.Revision != want.Revision {
			t.Fatalf("seed %d: read\n%+v, want\n%+v", seed, got, want)
		}
	}
}
