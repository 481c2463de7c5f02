package chart_test

import (
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
)

// svg is what a test reads of a chart.
type svg struct {
	Paths []struct {
		Class string `xml:"class,attr"`
		D     string `xml:"d,attr"`
		Title string `xml:"title"`
	} `xml:"path"`
	Boxes []struct {
		X     float64 `xml:"x,attr"`
		Width float64 `xml:"width,attr"`
	} `xml:"rect"`
}

func parse(t *testing.T, c *chart.Chart) svg {
	t.Helper()
	var s svg
	if err := xml.Unmarshal([]byte(c.SVG(300)), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Marks lie where the axes say; a NaN is a gap; text is text.
func TestSVG(t *testing.T) {
	nan := math.NaN()
	s := parse(t, &chart.Chart{
		Title: `"><script>`,
		X:     chart.Scale{Label: "<x>", High: 4}, Y: chart.Scale{Label: "&y", High: 10},
		Marks: []chart.Mark{
			chart.Points{Entry: chart.Entry{Style: chart.Trial}, X: []float64{0, 2, 4}, Y: []float64{0, 5, 10}, Titles: []string{"a", "<b>", "c"}},
			chart.Line{Entry: chart.Entry{Style: chart.Model}, X: []float64{0, 1, 2, 3, 4}, Y: []float64{1, 2, nan, 3, 4}},
			chart.Band{Entry: chart.Entry{Style: chart.Model}, X: []float64{0, 1, 2}, Low: []float64{1, 1, nan}, High: []float64{2, 2, nan}},
			chart.Boxes{Entry: chart.Entry{Style: chart.Share}, Boxes: []chart.Box{{X0: 1, X1: 3, Y0: 1, Y1: 2}}},
		},
	})
	type point struct {
		X, Y  float64
		Title string
	}
	var points []point
	for _, path := range s.Paths {
		if p := (point{Title: path.Title}); path.Class == "dot round trial" {
			if _, err := fmt.Sscanf(path.D, "M%f %fh0", &p.X, &p.Y); err != nil {
				t.Fatalf("a point is %s: %v", path.D, err)
			}
			points = append(points, p)
		}
	}
	if len(points) != 3 {
		t.Fatalf("%d points, want 3", len(points))
	}
	a, b, c := points[0], points[1], points[2]
	if a.X >= c.X || a.Y <= c.Y || math.Abs(a.X+c.X-2*b.X) > 0.2 || math.Abs(a.Y+c.Y-2*b.Y) > 0.2 {
		t.Errorf("points are at %v: the middle one is not in the middle, or larger values are not to the right and above", points)
	}
	if b.Title != "<b>" {
		t.Errorf("the title is %q", b.Title)
	}
	if box := s.Boxes[0]; math.Abs(box.X+box.Width/2-b.X) > 0.2 || math.Abs(box.Width-(c.X-a.X)/2) > 0.2 {
		t.Errorf("the box from 1 to 3 is at %v, points from 0 to 4 at %v", box, points)
	}
	for _, p := range s.Paths {
		switch p.Class {
		case "line model":
			if strings.Count(p.D, "M") != 2 || strings.Count(p.D, "L") != 2 {
				t.Errorf("a line with a gap is %s", p.D)
			}
		case "band model":
			if strings.Count(p.D, "L") != 3 {
				t.Errorf("a band between two points is %s", p.D)
			}
		}
	}
}

// Very many points take one element.
func TestManyPoints(t *testing.T) {
	c := &chart.Chart{X: chart.Scale{High: 5000}, Y: chart.Scale{High: 1}}
	points := chart.Points{Entry: chart.Entry{Style: chart.Trial}}
	for i := range 5000 {
		points.X, points.Y, points.Titles = append(points.X, float64(i)), append(points.Y, 0.5), append(points.Titles, "title")
	}
	c.Marks = []chart.Mark{points}
	if n := len(c.SVG(300)); n > 100_000 {
		t.Errorf("5000 points take %d bytes", n)
	}
}

// On a terminal, no line is too long, and marks are in their rows.
func TestText(t *testing.T) {
	c := &chart.Chart{
		X: chart.Scale{Label: "share", High: 100},
		Y: chart.Scale{Kind: chart.Choices, Choices: []string{"first", "a name that is much too long for this", "two\nlines"}},
		Marks: []chart.Mark{
			chart.Boxes{Entry: chart.Entry{Style: chart.Share}, Boxes: []chart.Box{{X1: 100, Y0: -0.3, Y1: 0.3}, {X1: 50, Y0: 0.7, Y1: 1.3}}},
			chart.Points{Entry: chart.Entry{Style: chart.Pick}, X: []float64{25}, Y: []float64{2}},
		},
	}
	text := c.Text(60)
	lines := strings.Split(text, "\n")
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > 60 {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
	full, half := strings.Count(lines[0], "█"), strings.Count(lines[1], "█")
	if full == 0 || 2*half < full-1 || 2*half > full+1 {
		t.Errorf("bars of 100 and 50 have %d and %d characters:\n%s", full, half, text)
	}
	if !strings.Contains(lines[2], "two lines│") || strings.Count(lines[2], "◆") != 1 {
		t.Errorf("the third row is %q", lines[2])
	}
}

// Whatever the values, nothing panics, and no coordinate is NaN.
func TestOddValues(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e308, -1e308, 5e-324}
	for _, kind := range []chart.Kind{chart.Linear, chart.Log, chart.Choices} {
		for _, low := range []float64{0, 1e-300, 1} {
			c := &chart.Chart{
				X: chart.Scale{Kind: kind, Low: max(low, 1e-300), High: 1e300, Choices: []string{"a"}},
				Y: chart.Scale{Kind: kind, Low: max(low, 1e-300), High: 1, Choices: []string{"a"}},
				Marks: []chart.Mark{
					chart.Line{X: odd, Y: odd}, chart.Points{X: odd, Y: odd}, chart.Points{X: odd, Y: odd, Titles: make([]string, len(odd))}, chart.Band{X: odd, Low: odd, High: odd},
				},
			}
			if s := string(c.SVG(300)); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
				t.Error(fmt.Sprint(kind, low, ": ", s))
			}
			c.Text(80)
		}
	}
}

// Names that begin alike, and do not fit, can be told apart.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a_long_name_", 9)
	for _, name := range []string{long, "短い名前ではありません" + long} {
		c := &chart.Chart{Y: chart.Scale{Kind: chart.Choices, Choices: []string{name + "first", name + "last"}}, X: chart.Scale{High: 1}}
		for what, drawn := range map[string]string{"page": string(c.SVG(360)), "text": c.Text(60)} {
			if !strings.Contains(drawn, "…") || !strings.Contains(drawn, "_first") || !strings.Contains(drawn, "_last") {
				t.Errorf("%s: %s", what, drawn)
			}
		}
		if labels := regexp.MustCompile(`>([^<]*…[^<]*)<`).FindAllStringSubmatch(string(c.SVG(360)), -1); len(labels) != 2 ||
			!strings.HasPrefix(labels[0][1], name[:3]) || !strings.HasSuffix(labels[0][1], "first") {
			t.Errorf("labels %q", labels)
		}
	}
}
