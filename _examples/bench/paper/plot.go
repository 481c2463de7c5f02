package main

import (
	"bufio"
	"errors"
	"image/color"
	"math"
	"os"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Pictures are 1600 pixels wide, for 800 on a page.
const (
	plotWidth  = 8 * vg.Inch
	plotHeight = 5 * vg.Inch
	plotDPI    = 200
)

// lineColors are told apart without red and green (Okabe and Ito). The first is
// for the reference alone.
var lineColors = []color.NRGBA{
	{0x00, 0x00, 0x00, 0xff}, // black
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0x00, 0x9e, 0x73, 0xff}, // green
	{0xcc, 0x79, 0xa7, 0xff}, // purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky
	{0x80, 0x80, 0x80, 0xff}, // grey
}

var gridColor = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}

// reference is the method that each picture has.
const reference = "modlap"

// writePlots draws the kernels and variants in one picture, and the reference with all other
// methods in a second. There is none where nothing was run.
func writePlots(base string, e *experiment, rows []row) error {
	pictures := map[string][]row{}
	for _, r := range rows {
		if len(r.runs[startsRandom]) == 0 {
			continue
		}
		if r.method.isKernel() {
			pictures["kernels"] = append(pictures["kernels"], r)
		}
		if !r.method.isKernel() || r.method.name == reference {
			pictures["methods"] = append(pictures["methods"], r)
		}
	}
	var errs []error
	for suffix, rows := range pictures {
		errs = append(errs, writePlot(base+"-"+suffix+".png", e, rows))
	}
	return errors.Join(errs...)
}

// curve is the mean of the best value so far, and a standard error to both sides,
// after each trial.
type curve struct{ mean, low, high plotter.XYs }

// curveOf returns the curve of a method from the first trial after which all its
// runs have a value, to the end of the shortest.
func curveOf(e *experiment, r row) curve {
	end := math.MaxInt
	for _, outcomes := range r.runs[startsRandom] {
		end = min(end, len(outcomes))
	}
	var c curve
	for n := 1; n <= end; n++ {
		best := r.best(startsRandom, n)
		if len(best) < len(r.runs[startsRandom]) {
			continue
		}
		mean, sem := meanError(best)
		if !math.IsNaN(e.optimum) {
			mean -= e.optimum
		}
		x := float64(n)
		c.mean = append(c.mean, plotter.XY{X: x, Y: mean})
		c.low = append(c.low, plotter.XY{X: x, Y: mean - sem})
		c.high = append(c.high, plotter.XY{X: x, Y: mean + sem})
	}
	return c
}

// regretFloor is the smallest distance from the optimum that is drawn: beyond it,
// a search has found the optimum.
const regretFloor = 1e-5

// writePlot draws one curve per row. Where the optimum is known it shows the
// distance from it on a logarithmic axis.
func writePlot(path string, e *experiment, rows []row) error {
	logarithmic := !math.IsNaN(e.optimum)
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text = e.title + ": best value so far"
	if logarithmic {
		p.Title.Text = e.title + ": distance of the best value so far from the optimum"
	}
	p.Title.TextStyle.Font = sans(14)
	p.Title.Padding = vg.Points(8)
	p.X.Label.Text = "trials"
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = sans(12)
		axis.Label.Padding = vg.Points(4)
		axis.Tick.Label.Font = sans(11)
		axis.Tick.Length = vg.Points(4)
		axis.Padding = 0
	}
	p.Legend.TextStyle.Font = sans(11)
	p.Legend.ThumbnailWidth = vg.Points(24)
	p.Legend.Padding = vg.Points(2)
	p.Legend.Top = !logarithmic // curves fall: where there is room
	p.Legend.Left = logarithmic
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(8), vg.Points(8)
	if !logarithmic {
		p.Legend.XOffs, p.Legend.YOffs = vg.Points(-8), vg.Points(-4)
	}

	curves, styles := make([]curve, len(rows)), make([]draw.LineStyle, len(rows))
	others := 0
	for i, r := range rows {
		curves[i] = curveOf(e, r)
		styles[i] = draw.LineStyle{Color: lineColors[0], Width: vg.Points(1.8)}
		if r.method.name != reference {
			n := len(lineColors) - 1
			styles[i].Color = lineColors[1+others%n]
			if others >= n {
				styles[i].Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
			}
			others++
		}
	}
	setRanges(p, curves, logarithmic)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = gridColor, gridColor
	p.Add(grid)
	clip := func(points plotter.XYs) plotter.XYs {
		clipped := make(plotter.XYs, len(points))
		for i, at := range points {
			clipped[i] = plotter.XY{X: at.X, Y: min(max(at.Y, p.Y.Min), p.Y.Max)}
		}
		return clipped
	}
	for i, c := range curves {
		if len(c.mean) == 0 {
			continue
		}
		shade := styles[i].Color.(color.NRGBA)
		shade.A = 0x30
		outline := clip(c.low)
		high := clip(c.high)
		for j := len(high) - 1; j >= 0; j-- {
			outline = append(outline, high[j])
		}
		band, err := plotter.NewPolygon(outline)
		if err != nil {
			return err
		}
		band.Color, band.LineStyle.Width = shade, 0
		p.Add(band)
	}
	for i, c := range curves {
		if len(c.mean) == 0 {
			continue
		}
		line, err := plotter.NewLine(clip(c.mean))
		if err != nil {
			return err
		}
		line.LineStyle = styles[i]
		p.Add(line)
		p.Legend.Add(rows[i].method.title, line)
	}
	return save(p, path)
}

// setRanges makes room for all curves. A linear axis leaves out the first trials,
// whose values would flatten the rest.
func setRanges(p *plot.Plot, curves []curve, logarithmic bool) {
	const early = 10
	end, low, high := 1.0, math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for i, at := range c.mean {
			end = math.Max(end, at.X)
			if logarithmic {
				low, high = math.Min(low, at.Y), math.Max(high, at.Y)
			} else {
				low = math.Min(low, c.low[i].Y)
				if at.X >= early || i == len(c.mean)-1 {
					high = math.Max(high, at.Y)
				}
			}
		}
	}
	var trials plot.ConstantTicks
	for n, step := 0.0, math.Max(1, math.Ceil(end/40))*10; n <= end; n += step {
		trials = append(trials, plot.Tick{Value: n, Label: strconv.FormatFloat(n, 'f', 0, 64)})
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, end, trials
	if !logarithmic {
		margin := 0.03 * (high - low)
		if margin <= 0 {
			margin = 1e-3
		}
		p.Y.Min, p.Y.Max = low-margin, high+margin
		return
	}
	first := math.Floor(math.Log10(math.Max(low, regretFloor)))
	last := math.Max(math.Log10(2*high), first+1)
	var ticks plot.ConstantTicks
	for exponent := first; exponent <= last; exponent++ {
		power := math.Pow(10, exponent)
		ticks = append(ticks, plot.Tick{Value: power, Label: strconv.FormatFloat(power, 'f', -1, 64)})
		for digit := 2.0; digit < 10; digit++ {
			ticks = append(ticks, plot.Tick{Value: digit * power})
		}
	}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, ticks
	p.Y.Min, p.Y.Max = math.Pow(10, first), math.Pow(10, last)
}

func sans(points vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: points}
}

// save draws the plot on white with a margin.
func save(p *plot.Plot, name string) error {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(plotWidth, plotHeight), vgimg.UseDPI(plotDPI))}
	p.Draw(draw.Crop(draw.New(canvas), vg.Points(6), vg.Points(-14), vg.Points(6), vg.Points(-8)))
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	if _, err := canvas.WriteTo(w); err != nil {
		return err
	}
	return errors.Join(w.Flush(), file.Close())
}
