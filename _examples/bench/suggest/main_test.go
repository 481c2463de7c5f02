package main

import (
	"bytes"
	"encoding/csv"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The program starts itself again for each case, and a peer is a program, too:
// the test binary plays both parts.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "-measure":
		main()
	case len(os.Args) > 2 && os.Args[1] == "-fake-peer":
		if err := fakePeer(os.Args[2], os.Stdin, os.Stdout); err != nil {
			os.Stderr.WriteString("some noise\n" + err.Error() + "\n")
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	csvFile, pngFile, profiles := filepath.Join(dir, "cases.csv"), filepath.Join(dir, "seconds.png"), filepath.Join(dir, "profiles")
	cfg, err := parseFlags([]string{"-n", "20,12", "-suggestions", "2", "-csv", csvFile, "-png", pngFile, "-profile", profiles})
	if err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	if err := run(cfg, &out, &log); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(log.String(), "warning") {
		t.Errorf("the sampler warned:\n%s", &log)
	}
	for _, want := range []string{"GOMAXPROCS=1", "func3c  12", "service  20", "nas  20", "peak MB"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the output:\n%s", want, &out)
		}
	}
	checkCSV(t, csvFile)

	file, err := os.Open(pngFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 1600 || size.Y != 1000 {
		t.Errorf("the plot has %v pixels, want 1600×1000", size)
	}
	if _, err := os.Stat(filepath.Join(profiles, "nas-12.pprof")); err != nil {
		t.Error(err)
	}
}

// checkCSV checks a table of 3 spaces × 2 sizes × 2 suggestions.
func checkCSV(t *testing.T, name string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1+3*2 {
		t.Fatalf("the CSV file has %d rows, want a header and 6", len(rows))
	}
	for _, name := range []string{"first_s", "median_s", "mean_s", "grown_s", "bytes_per_suggestion", "allocs_per_suggestion", "s_1", "s_2"} {
		column := slices.Index(rows[0], name)
		if column < 0 {
			t.Errorf("no column %s in %v", name, rows[0])
			continue
		}
		for _, row := range rows[1:] {
			if row[column] == "" {
				t.Errorf("%s of %v is empty", name, row[:3])
			}
		}
	}
}

func TestParseFlags(t *testing.T) {
	for _, test := range []struct {
		n    string
		want []int
		why  string
	}{
		{"all", []int{20, 50, 100, 200, 500, 1000, 2000, 5000, 20000}, "every size"},
		{"200, 50,200", []int{50, 200}, "sorted, each once"},
	} {
		cfg, err := parseFlags([]string{"-n", test.n})
		if err != nil || !slices.Equal(cfg.sizes, test.want) {
			t.Errorf("-n %q: got %v, %v, want %v (%s)", test.n, cfg.sizes, err, test.want, test.why)
		}
	}
	for _, args := range []string{"-space hyper", "-n 9", "-n x", "-suggestions 0", "-procs 0", "stray"} {
		if _, err := parseFlags(strings.Fields(args)); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

func TestFailureInTheChildIsReported(t *testing.T) {
	_, err := measureInChild(benchCase{Space: "hyper", N: 20, Suggestions: 1}, 1)
	if err == nil || !strings.Contains(err.Error(), "hyper, n=20") {
		t.Errorf("got %v, want an error that names the case", err)
	}
	if err := measureAndPrint("{", io.Discard); err == nil {
		t.Error("half a case: no error")
	}
}

func TestMedianAndMean(t *testing.T) {
	for _, test := range []struct {
		seconds      []float64
		median, mean float64
	}{
		{[]float64{4, 1, 1}, 1, 2},
		{[]float64{8, 1, 3, 0}, 2, 3},
	} {
		r := result{Seconds: test.seconds}
		if r.median() != test.median || r.mean() != test.mean {
			t.Errorf("%v: got median %v and mean %v, want %v and %v", test.seconds, r.median(), r.mean(), test.median, test.mean)
		}
	}
}

func TestShort(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want string
	}{{0, "-"}, {0.0123, "0.012"}, {0.456, "0.456"}, {1.234, "1.23"}, {56.78, "56.8"}, {678.9, "679"}, {12345, "12345"}} {
		if got := short(test.x); got != test.want {
			t.Errorf("%v: got %q, want %q", test.x, got, test.want)
		}
	}
}
