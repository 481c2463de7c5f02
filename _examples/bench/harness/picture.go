package harness

import (
	"bytes"
	"image/color"
	"math"
	"os"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Pictures are 1600 pixels wide, for 800 on a page, and rows of pictures 2000.
const (
	pictureWidth  = 8 * vg.Inch
	pictureHeight = 5 * vg.Inch
	rowWidth      = 10 * vg.Inch
	rowHeight     = 4.2 * vg.Inch
	pictureDPI    = 200
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

var (
	guideColor = color.NRGBA{0x80, 0x80, 0x80, 0xff}
	gridColor  = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}
)

// Line is a line of a picture.
type Line struct {
	Title     string
	Points    plotter.XYs
	Low, High plotter.XYs // a band around the points; nil for none
	Reference bool        // what others are compared with
	Dots      bool        // mark the points
	Guide     bool        // thin, with its title at its end; cut where the picture ends
}

// Picture is a plot of lines.
type Picture struct {
	Title, XLabel, YLabel string
	LogX                  bool
	X                     []float64 // where the horizontal axis is marked; nil means every tenth or so
	LogY                  bool
	Floor                 float64                // smallest value that a logarithmic axis shows; 0 for none
	Skip                  float64                // a linear axis makes no room for what is left of it
	Unit                  func(y float64) string // prints the powers of ten; nil prints the number
	NoLegend              bool                   // another picture of the row has it
	Lines                 []Line
}

// Band returns a line through the means of curves, with a standard error to both
// sides, from the first trial at which all are finite to the end of the shortest.
func Band(title string, curves [][]float64) Line {
	l := Line{Title: title}
	for n := 0; ; n++ {
		at := make([]float64, 0, len(curves))
		for _, c := range curves {
			if n >= len(c) {
				return l
			}
			at = append(at, c[n])
		}
		mean, sem := stat.Mean(at, nil), 0.0
		if len(at) > 1 {
			sem = StdErr(at)
		}
		if math.IsInf(mean, 0) || math.IsNaN(mean) {
			continue
		}
		x := float64(n + 1)
		l.Points = append(l.Points, plotter.XY{X: x, Y: mean})
		l.Low = append(l.Low, plotter.XY{X: x, Y: mean - sem})
		l.High = append(l.High, plotter.XY{X: x, Y: mean + sem})
	}
}

// Regret returns the line of a sample: by how much the best value so far is above
// zero, which may be the optimum.
func Regret(s Sample, zero float64) Line {
	var curves [][]float64
	for _, r := range s.Runs {
		curve := r.Curve()
		for i := range curve {
			curve[i] -= zero
		}
		curves = append(curves, curve)
	}
	return Band(s.Title, curves)
}

// Save draws the picture as a PNG file.
func (p *Picture) Save(path string) error {
	return save(path, pictureWidth, pictureHeight, p)
}

// SaveRow draws pictures side by side as a PNG file.
func SaveRow(path string, pictures ...*Picture) error {
	return save(path, rowWidth, rowHeight, pictures...)
}

// plot returns the picture as gonum has it.
func (p *Picture) plot() *plot.Plot {
	drawn := plot.New()
	p.style(drawn)
	p.setX(drawn)
	p.setY(drawn)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = gridColor, gridColor
	drawn.Add(grid)
	styles := p.lineStyles()
	for i, l := range p.Lines {
		if len(l.Low) > 0 {
			drawn.Add(band(drawn, l, styles[i].Color.(color.NRGBA)))
		}
	}
	for i, l := range p.Lines {
		if len(l.Points) > 0 {
			addLine(drawn, l, styles[i])
		}
	}
	if p.NoLegend {
		drawn.Legend = plot.NewLegend()
	}
	return drawn
}

// lineStyles gives each line its colour: black to the reference, and dashes where
// the colours are used up.
func (p *Picture) lineStyles() []draw.LineStyle {
	styles := make([]draw.LineStyle, len(p.Lines))
	others := 0
	for i, l := range p.Lines {
		styles[i] = draw.LineStyle{Color: lineColors[0], Width: vg.Points(1.8)}
		switch n := len(lineColors) - 1; {
		case l.Guide:
			styles[i] = draw.LineStyle{Color: guideColor, Width: vg.Points(1), Dashes: []vg.Length{vg.Points(5), vg.Points(4)}}
		case !l.Reference:
			styles[i].Color = lineColors[1+others%n]
			if others >= n {
				styles[i].Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
			}
			others++
		}
	}
	return styles
}

// band returns the area between the low and the high points of a line.
func band(to *plot.Plot, l Line, shade color.NRGBA) plot.Plotter {
	outline, high := clip(to, l.Low), clip(to, l.High)
	for j := len(high) - 1; j >= 0; j-- {
		outline = append(outline, high[j])
	}
	shade.A = 0x30
	return &plotter.Polygon{XYs: []plotter.XYs{outline}, Color: shade}
}

// addLine draws the points of a line, and the title of a guide beside its end.
func addLine(to *plot.Plot, l Line, style draw.LineStyle) {
	points := clip(to, l.Points)
	if l.Guide {
		points = slices.DeleteFunc(slices.Clone(l.Points), func(at plotter.XY) bool { return at.Y > to.Y.Max })
	}
	line := &plotter.Line{XYs: points, LineStyle: style}
	to.Add(line)
	switch {
	case l.Guide:
		label := text.Style{Color: guideColor, Font: sans(12), Handler: plot.DefaultTextHandler}
		to.Add(unboxed{&plotter.Labels{
			XYs: points[len(points)-1:], Labels: []string{l.Title}, TextStyle: []text.Style{label},
			Offset: vg.Point{X: vg.Points(6), Y: vg.Points(-10)},
		}})
	case l.Dots:
		dots := &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: style.Color, Shape: draw.CircleGlyph{}, Radius: vg.Points(3)}}
		to.Add(dots)
		to.Legend.Add(l.Title, line, dots)
	default:
		to.Legend.Add(l.Title, line)
	}
}

// unboxed hides how large a label is: the axes would make room for it.
type unboxed struct{ plot.Plotter }

// clip moves what is beyond the vertical axis to its ends.
func clip(to *plot.Plot, points plotter.XYs) plotter.XYs {
	clipped := make(plotter.XYs, len(points))
	for i, at := range points {
		clipped[i] = plotter.XY{X: at.X, Y: math.Min(math.Max(at.Y, to.Y.Min), to.Y.Max)}
	}
	return clipped
}

func sans(points vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: points}
}

// addYLabel draws the label of the vertical axis and returns how wide it is. gonum
// leaves room above a logarithmic axis for a label that is in its middle.
func (p *Picture) addYLabel(on draw.Canvas) vg.Length {
	if p.YLabel == "" {
		return 0
	}
	style := text.Style{
		Color: color.Black, Font: sans(12), Rotation: math.Pi / 2, XAlign: draw.XCenter, YAlign: draw.YTop, Handler: plot.DefaultTextHandler,
	}
	on.FillText(style, vg.Point{X: on.Min.X, Y: on.Center().Y}, p.YLabel)
	return style.FontExtents().Height + vg.Points(4)
}

// save draws the pictures side by side on white with margins.
func save(path string, width, height vg.Length, pictures ...*Picture) error {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(pictureDPI))}
	page := draw.Tiles{Cols: len(pictures), Rows: 1}
	for i, p := range pictures {
		at := draw.Crop(page.At(draw.New(canvas), i, 0), vg.Points(6), vg.Points(-14), vg.Points(6), vg.Points(-8))
		p.plot().Draw(draw.Crop(at, p.addYLabel(at), 0, 0, 0))
	}
	var png bytes.Buffer
	if _, err := canvas.WriteTo(&png); err != nil {
		return err
	}
	return os.WriteFile(path, png.Bytes(), 0o666)
}
