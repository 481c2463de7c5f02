package chart

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

const (
	textHeight = 12 // lines of a chart without choices
	gutter     = 24 // at most, for the labels at the left
)

// dots are the bits of a Braille character, by row and column.
var dots = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// Symbol returns the character that stands for the entry on a terminal.
func (e Entry) Symbol() string {
	switch e.Shape {
	case "line":
		return "⠒"
	case "band":
		return "░"
	}
	return string(e.Style.symbol())
}

// symbol returns the character of points or boxes.
func (s Style) symbol() rune {
	switch s {
	case Model:
		return '┃'
	case Bad:
		return 'x'
	case Pruned:
		return '-'
	case Running:
		return 'o'
	case Pick:
		return '◆'
	case Share:
		return '█'
	case Joint, Heat:
		return '▒'
	}
	return '•'
}

// A grid is the characters of a plot: a layer of fillings, of Braille lines above, and of symbols on top.
type grid struct {
	chart         *Chart
	width, height int
	fill, symbols [][]rune
	lines         [][]rune
}

// Text returns the chart in so many characters a line, with its key.
func (c *Chart) Text(width int) string {
	yTicks := c.Y.Ticks(4)
	left := min(gutter, longestLabel(yTicks)) + 1
	g := &grid{chart: c, width: max(10, width-left-1), height: textHeight}
	if c.Y.Kind == Choices {
		g.height = len(c.Y.Choices)
	}
	for range g.height {
		blank := func() []rune { return []rune(strings.Repeat(" ", g.width)) }
		g.fill, g.symbols, g.lines = append(g.fill, blank()), append(g.symbols, blank()), append(g.lines, make([]rune, g.width))
	}
	for _, m := range c.Marks {
		g.mark(m)
	}

	labels := make([]string, g.height)
	for _, t := range yTicks {
		labels[g.row(t.At)] = shorten(Flat(t.Label), gutter)
	}
	var out strings.Builder
	if c.Y.Label != "" {
		out.WriteString(Flat(c.Y.Label) + "\n")
	}
	for row := range g.height {
		fmt.Fprintf(&out, "%s%s│%s\n", strings.Repeat(" ", left-utf8.RuneCountInString(labels[row])), labels[row],
			strings.TrimRight(g.line(row), " "))
	}
	fmt.Fprintf(&out, "%s└%s\n", strings.Repeat(" ", left), strings.Repeat("─", g.width))
	fmt.Fprintf(&out, "%s%s\n", strings.Repeat(" ", left+1), g.xLabels())
	if name := Flat(c.X.Label); name != "" {
		fmt.Fprintf(&out, "%*s\n", left+1+g.width, name)
	}
	return out.String()
}

// Cut returns the text, or so many letters of it.
func Cut(text string, letters int) string {
	if runes := []rune(text); len(runes) > letters {
		return string(runes[:max(0, letters-1)]) + "…"
	}
	return text
}

// shorten returns the text, or so many letters of its beginning and its end: names often begin alike.
func shorten(text string, letters int) string {
	runes := []rune(text)
	if len(runes) <= letters {
		return text
	}
	return string(runes[:letters/2]) + "…" + string(runes[len(runes)-(letters-1)/2:])
}

// longestLabel returns the number of letters of the longest label.
func longestLabel(ticks []Tick) (longest int) {
	for _, t := range ticks {
		longest = max(longest, utf8.RuneCountInString(Flat(t.Label)))
	}
	return longest
}

// Flat puts text on one line.
func Flat(text string) string { return strings.Join(strings.Fields(text), " ") }

func (g *grid) line(row int) string {
	line := make([]rune, g.width)
	for i := range line {
		line[i] = g.fill[row][i]
		if bits := g.lines[row][i]; bits != 0 {
			line[i] = 0x2800 + bits
		}
		if symbol := g.symbols[row][i]; symbol != ' ' {
			line[i] = symbol
		}
	}
	return string(line)
}

// xLabels returns the line below the plot, with those labels of ticks that do not run into each other.
func (g *grid) xLabels() string {
	line := []rune(strings.Repeat(" ", g.width))
	free := 0
	ticks := g.chart.X.Ticks(max(2, g.width/12))
	for _, t := range ticks {
		label := []rune(Flat(t.Label))
		if g.chart.X.Kind == Choices {
			label = []rune(shorten(string(label), max(2, g.width/len(ticks)-1)))
		}
		at := max(0, min(g.width-len(label), int(t.At*float64(g.width))-len(label)/2))
		if at >= free {
			copy(line[at:], label)
			free = at + len(label) + 1
		}
	}
	return strings.TrimRight(string(line), " ")
}

// row returns the line of a place on the y axis.
func (g *grid) row(at float64) int { return min(g.height-1, g.dotRow(at)/4) }

// dotRow returns that of Braille dots, of which a line has four.
func (g *grid) dotRow(at float64) int {
	if g.chart.Y.Kind != Choices {
		at = 1 - at
	}
	return min(4*g.height-1, int(at*float64(4*g.height)))
}

func (g *grid) dotColumn(at float64) int { return min(2*g.width-1, int(at*float64(2*g.width))) }

func (g *grid) mark(m Mark) {
	x, y := g.chart.X.At, g.chart.Y.At
	switch m := m.(type) {
	case Points:
		for i := range m.X {
			if m.placed(i) {
				g.symbols[g.row(y(m.Y[i]))][g.dotColumn(x(m.X[i]))/2] = m.Style.symbol()
			}
		}
	case Line:
		if m.Style == Whisker { // there are too many
			return
		}
		for _, run := range runs(m.X, m.Y) {
			for i := run[0]; i < run[1]; i++ {
				from := max(run[0], i-1)
				g.segment(x(m.X[from]), y(m.Y[from]), x(m.X[i]), y(m.Y[i]))
			}
		}
	case Band:
		for _, run := range runs(m.X, m.Low, m.High) {
			for i := run[0] + 1; i < run[1]; i++ {
				g.area(Box{X0: m.X[i-1], X1: m.X[i], Y0: m.Low[i], Y1: m.High[i]}, '░')
			}
		}
	case Boxes:
		for _, b := range m.Boxes {
			symbol := m.Style.symbol()
			if m.Style == Heat {
				symbol = []rune(" ░▒▓█")[min(4, int(5*b.Shade))]
			}
			g.area(b, symbol)
		}
	}
}

// segment draws a straight line between two places.
func (g *grid) segment(x0, y0, x1, y1 float64) {
	c0, r0, c1, r1 := g.dotColumn(x0), g.dotRow(y0), g.dotColumn(x1), g.dotRow(y1)
	steps := max(1, c1-c0, c0-c1, r1-r0, r0-r1)
	for i := range steps + 1 {
		t := float64(i) / float64(steps)
		c := c0 + int(math.Round(t*float64(c1-c0)))
		r := r0 + int(math.Round(t*float64(r1-r0)))
		g.lines[r/4][c/2] |= dots[r%4][c%2]
	}
}

// area fills the characters whose centres are in the box, and at least one.
func (g *grid) area(b Box, symbol rune) {
	x, y := g.chart.X.At, g.chart.Y.At
	c0, c1 := math.Min(x(b.X0), x(b.X1))*float64(g.width), math.Max(x(b.X0), x(b.X1))*float64(g.width)
	first, last := int(math.Ceil(c0-0.5)), int(math.Ceil(c1-0.5))-1
	if last < first {
		first = min(g.width-1, int(c0))
		last = first
	}
	r0, r1 := g.row(y(b.Y0)), g.row(y(b.Y1))
	for r := min(r0, r1); r <= max(r0, r1); r++ {
		for c := first; c <= min(last, g.width-1); c++ {
			g.fill[r][c] = symbol
		}
	}
}
