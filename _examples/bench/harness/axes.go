package harness

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// style sets fonts and colours, and puts the legend where falling curves, or
// rising ones of dots, leave room.
func (p *Picture) style(to *plot.Plot) {
	to.BackgroundColor = color.White
	to.Title.Text, to.X.Label.Text = p.Title, p.XLabel
	to.Title.TextStyle.Font = sans(14)
	to.Title.Padding = vg.Points(8)
	for _, axis := range []*plot.Axis{&to.X, &to.Y} {
		axis.Label.TextStyle.Font = sans(12)
		axis.Label.Padding = vg.Points(4)
		axis.Tick.Label.Font = sans(11)
		axis.Tick.Length = vg.Points(4)
		axis.Padding = 0
	}
	to.Legend.TextStyle.Font = sans(11)
	to.Legend.ThumbnailWidth = vg.Points(24)
	to.Legend.Padding = vg.Points(2)
	to.Legend.Top = !p.LogY
	to.Legend.Left = p.LogY && !p.LogX
	to.Legend.XOffs, to.Legend.YOffs = vg.Points(-8), vg.Points(8)
	if to.Legend.Left {
		to.Legend.XOffs = vg.Points(8)
	}
	if to.Legend.Top {
		to.Legend.YOffs = vg.Points(-4)
	}
}

// setX makes room for all lines and marks numbers of trials.
func (p *Picture) setX(to *plot.Plot) {
	first, end := math.Inf(1), 1.0
	for _, l := range p.Lines {
		for _, at := range l.Points {
			first, end = math.Min(first, at.X), math.Max(end, at.X)
		}
	}
	marks := p.X
	if marks == nil {
		for x, step := 0.0, math.Max(1, math.Ceil(end/40))*10; x <= end; x += step {
			marks = append(marks, x)
		}
	}
	var ticks plot.ConstantTicks
	for _, x := range marks {
		ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'f', -1, 64)})
	}
	to.X.Min, to.X.Max, to.X.Tick.Marker = 0, end, ticks
	if p.LogX {
		to.X.Scale, to.X.Min, to.X.Max = plot.LogScale{}, first/1.25, end*1.25
	}
}

// setY makes room for all lines that are no guides.
func (p *Picture) setY(to *plot.Plot) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range p.Lines {
		for i, at := range l.Points {
			switch {
			case l.Guide:
				continue
			case p.LogY || l.Low == nil:
				low = math.Min(low, at.Y)
			default:
				low = math.Min(low, l.Low[i].Y)
			}
			if p.LogY || at.X >= p.Skip || i == len(l.Points)-1 {
				high = math.Max(high, at.Y)
			}
		}
	}
	if math.IsInf(low, 1) {
		low, high = 0, 1 // nothing to draw
	}
	if !p.LogY {
		margin := 0.03 * (high - low)
		if margin <= 0 {
			margin = 1e-3
		}
		to.Y.Min, to.Y.Max = low-margin, high+margin
		return
	}
	floor := p.Floor
	if floor == 0 {
		floor = math.SmallestNonzeroFloat64
	}
	first := math.Floor(math.Log10(math.Max(low, floor)))
	last := math.Max(math.Log10(2*math.Max(high, floor)), first+1)
	unit := p.Unit
	if unit == nil {
		unit = func(y float64) string { return strconv.FormatFloat(y, 'f', -1, 64) }
	}
	var ticks plot.ConstantTicks
	for exponent := first; exponent <= last; exponent++ {
		power := math.Pow(10, exponent)
		ticks = append(ticks, plot.Tick{Value: power, Label: unit(power)})
		for digit := 2.0; digit < 10; digit++ {
			ticks = append(ticks, plot.Tick{Value: digit * power})
		}
	}
	to.Y.Scale, to.Y.Tick.Marker = plot.LogScale{}, ticks
	to.Y.Min, to.Y.Max = math.Pow(10, first), math.Pow(10, last)
}
