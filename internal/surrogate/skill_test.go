package surrogate_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// A model of a smooth objective has skill, one of random numbers about as often as
// not. What runs is no part of it, and nobody waits for that of many observations.
func TestSkill(t *testing.T) {
	const studies, trials = 20, 20
	skills := func(objective func(rng *rand.Rand) func(values) float64) (skilled int) {
		for seed := range uint64(studies) {
			s := newStudy(trials, objective(rand.New(rand.NewPCG(seed, 42))))
			if fit(t, s.observe(t), plain, &surrogate.Cache{}).Skill() >= 0 {
				skilled++
			}
		}
		return skilled
	}
	if n := skills(func(*rand.Rand) func(values) float64 { return smooth }); n < studies {
		t.Errorf("%d of %d models of a smooth objective have skill", n, studies)
	}
	n := skills(func(rng *rand.Rand) func(values) float64 { return func(values) float64 { return rng.NormFloat64() } })
	t.Logf("%d of %d models of random numbers have skill", n, studies)
	if n > 3*studies/4 {
		t.Errorf("%d of %d models of random numbers have skill", n, studies)
	}

	// Where each value of a choice was seen once, leaving one out asks about a value
	// that nothing is known of.
	once := newStudy(0, nil)
	once.distributions = map[string]any{"k": goptuna.CategoricalDistribution{Choices: strings.Split("abcdefghijklmnopq", "")}}
	once.draw = func() values { return values{"k": float64(len(once.Finished))} }
	once.add(17, func(values) float64 { return once.rng.NormFloat64() })
	if skill := fit(t, once.observe(t), plain, &surrogate.Cache{}).Skill(); skill != 0 {
		t.Errorf("skill %v of values that were seen once", skill)
	}

	s := newStudy(trials, smooth)
	alone := fit(t, s.observe(t), plain, &surrogate.Cache{}).Skill()
	if max := float64(trials); alone > max {
		t.Errorf("skill %v of %d targets, each of which counts up to 1", alone, trials)
	}
	problem := s.observe(t)
	problem.Pending = append(problem.Pending, problem.X[0])
	if beside := fit(t, problem, plain, &surrogate.Cache{}).Skill(); beside != alone {
		t.Errorf("skill %v, beside a running trial %v", alone, beside)
	}
	if many := fit(t, newStudy(201, smooth).observe(t), plain, &surrogate.Cache{}).Skill(); !math.IsInf(many, 1) {
		t.Errorf("skill %v of 201 targets", many)
	}
}

// Where a parameter has one value left, the observations with that decide: of what a model
// knows of others, nothing may hold for them. Then it learns from these alone.
func TestSkillOfWhatIsLeft(t *testing.T) {
	data := func(name string) map[string]any {
		d := maps.Clone(distributions)
		d["data"] = goptuna.CategoricalDistribution{Choices: []string{name}}
		return d
	}
	for _, test := range []struct {
		name           string
		trials         int
		now            func(x values) float64
		alone, skilled bool
	}{
		{"alike", 8, smooth, false, true},
		{"at another level", 8, func(x values) float64 { return 20 + smooth(x) }, false, true},
		{"on another scale", 8, func(x values) float64 { return 1e4 * smooth(x) }, true, true},
		{"the other way round", 8, func(x values) float64 { return -smooth(x) }, true, true},
		{"noise", 20, func(x values) float64 { return math.Sin(1e4 * smooth(x)) }, true, false},
		{"enough", 201, smooth, true, true},
		{"too few to say", 3, func(x values) float64 { return -smooth(x) }, false, true},
	} {
		s := newStudy(0, nil)
		s.distributions = data("old")
		s.draw = func() values {
			x := s.drawSmooth()
			x["data"] = 0
			return x
		}
		s.add(30, smooth)
		s.distributions = data("new")
		s.add(test.trials, test.now)
		learned := fit(t, s.observe(t), plain, &surrogate.Cache{})
		if alone := len(learned.X) == test.trials; alone != test.alone || learned.Fit.Alone != alone {
			t.Errorf("%s: learned from %d observations", test.name, len(learned.X))
		}
		if skill := learned.Skill(); skill >= 0 != test.skilled {
			t.Errorf("%s: skill %v", test.name, skill)
		}
	}
}
