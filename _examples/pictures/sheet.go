package main

import (
	"bytes"
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// The colours are told apart without red and green (Okabe and Ito).
var (
	black     = color.NRGBA{0x00, 0x00, 0x00, 0xff}
	grey      = color.NRGBA{0x80, 0x80, 0x80, 0xff}
	light     = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}
	vermilion = color.NRGBA{0xd5, 0x5e, 0x00, 0xff}
	blue      = color.NRGBA{0x00, 0x72, 0xb2, 0xff}
	green     = color.NRGBA{0x00, 0x9e, 0x73, 0xff}
)

// sheet is a picture of 2,000 pixels in width, for 900 on a page, on white: it is
// read on a dark page, too.
type sheet struct {
	canvas vgimg.PngCanvas
	draw.Canvas
}

func newSheet(height vg.Length) *sheet {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(10*vg.Inch, height), vgimg.UseDPI(200))}
	s := &sheet{canvas, draw.New(canvas)}
	s.SetColor(color.White)
	s.Fill(s.Rectangle.Path())
	return s
}

func (s *sheet) save(path string) error {
	var png bytes.Buffer
	if _, err := s.canvas.WriteTo(&png); err != nil {
		return err
	}
	return os.WriteFile(path, png.Bytes(), 0o666)
}

// tile returns a place of a grid, with margins, counted from the upper left.
func (s *sheet) tile(cols, rows, col, row int) draw.Canvas {
	at := draw.Tiles{Cols: cols, Rows: rows}.At(s.Canvas, col, row)
	return draw.Crop(at, vg.Points(6), vg.Points(-10), vg.Points(6), vg.Points(-6))
}

// at returns a place of a canvas by its shares of width and height.
func at(on draw.Canvas, x, y float64) vg.Point {
	return vg.Point{
		X: on.Min.X + vg.Length(x)*(on.Max.X-on.Min.X),
		Y: on.Min.Y + vg.Length(y)*(on.Max.Y-on.Min.Y),
	}
}

func sans(points vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: points}
}

// write puts a line of text with its centre at a place.
func write(on draw.Canvas, at vg.Point, size vg.Length, ink color.Color, line string) {
	style := text.Style{Color: ink, Font: sans(size), XAlign: draw.XCenter, YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}
	on.FillText(style, at, line)
}

// axes returns an empty plot.
func axes(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font, p.Title.Padding = sans(12), vg.Points(6)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = sans(11)
		axis.Tick.Label.Font = sans(10)
		axis.Padding = 0
	}
	p.Legend.TextStyle.Font = sans(11)
	p.Legend.ThumbnailWidth, p.Legend.Padding = vg.Points(22), vg.Points(2)
	p.Legend.Top, p.Legend.YOffs = true, vg.Points(-2)
	return p
}

// curve adds a line to a plot.
func curve(p *plot.Plot, points plotter.XYs, ink color.Color, dashes ...vg.Length) *plotter.Line {
	line := &plotter.Line{XYs: points, LineStyle: draw.LineStyle{Color: ink, Width: vg.Points(1.8), Dashes: dashes}}
	p.Add(line)
	return line
}

// dot adds a point to a plot.
func dot(p *plot.Plot, x, y float64, ink color.Color, radius float64) {
	style := draw.GlyphStyle{Color: ink, Shape: draw.CircleGlyph{}, Radius: vg.Points(radius)}
	p.Add(&plotter.Scatter{XYs: plotter.XYs{{X: x, Y: y}}, GlyphStyle: style})
}

// sample returns a function at n+1 places of an interval.
func sample(low, high float64, n int, f func(x float64) float64) plotter.XYs {
	points := make(plotter.XYs, n+1)
	for i := range points {
		x := low + (high-low)*float64(i)/float64(n)
		points[i] = plotter.XY{X: x, Y: f(x)}
	}
	return points
}

// ticks marks a few numbers.
func ticks(labels map[float64]string) plot.ConstantTicks {
	var marks plot.ConstantTicks
	for value, label := range labels {
		marks = append(marks, plot.Tick{Value: value, Label: label})
	}
	return marks
}
