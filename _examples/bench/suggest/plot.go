package main

import (
	"bufio"
	"fmt"
	"image/color"
	"math"
	"os"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// The picture is 1600 pixels wide, for 800 on a page.
const (
	plotWidth  = 8 * vg.Inch
	plotHeight = 5 * vg.Inch
	plotDPI    = 200
)

// Colours that are told apart without red and green (Okabe and Ito).
var (
	lineColors = []color.Color{
		color.NRGBA{0x00, 0x72, 0xb2, 0xff}, // blue
		color.NRGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		color.NRGBA{0x00, 0x9e, 0x73, 0xff}, // green
	}
	guideColor = color.NRGBA{0x80, 0x80, 0x80, 0xff}
	gridColor  = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}
)

// guides are the slopes to compare with. A label stands to the right of its
// line, at a share of the line's length where there is room.
var guides = []struct {
	label    string
	exponent float64
	along    float64
}{{"O(n)", 1, 0.6}, {"O(n²)", 2, 0.93}, {"O(n³)", 3, 0.93}}

// writePlot draws the mean seconds of fm against the number of trials, one
// line per space, as a PNG file.
func writePlot(cfg config, results []*result) error {
	p := newPlot()
	p.Title.Text = "Time of one suggestion"
	seconds := (*result).mean
	if cfg.plotCPU {
		p.Title.Text = "Processor time of one suggestion"
		seconds = func(r *result) float64 { return r.CPU }
	}
	lines := linesOf(cfg.spaces, results, seconds)
	setRanges(p, lines)
	if err := addGuides(p, lines); err != nil {
		return err
	}
	for i, l := range lines {
		line, points, err := plotter.NewLinePoints(l.points)
		if err != nil {
			return err
		}
		line.Color = lineColors[i%len(lineColors)]
		line.Width = vg.Points(2)
		points.Color, points.Shape, points.Radius = line.Color, draw.CircleGlyph{}, vg.Points(3)
		p.Add(line, points)
		p.Legend.Add(l.title, line, points)
	}
	return save(p, cfg.pngFile)
}

// newPlot returns a plot with its styles and nothing in it. The labels of its
// vertical axis say what it is; a title beside it would leave a gap above a
// logarithmic one.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.TextStyle.Font = sans(14)
	p.Title.Padding = vg.Points(8)
	p.X.Label.Text = "finished trials n"
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Scale = plot.LogScale{}
		axis.Label.TextStyle.Font = sans(12)
		axis.Label.Padding = vg.Points(4)
		axis.Tick.Label.Font = sans(11)
		axis.Tick.Length = vg.Points(4)
		axis.Padding = 0
	}
	// At the bottom right, where suggestions would be cheaper than O(n).
	p.Legend.TextStyle.Font = sans(12)
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(-10), vg.Points(14)
	p.Legend.ThumbnailWidth = vg.Points(28)
	p.Legend.Padding = vg.Points(3)
	return p
}

func sans(points vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: points}
}

// spaceLine is the line of a space: x is the number of trials, y seconds.
type spaceLine struct {
	space, title string
	points       plotter.XYs
}

func linesOf(spaces []*space, results []*result, seconds func(*result) float64) []*spaceLine {
	var lines []*spaceLine
	for _, s := range spaces {
		lines = append(lines, &spaceLine{space: s.name, title: s.title()})
	}
	for _, r := range results {
		if r.Method != "fm" {
			continue
		}
		i := slices.IndexFunc(lines, func(l *spaceLine) bool { return l.space == r.Space })
		lines[i].points = append(lines[i].points, plotter.XY{X: float64(r.N), Y: seconds(r)})
	}
	return lines
}

// setRanges makes room for all lines, and marks the numbers of trials and the
// powers of ten of a second.
func setRanges(p *plot.Plot, lines []*spaceLine) {
	xMin, xMax, yMin, yMax := math.Inf(1), 0.0, math.Inf(1), 0.0
	var xTicks, yTicks plot.ConstantTicks
	for _, l := range lines {
		for _, at := range l.points {
			xMin, xMax = math.Min(xMin, at.X), math.Max(xMax, at.X)
			yMin, yMax = math.Min(yMin, at.Y), math.Max(yMax, at.Y)
			tick := plot.Tick{Value: at.X, Label: strconv.Itoa(int(at.X))}
			if !slices.Contains(xTicks, tick) {
				xTicks = append(xTicks, tick)
			}
		}
	}
	// A line that is flat or short still gets two decades.
	first, last := math.Floor(math.Log10(yMin)), math.Ceil(math.Log10(1.5*yMax))
	last = math.Max(last, first+2)
	for e := first; e <= last; e++ {
		power := math.Pow(10, e)
		yTicks = append(yTicks, plot.Tick{Value: power, Label: duration(power)})
		for digit := 2.0; digit < 10 && e < last; digit++ {
			yTicks = append(yTicks, plot.Tick{Value: digit * power})
		}
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = xMin/1.25, xMax*1.25, xTicks
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = math.Pow(10, first), math.Pow(10, last), yTicks

	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = gridColor, gridColor
	p.Add(grid)
}

// duration prints a power of ten of a second.
func duration(s float64) string {
	switch {
	case s < 0.9e-3:
		return fmt.Sprintf("%.3g µs", 1e6*s)
	case s < 0.9:
		return fmt.Sprintf("%.3g ms", 1e3*s)
	}
	return fmt.Sprintf("%.4g s", s)
}

// addGuides draws a dashed line per slope, all from one point below the lines'
// beginnings to the edge of the picture.
func addGuides(p *plot.Plot, lines []*spaceLine) error {
	start := plotter.XY{X: lines[0].points[0].X, Y: math.Inf(1)}
	for _, l := range lines {
		start.Y = math.Min(start.Y, l.points[0].Y)
	}
	start.Y = math.Max(start.Y/2, p.Y.Min)
	for _, g := range guides {
		end := plotter.XY{X: p.X.Max, Y: start.Y * math.Pow(p.X.Max/start.X, g.exponent)}
		if end.Y > p.Y.Max {
			end = plotter.XY{X: start.X * math.Pow(p.Y.Max/start.Y, 1/g.exponent), Y: p.Y.Max}
		}
		line, err := plotter.NewLine(plotter.XYs{start, end})
		if err != nil {
			return err
		}
		line.Color, line.Width = guideColor, vg.Points(1)
		line.Dashes = []vg.Length{vg.Points(5), vg.Points(4)}

		at := plotter.XY{
			X: start.X * math.Pow(end.X/start.X, g.along),
			Y: start.Y * math.Pow(end.Y/start.Y, g.along),
		}
		label, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{at}, Labels: []string{g.label}})
		if err != nil {
			return err
		}
		label.Offset = vg.Point{X: vg.Points(5), Y: vg.Points(-10)}
		label.TextStyle[0].Color, label.TextStyle[0].Font = guideColor, sans(12)
		p.Add(line, unboxed{label})
	}
	return nil
}

// unboxed hides how large a label is: the axes would make room for it.
type unboxed struct{ plot.Plotter }

// save draws the plot on white with a margin.
func save(p *plot.Plot, name string) error {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(plotWidth, plotHeight), vgimg.UseDPI(plotDPI))}
	all := draw.New(canvas)
	p.Draw(draw.Crop(all, vg.Points(6), vg.Points(-10), vg.Points(6), vg.Points(-8)))
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	if _, err := canvas.WriteTo(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return file.Close()
}
