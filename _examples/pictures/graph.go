package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// shown is the number of eigenvectors in a row.
const shown = 4

// drawGraphs draws a path, which ordered values are, and a complete graph, which
// names are, each with the first eigenvectors of its Laplacian.
func drawGraphs() (*sheet, error) {
	s := newSheet(4.2 * vg.Inch)
	rows := []struct {
		graph  *graphs.Graph
		title  string
		labels []string
		places []vg.Point // of the vertices, in the unit square
	}{
		{graphs.Path(6), "batch size: a path", []string{"8", "16", "32", "64", "128", "256"}, line(6)},
		{graphs.Complete(4), "optimiser: a complete graph", []string{"sgd", "mom.", "rms.", "adam"}, ring(4)},
	}
	for i, r := range rows {
		drawVertices(s.tile(shown+1, len(rows), 0, i), r.graph, r.title, r.labels, r.places)
		values, vectors, err := spectrum(r.graph)
		if err != nil {
			return nil, err
		}
		for k := range shown {
			p := axes(fmt.Sprintf("λ%c = %.2f", '₁'+rune(k), math.Abs(values[k])), "", "")
			if k == 0 {
				p.Y.Label.Text = "eigenvector"
			}
			stems(p, mat.Col(nil, k, vectors), r.labels)
			p.Draw(s.tile(shown+1, len(rows), 1+k, i))
		}
	}
	return s, nil
}

// spectrum returns the eigenvalues of the Laplacian in ascending order, and its
// eigenvectors as columns, whose first entry that is not zero is positive.
func spectrum(g *graphs.Graph) ([]float64, *mat.Dense, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(g.Laplacian(), true) {
		return nil, nil, fmt.Errorf("no eigenvectors of a graph of %d vertices", g.Order())
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	n := g.Order()
	for k := range n {
		for i := range n {
			if first := vectors.At(i, k); math.Abs(first) > 1e-9 {
				for j := range n {
					vectors.Set(j, k, math.Copysign(1, first)*vectors.At(j, k))
				}
				break
			}
		}
	}
	return eigen.Values(nil), &vectors, nil
}

// stems draws an entry per vertex.
func stems(p *plot.Plot, entries []float64, labels []string) {
	p.Y.Min, p.Y.Max = -1, 1
	p.X.Min, p.X.Max = -0.5, float64(len(entries))-0.5
	p.Y.Tick.Marker = ticks(map[float64]string{-1: "-1", 0: "0", 1: "1"})
	marks := map[float64]string{}
	curve(p, plotter.XYs{{X: p.X.Min}, {X: p.X.Max}}, grey)
	for i, y := range entries {
		x := float64(i)
		marks[x] = labels[i]
		ink := blue
		switch {
		case math.Abs(y) < 1e-9:
			ink = grey
		case y < 0:
			ink = vermilion
		}
		curve(p, plotter.XYs{{X: x}, {X: x, Y: y}}, ink)
		dot(p, x, y, ink, 3.5)
	}
	p.X.Tick.Marker = ticks(marks)
	p.X.Tick.Label.Font = sans(8)
}

// drawVertices draws a graph.
func drawVertices(on draw.Canvas, g *graphs.Graph, title string, labels []string, places []vg.Point) {
	write(on, vg.Point{X: on.Center().X, Y: on.Max.Y - vg.Points(8)}, 11, black, title)
	inside := draw.Crop(on, vg.Points(16), vg.Points(-16), vg.Points(22), vg.Points(-36))
	place := func(i int) vg.Point { return at(inside, float64(places[i].X), float64(places[i].Y)) }
	edge := draw.LineStyle{Color: grey, Width: vg.Points(1.5)}
	for i := range g.Order() {
		for _, j := range g.Neighbors(i) {
			if i < j {
				on.StrokeLine2(edge, place(i).X, place(i).Y, place(j).X, place(j).Y)
			}
		}
	}
	for i, label := range labels {
		on.DrawGlyph(draw.GlyphStyle{Color: black, Shape: draw.CircleGlyph{}, Radius: vg.Points(16)}, place(i))
		on.DrawGlyph(draw.GlyphStyle{Color: light, Shape: draw.CircleGlyph{}, Radius: vg.Points(15)}, place(i))
		write(on, place(i), 9, black, label)
	}
}

// line returns places in zigzag from left to right.
func line(n int) []vg.Point {
	places := make([]vg.Point, n)
	for i := range places {
		places[i] = vg.Point{X: vg.Length(i) / vg.Length(n-1), Y: 0.1 + 0.8*vg.Length(i%2)}
	}
	return places
}

// ring returns places on a circle.
func ring(n int) []vg.Point {
	places := make([]vg.Point, n)
	for i := range places {
		angle := math.Pi/4 + 2*math.Pi*float64(i)/float64(n)
		places[i] = vg.Point{X: vg.Length(0.5 + 0.45*math.Cos(angle)), Y: vg.Length(0.5 + 0.5*math.Sin(angle))}
	}
	return places
}
