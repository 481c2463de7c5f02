package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot/plotter"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// printTable prints a row for each case that fm was measured on.
func printTable(out io.Writer, results []*result) {
	rows := [][]string{{"space", "n", "first ms", "median ms", "mean ms", "cpu ms", "grown ms", "MB", "allocs", "peak MB"}}
	for _, r := range results {
		if r.Method != "fm" {
			continue
		}
		rows = append(rows, []string{
			r.Space, strconv.Itoa(r.N),
			milliseconds(r.First), milliseconds(r.median()), milliseconds(r.mean()), milliseconds(r.CPU), milliseconds(r.Grown),
			short(r.Bytes / 1e6), strconv.FormatFloat(r.Allocs, 'f', 0, 64), megabytes(r.PeakRSS),
		})
	}
	fmt.Fprintln(out)
	harness.Print(out, rows)
}

// printRatios prints what the peers take for a suggestion, and how many times
// as much as fm that is, by the clock and in processor time.
func printRatios(out io.Writer, others []*harness.Method, results []*result) {
	header := []string{"space", "n", "fm ms"}
	for _, p := range others {
		header = append(header, p.Name+" ms", "ratio", "cpu ratio", "peak MB")
	}
	rows := [][]string{header}
	for i, r := range results {
		if r.Method != "fm" {
			continue
		}
		row := []string{r.Space, strconv.Itoa(r.N), milliseconds(r.mean())}
		for _, other := range results[i+1:] { // those on the same case follow
			if other.Method == "fm" {
				break
			}
			row = append(row, milliseconds(other.mean()), short(other.mean()/r.mean()), short(other.CPU/r.CPU), megabytes(other.PeakRSS))
		}
		if len(row) == len(header) {
			rows = append(rows, row)
		}
	}
	fmt.Fprintf(out, "\nMean of the same suggestions by the peers, and the ratio to fm's:\n")
	fmt.Fprintln(out)
	harness.Print(out, rows)
}

// milliseconds prints seconds as milliseconds with three digits.
func milliseconds(seconds float64) string { return short(1000 * seconds) }

// short prints a positive number with three digits, or all before the point.
// What is not known is a dash.
func short(x float64) string {
	if !(x > 0) || math.IsInf(x, 1) {
		return "-"
	}
	decimals := 2 - int(math.Floor(math.Log10(x)))
	return strconv.FormatFloat(x, 'f', max(0, min(decimals, 3)), 64)
}

func megabytes(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return strconv.FormatFloat(float64(bytes)/1e6, 'f', 0, 64)
}

// csvRows returns one line per case and method. What was not measured is empty.
func csvRows(cfg config, results []*result) [][]string {
	number := func(x float64) string {
		if x == 0 {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	rows := [][]string{{"method", "space", "n", "procs", "seed", "first_s", "median_s", "mean_s", "cpu_s", "grown_s",
		"bytes_per_suggestion", "allocs_per_suggestion", "peak_rss_bytes"}}
	for i := range cfg.suggestions {
		rows[0] = append(rows[0], fmt.Sprintf("s_%d", i+1))
	}
	for _, r := range results {
		row := []string{
			r.Method, r.Space, strconv.Itoa(r.N), strconv.Itoa(cfg.procs), strconv.FormatInt(cfg.seed, 10),
			number(r.First), number(r.median()), number(r.mean()), number(r.CPU), number(r.Grown),
			number(r.Bytes), number(r.Allocs), number(float64(r.PeakRSS)),
		}
		for _, s := range r.Seconds {
			row = append(row, number(s))
		}
		rows = append(rows, row)
	}
	return rows
}

// guides are the slopes to compare with.
var guides = []struct {
	title    string
	exponent float64
}{{"O(n)", 1}, {"O(n²)", 2}, {"O(n³)", 3}}

// writePicture draws the mean seconds of fm against the number of trials, one
// line per space, and the guides from a point below the lines' beginnings.
func writePicture(cfg config, results []*result) error {
	picture := harness.Picture{
		Title: "goptuna-fm (ModLap)", XLabel: "finished trials n", YLabel: "time of one suggestion (lower is better)", LogX: true, LogY: true, Unit: duration,
	}
	for _, n := range cfg.sizes {
		picture.X = append(picture.X, float64(n))
	}
	lowest := math.Inf(1)
	for _, s := range cfg.spaces {
		line := harness.Line{Title: s.title(), Dots: true}
		for _, r := range results {
			if r.Method == "fm" && r.Space == s.Name {
				line.Points = append(line.Points, plotter.XY{X: float64(r.N), Y: r.mean()})
			}
		}
		lowest = math.Min(lowest, line.Points[0].Y)
		picture.Lines = append(picture.Lines, line)
	}
	first, last := picture.X[0], picture.X[len(picture.X)-1]
	for _, g := range guides {
		line := harness.Line{Title: g.title, Guide: true}
		const steps = 200
		for i := range steps + 1 {
			x := first * math.Pow(last/first, float64(i)/steps)
			line.Points = append(line.Points, plotter.XY{X: x, Y: lowest / 2 * math.Pow(x/first, g.exponent)})
		}
		picture.Lines = append(picture.Lines, line)
	}
	return picture.Save(cfg.pngFile)
}

// duration prints a power of ten of a second.
func duration(s float64) string {
	switch {
	case s < 0.9e-3:
		return fmt.Sprintf("%.3g µs", 1e6*s)
	case s < 0.9:
		return fmt.Sprintf("%.3g ms", 1e3*s)
	}
	return fmt.Sprintf("%.4g s", s)
}
