package sampler

import (
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
)

// branch is so many trials with a value of "mode", which have x with an even value of it and
// y with an odd one.
type branch struct {
	trials int
	fails  bool
}

func trialsOf(branches ...branch) (trials []finishedTrial) {
	for mode, b := range branches {
		for i := range b.trials {
			values, y := map[string]float64{"mode": float64(mode)}, float64(i)
			if mode%2 == 0 {
				values["x"] = float64(i) / 40
			} else {
				values["y"] = float64(i % 3)
			}
			if b.fails {
				y = math.NaN()
			}
			trials = append(trials, finishedTrial{values, y})
		}
	}
	return trials
}

// In every second trial the branch with the fewest trials has its turn, while it has less
// than half of its even share, or than two, and is not exhausted. What runs, and what has
// failed, is among them. In the others one that has always failed is left out once it has
// its share.
func TestRegionsToSearch(t *testing.T) {
	for _, test := range []struct {
		name     string
		branches []branch
		running  int // of mode 0
		number   int
		want     []float64 // the modes
		owed     bool
	}{
		{"lags behind", []branch{{4, false}, {16, false}}, 0, 20, []float64{0}, true},
		{"in the next trial", []branch{{4, false}, {16, false}}, 0, 21, []float64{0, 1}, false},
		{"in the one after", []branch{{4, false}, {16, false}}, 0, 22, []float64{0}, true},
		{"has its share", []branch{{6, false}, {14, false}}, 0, 20, []float64{0, 1}, false},
		{"has it with what runs", []branch{{4, false}, {16, false}}, 1, 20, []float64{0, 1}, false},
		{"has one of few", []branch{{1, false}, {3, false}}, 0, 4, []float64{0}, true},
		{"has three of few", []branch{{3, false}, {3, false}}, 0, 6, []float64{0, 1}, false},
		{"exhausted", []branch{{17, false}, {3, false}}, 0, 20, []float64{0, 1}, false},
		{"failed", []branch{{1, true}, {8, false}, {8, false}}, 0, 18, []float64{0}, true},
		{"failed, in the next trial", []branch{{1, true}, {8, false}, {8, false}}, 0, 17, []float64{0, 1, 2}, false},
		{"failed, has its share", []branch{{2, true}, {4, false}, {4, false}}, 0, 10, []float64{1, 2}, false},
	} {
		p := problemAfter(t, map[string]any{"mode": choice(len(test.branches)), "x": unit, "y": choice(3)}, trialsOf(test.branches...), test.number)
		for range test.running {
			x, ok := p.Point(map[string]float64{"mode": 0, "x": 0.9})
			if !ok {
				t.Fatal("no configuration")
			}
			p.Pending = append(p.Pending, x)
		}
		regions, owed := regionsToSearch(p)
		var modes []float64
		for _, r := range regions {
			modes = append(modes, p.Values(r.Draw(stream.Trial{}.Rand("")))["mode"])
		}
		slices.Sort(modes)
		if !slices.Equal(modes, test.want) || owed != test.owed {
			t.Errorf("%s: branches %v, owed %t; want %v, %t", test.name, modes, owed, test.want, test.owed)
		}
	}
}

// Trials look for larger improvements in turn. Where a parameter is continuous and no other
// trial runs, that is no larger than the noise.
func TestMargin(t *testing.T) {
	run := func(count int) (trials []finishedTrial) {
		for i := range 12 {
			x := float64(i) / 11
			if count > 0 {
				x = float64(i % count)
			}
			trials = append(trials, finishedTrial{map[string]float64{"x": x}, x * x})
		}
		return trials
	}
	for name, test := range map[string]struct {
		x       any
		trials  []finishedTrial
		running bool
		noise   bool // whether it is what bounds the third margin
	}{
		"of a float":                    {unit, run(0), false, true},
		"of a float, beside others":     {unit, run(0), true, false},
		"of an integer":                 {goptuna.IntUniformDistribution{Low: 0, High: 5}, run(6), false, false},
		"of an integer, beside another": {goptuna.IntUniformDistribution{Low: 0, High: 5}, run(6), true, false},
	} {
		var margins []float64
		for number := 12; number < 15; number++ {
			p := problemAfter(t, map[string]any{"x": test.x}, test.trials, number)
			if test.running {
				p.Pending = p.X[:1]
			}
			s := searchOf(t, p)
			margins = append(margins, s.margin())
			if most := s.model.NoiseSD(); margins[len(margins)-1] > most == test.noise && number == 14 {
				t.Errorf("%s: %v, with noise of %v", name, margins[len(margins)-1], most)
			}
		}
		if margins[0] != 0 || margins[1] <= 0 || !test.noise && margins[2] < 5*margins[1] {
			t.Errorf("%s: margins %v do not grow", name, margins)
		}
	}
}

// A trial has to improve on the best of all that was observed or runs; one that is
// restricted, on the best of where it may go, moved there.
func TestBestKnown(t *testing.T) {
	trials := trialsOf(branch{8, false}, branch{8, false})
	p := problemAfter(t, map[string]any{"mode": choice(2), "x": unit, "y": choice(3)}, trials, len(trials))
	x, ok := p.Point(map[string]float64{"mode": 0, "x": 0.9})
	if !ok {
		t.Fatal("no configuration")
	}
	p.Pending = append(p.Pending, x)
	s := searchOf(t, p)
	if ref := s.reference; len(ref.Observed) != len(trials) || len(ref.Points) != 1 || !ref.Points[0].Equal(x) {
		t.Errorf("anywhere: %+v, want all of %d trials and %v", ref, len(trials), x)
	}
	for _, r := range p.Regions {
		p := *p
		p.Regions, p.Fixed = []observe.Region{r}, map[string]float64{"mode": 0} // of either region
		ref := searchOf(t, &p).reference
		want := 8
		if r.Contains(x) {
			want++
		}
		if len(ref.Observed) != 0 || len(ref.Points) != want {
			t.Errorf("restricted: %+v, want %d configurations", ref, want)
		}
		for _, x := range ref.Points {
			if !r.Contains(x) {
				t.Errorf("restricted: %v is in another region", x)
			}
		}
	}
}
