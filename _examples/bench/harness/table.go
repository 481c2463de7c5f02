package harness

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"
)

// Column is one of a table with a row for each sample.
type Column struct {
	Title string
	Cell  func(s Sample) string
}

// Rows returns the table, its header first.
func Rows(samples []Sample, columns ...Column) [][]string {
	rows := make([][]string, 1+len(samples))
	for _, c := range columns {
		rows[0] = append(rows[0], c.Title)
		for i, s := range samples {
			rows[i+1] = append(rows[i+1], c.Cell(s))
		}
	}
	return rows
}

// Join returns tables of as many rows side by side.
func Join(tables ...[][]string) [][]string {
	joined := make([][]string, len(tables[0]))
	for _, t := range tables {
		for i, cells := range t {
			joined[i] = append(joined[i], cells...)
		}
	}
	return joined
}

// Title is the column of the samples' titles.
func Title(header string) Column {
	return Column{header, func(s Sample) string { return s.Title }}
}

// Count is the column of the numbers of runs.
func Count(header string) Column {
	return Column{header, func(s Sample) string { return strconv.Itoa(len(s.Runs)) }}
}

// Mean is the column of the means of a number of runs.
func Mean(header string, digits int, number func(*Run) float64) Column {
	return Column{header, func(s Sample) string { return MeanError(Each(s.Runs, number), digits) }}
}

// BestAt returns a column per mark, a number of trials: by how much the best
// value so far is above zero, which may be the optimum.
func BestAt(marks []int, zero float64, digits int) []Column {
	var columns []Column
	for _, n := range marks {
		columns = append(columns, Mean(fmt.Sprintf("n=%d", n), digits, func(r *Run) float64 { return r.Best(n) - zero }))
	}
	return columns
}

// LessThatOf returns a column per mark, a number of trials: the best value so far, less that
// of base, paired by problem and seed.
func LessThatOf(base Sample, marks []int, digits int) []Column {
	var columns []Column
	for _, n := range marks {
		columns = append(columns, Column{fmt.Sprintf("n=%d", n), func(s Sample) string {
			return MeanError(Differences(s.Runs, base.Runs, func(r *Run) float64 { return r.Best(n) }), digits)
		}})
	}
	return columns
}

// Seconds is the column of the mean time that the method took for a trial.
func Seconds(header string) Column {
	return Column{header, func(s Sample) string {
		var seconds, trials float64
		for _, r := range s.Runs {
			seconds += r.Seconds
			trials += float64(len(r.Values))
		}
		return fmt.Sprintf("%.2g", seconds/math.Max(1, trials))
	}}
}

// Marks returns those of the usual numbers of trials that come before the end,
// and the end.
func Marks(end int, usual ...int) []int {
	return append(slices.DeleteFunc(slices.Clone(usual), func(n int) bool { return n >= end }), end)
}

// Longest returns the number of trials of the longest run.
func Longest(samples []Sample) int {
	n := 0
	for _, s := range samples {
		for _, r := range s.Runs {
			n = max(n, len(r.Values))
		}
	}
	return n
}

// MeanError prints the mean of numbers and its standard error. Numbers that are
// not finite, those of runs that have none, are left out, and then the others are
// counted.
func MeanError(xs []float64, digits int) string {
	finite := slices.DeleteFunc(slices.Clone(xs), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
	switch {
	case len(xs) == 0:
		return ""
	case len(finite) == 0:
		return "none"
	}
	text := fmt.Sprintf("%.*f", digits, stat.Mean(finite, nil))
	if len(finite) > 1 {
		text += fmt.Sprintf(" ± %.*f", digits, StdErr(finite))
	}
	if len(finite) < len(xs) {
		text += fmt.Sprintf(" (%d of %d)", len(finite), len(xs))
	}
	return text
}

// StdErr returns the standard error of the mean.
func StdErr(xs []float64) float64 {
	return stat.StdErr(stat.StdDev(xs, nil), float64(len(xs)))
}

// Median returns the median of numbers, which may be +Inf.
func Median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	half := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[half-1] + sorted[half]) / 2
	}
	return sorted[half]
}

// Print prints a table with its columns below each other.
func Print(out io.Writer, rows [][]string) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
}

// Markdown returns a table for a document.
func Markdown(rows [][]string) string {
	var text strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&text, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(&text, "|%s\n", strings.Repeat("---|", len(row)))
		}
	}
	return text.String()
}
