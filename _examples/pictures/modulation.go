package main

import (
	"gonum.org/v1/plot/vg"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// drawModulation draws the kernel of Eq. (5) against the distance in the
// continuous part, for a choice of three: with f_Lap both similarities fall, with
// f_Dif that of different choices rises.
func drawModulation() (*sheet, error) {
	s := newSheet(3.6 * vg.Inch)
	const farthest = 3
	for i, family := range []struct {
		title string
		build func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)
	}{
		{"ModLap: f = 1/(1 + βλ + α‖c-c'‖²)", fmkernel.NewModLap},
		{"ModDif: f = exp(-(1 + α‖c-c'‖²) βλ)", fmkernel.NewModDif},
	} {
		kernel, err := family.build(1, graphs.Complete(3))
		if err != nil {
			return nil, err
		}
		params := fmkernel.Params{Alpha: []float64{1}, Beta: []float64{0.2}, Theta: []float64{1}}
		similarity := func(choice int) func(distance float64) float64 {
			return func(distance float64) float64 {
				return kernel.Eval(params, fmkernel.Point{C: []float64{0}, V: []int{0}}, fmkernel.Point{C: []float64{distance}, V: []int{choice}})
			}
		}
		p := axes(family.title, "distance ‖c-c'‖", "similarity k")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, farthest, 0, 0.85
		same := curve(p, sample(0, farthest, 200, similarity(0)), blue)
		other := curve(p, sample(0, farthest, 200, similarity(1)), vermilion)
		p.Legend.Add("the same choice, v = v'", same)
		p.Legend.Add("different choices, v ≠ v'", other)
		p.Draw(s.tile(2, 1, i, 0))
	}
	return s, nil
}
