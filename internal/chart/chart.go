package chart

// A Style is what a mark stands for: a class of the style sheet, and a character on a terminal.
type Style string

const (
	Trial   Style = "trial"   // an observed value
	Best    Style = "best"    // the best so far
	Model   Style = "model"   // what the model says
	Bad     Style = "bad"     // failed
	Pruned  Style = "pruned"  // stopped early
	Running Style = "running" // without an end yet
	Pick    Style = "pick"    // the recommended configuration
	Whisker Style = "whisker" // an interval, thin
	Rule    Style = "rule"    // a line to compare with
	Share   Style = "share"   // a bar
	Joint   Style = "joint"   // a bar that adds to another
	Heat    Style = "heat"    // a box with a shade
	Tried   Style = "tried"   // a trial on shades
)

// A Chart is marks on two axes.
type Chart struct {
	Title string // for those who hear the page
	X, Y  Scale
	Marks []Mark
}

// A Mark is drawn on a chart: Points, Line, Band or Boxes. All slices of a mark are of the same length.
type Mark interface{ key() Entry }

// An Entry is a line of the key.
type Entry struct {
	Style Style
	Name  string
	Shape string // dot, line, band or box: filled in by Key
}

// Points are dots, none where a coordinate is NaN; titles, if there are any, are shown where the pointer is.
type Points struct {
	Entry
	X, Y   []float64
	Titles []string
}

// A Line goes from point to point, and has a gap where one is NaN.
type Line struct {
	Entry
	X, Y []float64
}

// A Band is the area between two lines, with a gap at NaN.
type Band struct {
	Entry
	X, Low, High []float64
}

// Boxes are rectangles.
type Boxes struct {
	Entry
	Boxes []Box
}

// A Box has two corners, in units of the axes, and, of Style Heat, a shade between 0 and 1.
type Box struct {
	X0, X1, Y0, Y1 float64
	Shade          float64
	Title          string
}

// Add adds a point.
func (m *Points) Add(x, y float64, title string) {
	m.X, m.Y, m.Titles = append(m.X, x), append(m.Y, y), append(m.Titles, title)
}

// Add makes the line go on to a point.
func (m *Line) Add(x, y float64) { m.X, m.Y = append(m.X, x), append(m.Y, y) }

func (m Points) key() Entry { return Entry{m.Style, m.Name, "dot"} }
func (m Line) key() Entry   { return Entry{m.Style, m.Name, "line"} }
func (m Band) key() Entry   { return Entry{m.Style, m.Name, "band"} }
func (m Boxes) key() Entry  { return Entry{m.Style, m.Name, "box"} }

// Key returns what the marks with a name stand for.
func (c *Chart) Key() []Entry {
	var entries []Entry
	for _, m := range c.Marks {
		if e := m.key(); e.Name != "" {
			entries = append(entries, e)
		}
	}
	return entries
}

// Whiskers returns a line that joins lo and hi at each place, across when the places are on the y axis.
func Whiskers(e Entry, at, lo, hi []float64, across bool) Line {
	l := Line{Entry: e}
	for i := range at {
		x, y := []float64{at[i], at[i], nan}, []float64{lo[i], hi[i], nan}
		if across {
			x, y = y, x
		}
		l.X, l.Y = append(l.X, x...), append(l.Y, y...)
	}
	return l
}
