package report

import (
	"fmt"
	"io"
	"strings"
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

// wrap breaks text into lines of at most so many columns, where it has spaces.
func wrap(text string, columns int) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(text) {
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

// write writes the table, its columns cut where lines would be too long, and the last one wrapped.
func (t *table) write(b *strings.Builder, columns int) {
	widths := make([]int, len(t.Head))
	rows := append([][]string{t.Head}, t.Rows...)
	const spare = 12 // that a column may have beyond its share: others need less
	most := (columns-2)/len(t.Head) + spare
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = min(most, max(widths[i], utf8.RuneCountInString(chart.Flat(cell))))
		}
	}
	last := len(t.Head) - 1
	for _, row := range rows {
		line := " "
		for i, cell := range row[:last] {
			line += fmt.Sprintf(" %-*s ", widths[i], chart.Cut(chart.Flat(cell), widths[i]))
		}
		for part := range strings.SplitSeq(wrap(row[last], widths[last]), "\n") {
			b.WriteString(strings.TrimRight(line+" "+chart.Cut(part, widths[last]), " ") + "\n")
			line = strings.Repeat(" ", utf8.RuneCountInString(line))
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
