package insight_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// indexTol is how near to the exact indices those of the model are, after 300
// trials of random search.
const indexTol = 0.05

type indices struct{ main, total float64 }

// gFunction is Sobol's: V_i = 1/(3(1+a_i)²), V = Π(1+V_i) - 1.
func gFunction() (goptuna.FuncObjective, map[string]indices) {
	a := []float64{0, 1, 4.5, 9}
	variance := 1.0
	for _, a := range a {
		variance *= 1 + 1/(3*(1+a)*(1+a))
	}
	want := map[string]indices{}
	for i, a := range a {
		v := 1 / (3 * (1 + a) * (1 + a))
		want["x"+string(rune('1'+i))] = indices{v / (variance - 1), v * variance / (1 + v) / (variance - 1)}
	}
	return func(trial goptuna.Trial) (float64, error) {
		xs, err := floats(trial, len(a))
		product := 1.0
		for i, x := range xs {
			product *= (math.Abs(4*x-2) + a[i]) / (1 + a[i])
		}
		return product, err
	}, want
}

// ishigami is sin x1 + 7 sin² x2 + 0.1 x3⁴ sin x1 on [-π, π]³ (Ishigami and Homma,
// 1990).
func ishigami() (goptuna.FuncObjective, map[string]indices) {
	const a, b = 7, 0.1
	v1 := 0.5 * math.Pow(1+b*math.Pow(math.Pi, 4)/5, 2)
	v2 := a * a / 8.0
	v13 := b * b * math.Pow(math.Pi, 8) * (1.0/18 - 1.0/50)
	v := v1 + v2 + v13
	return func(trial goptuna.Trial) (float64, error) {
		xs, err := floats(trial, 3)
		if err != nil {
			return 0, err
		}
		for i := range xs {
			xs[i] = math.Pi * (2*xs[i] - 1)
		}
		return math.Sin(xs[0]) + a*math.Pow(math.Sin(xs[1]), 2) + b*math.Pow(xs[2], 4)*math.Sin(xs[0]), nil
	}, map[string]indices{"x1": {v1 / v, (v1 + v13) / v}, "x2": {v2 / v, v2 / v}, "x3": {0, v13 / v}}
}

// categorical is e(c) + s(c)·(x1 - ½) + 2 x2, a choice that shifts and turns a
// line.
func categorical() (goptuna.FuncObjective, map[string]indices) {
	choices := []string{"red", "green", "blue", "grey"}
	shift := map[string]float64{"red": 0, "green": 1, "blue": -1, "grey": 0.5}
	slope := map[string]float64{"red": 1, "green": -2, "blue": 3, "grey": 0}
	var means, slopes []float64
	for _, c := range choices {
		means, slopes = append(means, shift[c]), append(slopes, slope[c])
	}
	mean := func(xs []float64) (sum float64) {
		for _, x := range xs {
			sum += x / float64(len(xs))
		}
		return sum
	}
	squares := func(xs []float64) []float64 {
		var sq []float64
		for _, x := range xs {
			sq = append(sq, x*x)
		}
		return sq
	}
	vc := mean(squares(means)) - mean(means)*mean(means)
	v1 := mean(slopes) * mean(slopes) / 12
	vc1 := (mean(squares(slopes)) - mean(slopes)*mean(slopes)) / 12
	v2 := 4.0 / 12
	v := vc + v1 + vc1 + v2
	return func(trial goptuna.Trial) (float64, error) {
		c, err := trial.SuggestCategorical("c", choices)
		if err != nil {
			return 0, err
		}
		xs, err := floats(trial, 2)
		if err != nil {
			return 0, err
		}
		return shift[c] + slope[c]*(xs[0]-0.5) + 2*xs[1], nil
	}, map[string]indices{"c": {vc / v, (vc + vc1) / v}, "x1": {v1 / v, (v1 + vc1) / v}, "x2": {v2 / v, v2 / v}}
}

func TestImportanceIsExact(t *testing.T) {
	fmtest.Sequential(t)
	for name, problem := range map[string]func() (goptuna.FuncObjective, map[string]indices){
		"G-function": gFunction, "Ishigami": ishigami, "categorical": categorical,
	} {
		objective, want := problem()
		m := fit(t, atRandom(t, objective, 300))
		all := m.Importance()
		if len(all) != len(want) {
			t.Fatalf("%s: %v", name, all)
		}
		for _, got := range all {
			w := want[got.Param]
			t.Logf("%s, %s: main %.3f, exactly %.3f; total %.3f, exactly %.3f", name, got.Param, got.Main, w.main, got.Total, w.total)
			if math.Abs(got.Main-w.main) > indexTol || math.Abs(got.Total-w.total) > indexTol {
				t.Errorf("%s, %s: main %.3f, want %.3f; total %.3f, want %.3f", name, got.Param, got.Main, w.main, got.Total, w.total)
			}
			if got.Active != 1 || math.Abs(got.Overall-got.Total) > 1e-12 {
				t.Errorf("%s, %s: active in %v, overall %v", name, got.Param, got.Active, got.Overall)
			}
		}
		if !slices.IsSortedFunc(all, func(a, b insight.Importance) int {
			switch {
			case a.Overall > b.Overall:
				return -1
			case a.Overall < b.Overall:
				return 1
			}
			return 0
		}) {
			t.Errorf("%s: not sorted: %v", name, all)
		}
	}
}

// Importances are shares, whatever the unit of the values.
func TestImportanceOfHugeValues(t *testing.T) {
	fmtest.Sequential(t)
	for _, unit := range []float64{1, 1e300, 1e-300} {
		m := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
			x, err := floats(trial, 2)
			if err != nil {
				return 0, err
			}
			return unit * (3*x[0] + x[1] - 2), nil
		}, 60))
		for _, got := range m.Importance() {
			want := map[string]float64{"x1": 0.9, "x2": 0.1}[got.Param]
			if math.Abs(got.Total-want) > 0.02 {
				t.Errorf("in units of %g: %s has %v, want %v", unit, got.Param, got.Total, want)
			}
		}
	}
}

// A parameter that is active for one choice of three: there x explains 3/4 of the
// variance by itself and y the rest; over the whole space its part counts a third.
func TestImportanceOfConditional(t *testing.T) {
	fmtest.Sequential(t)
	objective := func(trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
		if err != nil {
			return 0, err
		}
		y, err := trial.SuggestFloat("y", 0, 1)
		if err != nil || kind != "b" {
			return 2 + y, err
		}
		x, err := trial.SuggestFloat("x", 0, 1)
		return 2 + y + math.Sqrt(3)*(x-0.5), err
	}
	m := fit(t, atRandom(t, objective, 300))
	// Var y = 1/12, Var √3 x = 3/12; together 4/12 where x is active.
	whole := (1.0 + 3.0/3) / 12
	for _, got := range m.Importance() {
		if got.Param != "x" {
			continue
		}
		if math.Abs(got.Main-0.75) > indexTol || math.Abs(got.Total-0.75) > indexTol || math.Abs(got.Active-1.0/3) > 0.01 ||
			math.Abs(got.Overall-3.0/12/3/whole) > indexTol {
			t.Errorf("x: %+v", got)
		}
		return
	}
	t.Error("x is missing")
}

// Times of a queue that end at 2000, as by a timeout. Under a logarithm the model predicts
// 100 times that where nothing was tried; such a corner does not make the importances.
func TestImportanceWithinWhatWasObserved(t *testing.T) {
	fmtest.Sequential(t)
	const want = 0.65 // of x3 alone, by 20,000 draws of the objective
	m := fit(t, optimized(t, problems.NewRandomSampler(3), func(trial goptuna.Trial) (float64, error) {
		x, err := floats(trial, 6)
		if err != nil {
			return 0, err
		}
		workers, batch, rate := 1+63*x[0], 1+63*x[1], 10+4990*x[2]
		service := 6 + 1.2*batch
		capacity := 1000 * workers * batch / service / (1 + workers*workers/400)
		load := math.Min(900, rate) * (1 + 0.75*x[3])
		if load >= capacity {
			return 2000, nil
		}
		return math.Min(2000, service/(1-load/capacity)+batch/load*1000+100*x[4]*load/capacity+1500*math.Max(0, 900-rate)/900), nil
	}, 100))
	for _, got := range m.Importance() {
		if got.Param == "x3" && math.Abs(got.Main-want) > 0.15 {
			t.Errorf("x3 explains %.2f alone, want %.2f", got.Main, want)
		}
	}
}

// Where a choice makes everything bad, nearly all of the variance is its, and the others share
// what makes the best quarter better, as they do in the objective itself.
func TestImportanceForWhatIsGood(t *testing.T) {
	fmtest.Sequential(t)
	value := func(bad bool, x, y float64) float64 {
		sum := 4*math.Pow(x-0.3, 2) + 5*math.Pow(y-0.6, 2)
		if bad {
			sum += 30
		}
		return sum
	}
	m := fit(t, atRandom(t, func(trial goptuna.Trial) (float64, error) {
		c, err := trial.SuggestCategorical("c", []string{"good", "bad", "worse"})
		if err != nil {
			return 0, err
		}
		xs, err := floats(trial, 2)
		return value(c != "good", xs[0], xs[1]), err
	}, 300))

	// Jansen's estimate for the objective: by how much it changes when one parameter has another value.
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func() (bad bool, x, y float64) { return rng.IntN(3) > 0, rng.Float64(), rng.Float64() }
	const draws = 1 << 18
	var values []float64
	for range draws {
		values = append(values, value(draw()))
	}
	slices.Sort(values)
	quartile := values[draws/4]
	capped := func(bad bool, x, y float64) float64 { return min(value(bad, x, y), quartile) }
	parts, squares, sum := map[string]float64{}, 0.0, 0.0
	for range draws {
		bad, x, y := draw()
		f := capped(bad, x, y)
		sum, squares = sum+f/draws, squares+f*f/draws
		bad2, x2, y2 := draw()
		for name, moved := range map[string]float64{"c": capped(bad2, x, y), "x1": capped(bad, x2, y), "x2": capped(bad, x, y2)} {
			parts[name] += (f - moved) * (f - moved) / (2 * draws)
		}
	}
	for _, got := range m.Importance() {
		want := parts[got.Param] / (squares - sum*sum)
		t.Logf("%s: overall %.3f, good %.3f, in the objective %.3f", got.Param, got.Overall, got.Good, want)
		if math.Abs(got.Good-want) > indexTol {
			t.Errorf("%s: good %.3f, want %.3f", got.Param, got.Good, want)
		}
		if got.Param != "c" && (got.Overall > 0.02 || got.Good < 0.2) {
			t.Errorf("%s: overall %.3f, good %.3f", got.Param, got.Overall, got.Good)
		}
	}
	if text := m.ImportanceSummary(); !strings.Contains(text, "; of what makes the best quarter better: x1 ") || strings.Contains(text, "better: c ") {
		t.Error(text)
	}
}
