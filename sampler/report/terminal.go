package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
)

// writeText writes the report for a terminal of that many columns.
func (d *document) writeText(out io.Writer, columns int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%s\n", chart.Flat(d.Title), strings.Repeat("═", min(columns, utf8.RuneCountInString(chart.Flat(d.Title)))),
		wrap(d.Subtitle, columns))
	for _, f := range d.Facts {
		f.write(&b, columns)
	}
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "\n%s\n%s\n", s.Title, strings.Repeat("─", utf8.RuneCountInString(s.Title)))
		for _, text := range s.Text {
			b.WriteString(wrap(text, columns) + "\n")
		}
		if s.Table != nil {
			b.WriteString("\n")
			s.Table.write(&b, columns)
		}
		for i, n := range s.Tree {
			n.write(&b, "", i == len(s.Tree)-1, columns)
		}
		for _, f := range s.Figures {
			f.write(&b, columns)
		}
	}
	_, err := io.WriteString(out, printable(b.String()))
	return err
}

// write writes the fact with its detail beside it, or below it where there is little room.
func (f fact) write(b *strings.Builder, columns int) {
	const width, room = 34, 20 // of the name with the value, and of the detail at least
	head, indent := fmt.Sprintf("  %-18s %-12s ", f.Name, f.Value), width
	if columns < width+room {
		head, indent = strings.TrimRight(head, " ")+"\n    ", 4
	}
	detail := strings.ReplaceAll(wrap(f.Detail, columns-indent), "\n", "\n"+strings.Repeat(" ", indent))
	b.WriteString(strings.TrimRight(head+detail, " \n") + "\n")
}

// wrap breaks text into lines of at most so many columns, where it has spaces, but not between a number and its per cent.
func wrap(text string, columns int) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.FieldsFunc(together(text), func(r rune) bool { return r != joint && unicode.IsSpace(r) }) {
		word = strings.ReplaceAll(word, string(joint), " ")
		n := utf8.RuneCountInString(word)
		switch {
		case at == 0:
		case at+1+n > columns:
			b.WriteString("\n")
			at = 0
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// write writes the table, its cells wrapped where lines would be too long.
func (t *table) write(b *strings.Builder, columns int) {
	const gap = 2 // before each column
	widths := make([]int, len(t.Head))
	rows := append([][]string{t.Head}, t.Rows...)
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(chart.Flat(cell)))
		}
	}
	all := gap * len(widths)
	for _, width := range widths {
		all += width
	}
	for ; all > columns; all-- { // the widest first: others need less
		widest := slices.Index(widths, slices.Max(widths))
		widths[widest]--
	}
	for _, row := range rows {
		cells, height := make([][]string, len(row)), 0
		for i, cell := range row {
			cells[i] = strings.Split(wrap(cell, widths[i]), "\n")
			height = max(height, len(cells[i]))
		}
		for k := range height {
			line := ""
			for i, width := range widths {
				part := ""
				if k < len(cells[i]) {
					part = chart.Cut(cells[i][k], width)
				}
				line += fmt.Sprintf("%*s%-*s", gap, "", width, part)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
}

// write writes the node and all below it, each behind the lines of the tree.
func (n *node) write(b *strings.Builder, before string, last bool, columns int) {
	fork, below := "├─ ", "│  "
	if last {
		fork, below = "└─ ", "   "
	}
	fmt.Fprintf(b, "%s%s%s\n", before, fork, chart.Flat(n.Text))
	for _, text := range n.Details {
		stem := "   "
		if len(n.Children) > 0 {
			stem = "│  "
		}
		for line := range strings.SplitSeq(wrap(text, max(20, columns-utf8.RuneCountInString(before)-6)), "\n") {
			fmt.Fprintf(b, "%s%s%s%s\n", before, below, stem, line)
		}
	}
	for i, child := range n.Children {
		child.write(b, before+below, i == len(n.Children)-1, columns)
	}
}

func (f figure) write(b *strings.Builder, columns int) {
	b.WriteString("\n")
	if f.Title != "" {
		b.WriteString(chart.Flat(f.Title) + "\n")
	}
	b.WriteString(f.Chart.Text(columns))
	var key []string
	for _, e := range f.Chart.Key() {
		if e.Style == chart.Whisker {
			continue
		}
		key = append(key, e.Symbol()+" "+e.Name)
	}
	if f.Better != "" {
		key = append(key, "blank "+f.Worst, "█ "+f.Better+", the best")
	}
	if len(key) > 0 {
		b.WriteString(wrap(strings.Join(key, "   "), columns) + "\n")
	}
	if f.Caption != "" {
		b.WriteString(wrap(f.Caption, columns) + "\n")
	}
}
