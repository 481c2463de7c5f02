package chart

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"
)

var nan = math.NaN()

const (
	// margin is the room at the right of the marks, in pixels.
	margin = 14
	// slantedWidth bounds the labels that are slanted, in pixels.
	slantedWidth = 84
	// lineHeight is the height of a row of choices, heatHeight the least of a heat map, and plotHeight that of charts without
	// choices, in pixels.
	lineHeight, heatHeight, plotHeight = 24, 130, 210
	// labelShare bounds the room of the labels of the y axis, as a share of the width, and tickWidth is about that of a tick of
	// the x axis, in pixels.
	labelShare, tickWidth = 0.38, 55
	// belowHeight is the room below the marks, in pixels. Slanted labels need slant of their length more, at an angle of 40°.
	belowHeight, slant = 40.0, 0.7
	// titled is the number of points of a chart up to which each may have a title: an element of its own.
	titled = 400
)

// A drawing is an SVG in the making. What is written into it is markup: text goes through escape.
type drawing struct {
	strings.Builder
	chart                    *Chart
	left, top, width, height float64 // of the area of the marks
}

func escape(text string) string { return html.EscapeString(text) }

// SVG returns the chart in that width, in pixels of its own: the page may stretch it.
func (c *Chart) SVG(width int) template.HTML {
	d := &drawing{chart: c, top: 6}
	if c.Y.Label != "" {
		d.top = 24
	}
	yTicks := c.Y.Ticks(5)
	d.left = math.Min(labelShare*float64(width), 10+widest(yTicks))
	d.width, d.height = float64(width)-d.left-margin, plotHeight
	if c.Y.Kind == Choices {
		d.height = lineHeight * float64(len(c.Y.Choices))
		if len(c.Marks) > 0 && c.Marks[0].key().Style == Heat {
			d.height = math.Max(heatHeight, d.height)
		}
	}
	xTicks, slanted := d.fitTicks()
	bottom := belowHeight
	if slanted {
		bottom += slant * math.Min(slantedWidth, widest(xTicks))
	}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" role="img" aria-label="%s">`,
		width, d.top+d.height+bottom, escape(c.Title))
	d.axes(xTicks, yTicks, slanted, bottom)
	for _, m := range c.Marks {
		d.mark(m)
	}
	d.WriteString("</svg>")
	return template.HTML(d.String())
}

// fitTicks returns the ticks of the x axis, and whether their labels need to be slanted.
func (d *drawing) fitTicks() (ticks []Tick, slanted bool) {
	ticks = d.chart.X.Ticks(max(2, int(d.width/tickWidth)))
	room := d.width / float64(max(1, len(ticks)))
	return ticks, d.chart.X.Kind == Choices && widest(ticks) > room-4
}

// widest returns the width of the longest label.
func widest(ticks []Tick) (width float64) {
	for _, t := range ticks {
		width = math.Max(width, textWidth(t.Label))
	}
	return width
}

// textWidth returns about the width of a label in a wide font, in pixels: the page's font is not known.
func textWidth(text string) (width float64) {
	for _, r := range text {
		width += letterWidth(r)
	}
	return width
}

func letterWidth(r rune) float64 {
	switch {
	case strings.ContainsRune("ijlft.,:;'|! ()[]", r):
		return 5
	case strings.ContainsRune("mwMWN@%", r):
		return 11.5
	case r > 0x2e80: // such as Chinese
		return 12.5
	case 'A' <= r && r <= 'Z':
		return 8.6
	}
	return 7.5
}

// fit returns the text, or as much of its beginning and its end as the width has room for: names often begin alike.
func fit(text string, width float64) string {
	if textWidth(text) <= width {
		return text
	}
	const ellipsis = 9.0
	runes := []rune(text)
	first, last, used := 0, len(runes), ellipsis
	for {
		at := first // in turn the letter after the beginning and that before the end
		if first > len(runes)-last {
			at = last - 1
		}
		if used += letterWidth(runes[at]); used > width {
			return string(runes[:first]) + "…" + string(runes[last:])
		}
		if at == first {
			first++
		} else {
			last--
		}
	}
}

// axes writes the grid, the labels of its lines and those of the axes; bottom is the room below the marks.
func (d *drawing) axes(xTicks, yTicks []Tick, slanted bool, bottom float64) {
	right, base := d.left+d.width, d.top+d.height
	d.WriteString(`<g class="grid">`)
	for _, t := range yTicks {
		y := d.yAt(t.At)
		if d.chart.Y.Kind != Choices {
			fmt.Fprintf(d, `<path d="M%.1f %.1fH%.1f"/>`, d.left, y, right)
		}
		d.label(d.left-7, y+4, "end", "", fit(t.Label, d.left-9), t.Label)
	}
	for _, t := range xTicks {
		x := d.left + t.At*d.width
		if d.chart.X.Kind != Choices {
			fmt.Fprintf(d, `<path d="M%.1f %.1fV%.1f"/>`, x, d.top, base)
		}
		switch {
		case slanted:
			d.label(x+4, base+14, "end", fmt.Sprintf(` transform="rotate(-40 %.1f %.1f)"`, x+4, base+14), fit(t.Label, slantedWidth), t.Label)
		default:
			half := textWidth(t.Label) / 2
			d.label(math.Max(half, math.Min(x, right+margin-half)), base+16, "middle", "", t.Label, t.Label)
		}
	}
	fmt.Fprintf(d, `<path class="axis" d="M%.1f %.1fH%.1f"/></g>`, d.left, base, right)
	if name := d.chart.Y.Label; name != "" {
		d.label(2, 13, "start", ` class="name"`, fit(name, right-2), name)
	}
	if name := d.chart.X.Label; name != "" {
		d.label(right, base+bottom-6, "end", ` class="name"`, fit(name, right), name)
	}
}

// label writes text that may be a part of what it should be, the whole of which is then its title.
func (d *drawing) label(x, y float64, anchor, attributes, text, whole string) {
	if text == whole {
		whole = ""
	}
	fmt.Fprintf(d, `<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s%s</text>`, x, y, anchor, attributes, escape(text), title(whole))
}

func (d *drawing) x(value float64) float64 { return d.left + d.chart.X.At(value)*d.width }
func (d *drawing) y(value float64) float64 { return d.yAt(d.chart.Y.At(value)) }

// yAt returns the height of a place on the y axis: choices are read from above.
func (d *drawing) yAt(at float64) float64 {
	if d.chart.Y.Kind == Choices {
		return d.top + at*d.height
	}
	return d.top + (1-at)*d.height
}

func (d *drawing) mark(m Mark) {
	switch m := m.(type) {
	case Points:
		d.points(m)
	case Line:
		fmt.Fprintf(d, `<path class="line %s" d="%s"/>`, m.Style, d.path(m.X, m.Y))
	case Band:
		for _, run := range runs(m.X, m.Low, m.High) {
			xs, outline := m.X[run[0]:run[1]], m.High[run[0]:run[1]]
			back := ""
			for i := run[1] - 1; i >= run[0]; i-- {
				back += fmt.Sprintf("L%.1f %.1f", d.x(m.X[i]), d.y(m.Low[i]))
			}
			fmt.Fprintf(d, `<path class="band %s" d="%s%sZ"/>`, m.Style, d.path(xs, outline), back)
		}
	case Boxes:
		d.boxes(m)
	}
}

// points draws each as an element with a title, or all as one path, if there are many.
func (d *drawing) points(m Points) {
	shape, class := shapes[m.Style], "dot"
	switch {
	case shape == "":
		shape, class = "h0", "dot round" // a line of no length, with round ends
	case m.Style == Bad:
		class = "dot cross"
	}
	if len(m.Titles) > 0 && d.chart.points() <= titled {
		for i := range m.X {
			if m.placed(i) {
				fmt.Fprintf(d, `<path class="%s %s" d="M%.1f %.1f%s">%s</path>`, class, m.Style, d.x(m.X[i]), d.y(m.Y[i]), shape, title(m.Titles[i]))
			}
		}
		return
	}
	fmt.Fprintf(d, `<path class="%s many %s" d="`, class, m.Style)
	for i := range m.X {
		if m.placed(i) {
			fmt.Fprintf(d, "M%.1f %.1f%s", d.x(m.X[i]), d.y(m.Y[i]), shape)
		}
	}
	d.WriteString(`"/>`)
}

// placed reports whether a point has a place.
func (m Points) placed(i int) bool { return !math.IsNaN(m.X[i]) && !math.IsNaN(m.Y[i]) }

// shapes are the paths of points that are not round, from their middle: they differ without colours, too.
var shapes = map[Style]string{
	Pick: "m0 -5.5l5.5 5.5 -5.5 5.5 -5.5 -5.5Z", Bad: "m-3 -3l6 6m0 -6l-6 6", Tried: "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
}

// points returns the number of points of all marks.
func (c *Chart) points() (n int) {
	for _, m := range c.Marks {
		if p, ok := m.(Points); ok {
			n += len(p.X)
		}
	}
	return n
}

// title returns the element with a title, if there is one.
func title(text string) string {
	if text == "" {
		return ""
	}
	return "<title>" + escape(text) + "</title>"
}

func (d *drawing) boxes(m Boxes) {
	for _, b := range m.Boxes {
		x0, x1, y0, y1 := d.x(b.X0), d.x(b.X1), d.y(b.Y0), d.y(b.Y1)
		width, height := math.Abs(x1-x0), math.Abs(y1-y0)
		fill := ""
		if m.Style == Heat {
			width, height = width+0.6, height+0.6 // no gaps where pixels are rounded
			fill = ` fill="` + shade(b.Shade) + `"`
		}
		fmt.Fprintf(d, `<rect class="%s"%s x="%.1f" y="%.1f" width="%.1f" height="%.1f">%s</rect>`, m.Style, fill,
			math.Min(x0, x1), math.Min(y0, y1), math.Max(0.8, width), height, title(b.Title))
	}
}

// path returns the commands that draw a line.
func (d *drawing) path(xs, ys []float64) string {
	var path strings.Builder
	for _, run := range runs(xs, ys) {
		for i := run[0]; i < run[1]; i++ {
			command := "L"
			if i == run[0] {
				command = "M"
			}
			fmt.Fprintf(&path, "%s%.1f %.1f", command, d.x(xs[i]), d.y(ys[i]))
		}
	}
	return path.String()
}

// runs returns the runs of indices where no column has NaN: of each run the first index, and the one after the last.
func runs(columns ...[]float64) (found [][2]int) {
	first := -1
	for i := range columns[0] {
		whole := true
		for _, column := range columns {
			whole = whole && !math.IsNaN(column[i])
		}
		switch {
		case whole && first < 0:
			first = i
		case !whole && first >= 0:
			found, first = append(found, [2]int{first, i}), -1
		}
	}
	if first >= 0 {
		found = append(found, [2]int{first, len(columns[0])})
	}
	return found
}

// viridis is a scale of colours that those who see fewer can tell apart, from dark to light (Smith and van der Walt, 2015).
var viridis = [][3]float64{{68, 1, 84}, {72, 40, 120}, {62, 74, 137}, {49, 104, 142}, {38, 130, 142}, {31, 158, 137}, {53, 183, 121},
	{110, 206, 88}, {181, 222, 43}, {253, 231, 37}}

// shade returns the colour at a place between 0, which is dark, and 1.
func shade(at float64) string {
	at = math.Min(1, math.Max(0, at)) * float64(len(viridis)-1)
	i := min(int(at), len(viridis)-2)
	var c [3]int
	for k := range c {
		c[k] = int(math.Round(viridis[i][k] + (at-float64(i))*(viridis[i+1][k]-viridis[i][k])))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}
