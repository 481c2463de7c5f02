package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// choices are those of the toy.
var choices = []string{"a", "b", "c"}

// toy is an objective of a float and a choice: a and b are alike, c is not.
func toy(x float64, choice int) float64 {
	switch choice {
	case 0:
		return 0.6 + math.Sin(5*x)
	case 1:
		return 0.2 + math.Sin(5*x+0.3)
	}
	return 1.2 - 0.5*math.Cos(4*x)
}

// trial is a point of the toy.
type trial struct {
	x      float64
	choice int
}

func (t trial) point() fmkernel.Point {
	return fmkernel.Point{C: []float64{t.x}, V: []int{t.choice}}
}

// belief is a posterior of standardised values.
type belief struct {
	*gp.Predictor
	trials    []trial
	mean, dev float64 // of the values
	lowest    float64
}

// believe conditions the process on trials.
func believe(k *fmkernel.Kernel, h gp.Hyper, mean, dev float64, trials []trial) (*belief, error) {
	xs, y := encode(trials, mean, dev)
	model, err := gp.Condition(k, h, xs, y)
	if err != nil {
		return nil, err
	}
	b := &belief{model.Predictor(), trials, mean, dev, math.Inf(1)}
	for _, t := range trials {
		b.lowest = min(b.lowest, toy(t.x, t.choice))
	}
	return b, nil
}

// encode returns the trials as points and standardised values.
func encode(trials []trial, mean, dev float64) (xs []fmkernel.Point, y []float64) {
	for _, t := range trials {
		xs, y = append(xs, t.point()), append(y, (toy(t.x, t.choice)-mean)/dev)
	}
	return xs, y
}

// at returns the mean, the standard deviation and the expected improvement.
func (b *belief) at(t trial) (mean, dev, gain float64) {
	m, v := b.Predict(t.point())
	return b.mean + b.dev*m, b.dev * math.Sqrt(v), b.dev * math.Exp(acquisition.LogEI((b.lowest-b.mean)/b.dev, m, v))
}

// grid is the number of places along an axis.
const grid = 200

// next returns the place with the largest expected improvement.
func (b *belief) next() (best trial) {
	largest := math.Inf(-1)
	for choice := range choices {
		for i := range grid + 1 {
			t := trial{float64(i) / grid, choice}
			if _, _, gain := b.at(t); gain > largest {
				best, largest = t, gain
			}
		}
	}
	return best
}

// posteriors returns what is believed of the toy before and after the trial with
// the largest expected improvement.
func posteriors() (before, after *belief, found trial, err error) {
	trials := []trial{{0.1, 0}, {0.4, 0}, {0.7, 0}, {0.35, 1}, {0.3, 2}, {0.8, 2}}
	var values []float64
	for _, t := range trials {
		values = append(values, toy(t.x, t.choice))
	}
	mean, dev := stat.MeanStdDev(values, nil)
	kernel, err := fmkernel.NewModLap(1, graphs.Complete(len(choices)))
	if err != nil {
		return nil, nil, found, err
	}
	// Chosen by hand: six trials are too few for a fit.
	hyper := gp.Hyper{Noise: 1e-6, Scale: 1.5, Params: fmkernel.Params{Alpha: []float64{1}, Beta: []float64{4}, Theta: []float64{0.22}}}
	before, err = believe(kernel, hyper, mean, dev, trials)
	if err != nil {
		return nil, nil, found, err
	}
	found = before.next()
	after, err = believe(kernel, hyper, mean, dev, append(trials, found))
	return before, after, found, err
}

// drawPosterior draws the posterior on the toy before and after a trial.
func drawPosterior() (*sheet, error) {
	before, after, found, err := posteriors()
	if err != nil {
		return nil, err
	}
	s := newSheet(5.4 * vg.Inch)
	for row, b := range []*belief{before, after} {
		for choice, name := range choices {
			when := []string{fmt.Sprintf("before, %d trials", len(before.trials)), "after one more"}[row]
			p := axes(fmt.Sprintf("choice %s: %s", name, when), "", "")
			if choice == 0 {
				p.Y.Label.Text = "objective (lower is better)"
			}
			if row == 1 {
				p.X.Label.Text = "x"
			}
			b.draw(p, choice, found, row == 1)
			p.Draw(s.tile(len(choices), 2, choice, row))
		}
	}
	return s, nil
}

// draw draws the posterior along one choice: the mean, two standard deviations,
// the objective, which the sampler does not know, the trials, and the expected
// improvement at the bottom. The new trial stands out.
func (b *belief) draw(p *plot.Plot, choice int, found trial, done bool) {
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, -3, 4
	p.X.Tick.Marker = ticks(map[float64]string{0: "0", 0.5: "0.5", 1: "1"})
	p.Y.Tick.Marker = ticks(map[float64]string{-1: "-1", 0: "0", 1: "1", 2: "2", 3: "3"})
	value := func(pick func(mean, dev, gain float64) float64) plotter.XYs {
		return sample(0, 1, grid, func(x float64) float64 { return pick(b.at(trial{x, choice})) })
	}
	clip := func(y float64) float64 { return min(max(y, p.Y.Min), p.Y.Max) }
	band := value(func(mean, dev, _ float64) float64 { return clip(mean - 2*dev) })
	high := value(func(mean, dev, _ float64) float64 { return clip(mean + 2*dev) })
	for i := len(high) - 1; i >= 0; i-- {
		band = append(band, high[i])
	}
	shade := blue
	shade.A = 0x30
	p.Add(&plotter.Polygon{XYs: []plotter.XYs{band}, Color: shade})
	gains := value(func(_, _, gain float64) float64 { return p.Y.Min + 6*gain })
	improvement := &plotter.Polygon{XYs: []plotter.XYs{append(gains, plotter.XY{X: 1, Y: p.Y.Min}, plotter.XY{X: 0, Y: p.Y.Min})}, Color: green}
	p.Add(improvement)
	truth := curve(p, sample(0, 1, grid, func(x float64) float64 { return toy(x, choice) }), grey, vg.Points(4), vg.Points(3))
	mean := curve(p, value(func(mean, _, _ float64) float64 { return mean }), blue)
	for _, t := range b.trials {
		if t.choice == choice {
			dot(p, t.x, toy(t.x, t.choice), black, 4)
		}
	}
	if found.choice == choice {
		curve(p, plotter.XYs{{X: found.x, Y: p.Y.Min}, {X: found.x, Y: p.Y.Max}}, vermilion, vg.Points(2), vg.Points(3))
		if done {
			dot(p, found.x, toy(found.x, found.choice), vermilion, 5)
		}
	}
	if choice == len(choices)-1 {
		if !done {
			p.Legend.Add("objective", truth)
			p.Legend.Add("mean μ ± 2 σ", mean)
		} else {
			p.Legend.Add("expected improvement", improvement)
		}
	}
}
