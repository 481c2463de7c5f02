package report

import (
	"strings"
	"unicode"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
)

// A document is what a report says, whatever it is written as.
type document struct {
	Title, Subtitle string
	Facts           []fact
	Sections        []section
}

// A fact is a number that stands out.
type fact struct{ Name, Value, Detail string }

type section struct {
	ID, Title string
	Text      []string // sentences
	Table     *table
	Tree      []*node
	Figures   []figure
}

type table struct {
	Head []string
	Rows [][]string
}

// A figure is a chart with what is written beside it. A wide one has a row of its own.
type figure struct {
	Title, Caption string
	Wide           bool
	Chart          *chart.Chart
	Worst, Better  string // the ends of the shades of a heat map, or nothing
}

// halfBar is half the height of a bar, of which the rows are 1 apart.
const halfBar = 0.3

// A node of a tree has a text, and what follows from it.
type node struct {
	Text     string
	Details  []string
	Children []*node
}

// sentence returns the text with a capital letter and a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	runes := []rune(text)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes) + "."
}

// printable replaces what is no letter, sign, space or end of a line, and tabs and the like by a space: names and attributes of
// a study may have control characters, which a terminal would obey, and such that change the direction of text.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || unicode.IsPrint(r) || unicode.In(r, unicode.Zs, unicode.Join_Control):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return unicode.ReplacementChar
	}, text)
}
