package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// drawTree draws a conditional objective, the trials that it makes as points of
// one space, and the graph of a parameter that may be absent.
func drawTree() (*sheet, error) {
	s := newSheet(3.4 * vg.Inch)
	drawBranches(s.tile(3, 1, 0, 0))
	drawPoints(s.tile(3, 1, 1, 0))
	return s, drawCone(s.tile(3, 1, 2, 0))
}

// box draws a line of text in a box.
func box(on draw.Canvas, centre vg.Point, width vg.Length, paper color.Color, line string) {
	half := vg.Point{X: width / 2, Y: vg.Points(11)}
	corners := []vg.Point{
		{X: centre.X - half.X, Y: centre.Y - half.Y}, {X: centre.X + half.X, Y: centre.Y - half.Y},
		{X: centre.X + half.X, Y: centre.Y + half.Y}, {X: centre.X - half.X, Y: centre.Y + half.Y},
	}
	on.FillPolygon(paper, corners)
	on.StrokeLines(draw.LineStyle{Color: black, Width: vg.Points(1)}, append(corners, corners[0]))
	write(on, centre, 11, black, line)
}

// drawBranches draws the tree of the objective.
func drawBranches(on draw.Canvas) {
	write(on, at(on, 0.5, 0.95), 12, black, "What the objective asks for")
	edge := draw.LineStyle{Color: grey, Width: vg.Points(1.5)}
	root := at(on, 0.5, 0.75)
	for _, branch := range []struct {
		choice  string
		x       float64
		ink     color.Color
		asksFor []string
	}{{"svm", 0.25, blue, []string{"C (float)", "gamma (float)"}}, {"forest", 0.75, vermilion, []string{"depth (int)"}}} {
		end := at(on, branch.x, 0.38)
		on.StrokeLine2(edge, root.X, root.Y, end.X, end.Y)
		write(on, at(on, 0.5+1.15*(branch.x-0.5), 0.58), 11, branch.ink, branch.choice)
		for i, name := range branch.asksFor {
			box(on, at(on, branch.x, 0.38-0.16*float64(i)), vg.Points(86), color.White, name)
		}
	}
	box(on, root, vg.Points(110), light, "model (choice)")
}

// drawPoints draws two trials as rows of one table.
func drawPoints(on draw.Canvas) {
	write(on, at(on, 0.5, 0.95), 12, black, "Two trials as points of one space")
	const rowHeight = 0.16
	for i, row := range [][]string{
		{"model", "C", "gamma", "depth"},
		{"svm", "10", "0.1", "absent"},
		{"forest", "absent", "absent", "3"},
	} {
		for j, cell := range row {
			ink := []color.Color{black, blue, vermilion}[i]
			if cell == "absent" {
				ink = grey
			}
			write(on, at(on, 0.125+0.25*float64(j), 0.72-rowHeight*float64(i)), 11, ink, cell)
		}
		left, right := at(on, 0, 0.72-rowHeight*(float64(i)+0.5)), at(on, 1, 0)
		on.StrokeLine2(draw.LineStyle{Color: light, Width: vg.Points(1)}, left.X, left.Y, right.X, left.Y)
	}
	for i, line := range []string{"absent on a dimension: the middle of its range", "absent on a graph: a vertex of its own"} {
		write(on, at(on, 0.5, 0.2-0.1*float64(i)), 10, black, line)
	}
}

// drawCone draws a path with an apex, the vertex of trials without the parameter.
func drawCone(on draw.Canvas) error {
	const depths = 5
	g, err := graphs.Path(depths).Cone()
	if err != nil {
		return err
	}
	places := append(line(depths), vg.Point{X: 0.5, Y: 1})
	labels := []string{}
	for i := range depths {
		places[i].Y = 0
		labels = append(labels, fmt.Sprint(i+1))
	}
	drawVertices(on, g, "The graph of depth, with an apex", append(labels, "absent"), places)
	return nil
}
