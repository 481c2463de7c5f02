package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
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
	printRows(out, rows)
}

// printRatios prints what the peers take for a suggestion, and how many times
// as much as fm that is, by the clock and in processor time.
func printRatios(out io.Writer, peers []*peer, results []*result) {
	header := []string{"space", "n", "fm ms"}
	for _, p := range peers {
		header = append(header, p.method+" ms", "ratio", "cpu ratio", "peak MB")
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
	printRows(out, rows)
}

func printRows(out io.Writer, rows [][]string) {
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t")+"\t")
	}
	w.Flush()
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

// writeCSV writes one line per case and method. What was not measured is
// empty.
func writeCSV(cfg config, results []*result) error {
	file, err := os.Create(cfg.csvFile)
	if err != nil {
		return err
	}
	defer file.Close()
	number := func(x float64) string {
		if x == 0 {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	header := []string{"method", "space", "n", "procs", "seed", "first_s", "median_s", "mean_s", "cpu_s", "grown_s",
		"bytes_per_suggestion", "allocs_per_suggestion", "peak_rss_bytes"}
	for i := range cfg.suggestions {
		header = append(header, fmt.Sprintf("s_%d", i+1))
	}
	w := csv.NewWriter(file)
	w.Write(header) // errors are kept for w.Error
	for _, r := range results {
		row := []string{
			r.Method, r.Space, strconv.Itoa(r.N), strconv.Itoa(cfg.procs), strconv.FormatInt(cfg.seed, 10),
			number(r.First), number(r.median()), number(r.mean()), number(r.CPU), number(r.Grown),
			number(r.Bytes), number(r.Allocs), number(float64(r.PeakRSS)),
		}
		for _, s := range r.Seconds {
			row = append(row, number(s))
		}
		w.Write(row)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return file.Close()
}
