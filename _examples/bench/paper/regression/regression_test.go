package regression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// write puts a data set of 60 rows, the target a function of one numeric and one
// nominal input, into a directory.
func write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 0))
	var rows strings.Builder
	rows.WriteString("num_x,cat_kind,target_y\n")
	for range 60 {
		x, kind := 10+5*rng.Float64(), rng.IntN(3)
		fmt.Fprintf(&rows, "%v,%s,%v\n", x, []string{"u", "v", "w"}[kind], 7+math.Sin(x)*float64(kind+1))
	}
	permutation := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(rng.Perm(60)), "[]")), ",")
	splits := fmt.Sprintf(`{"n_train": 48, "permutations": {"0": [%s]}}`, permutation)
	for name, text := range map[string]string{"made.csv": rows.String(), "made.splits.json": splits} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSplit(t *testing.T) {
	data, err := Read(write(t), "made")
	if err != nil {
		t.Fatal(err)
	}
	s, err := data.Split(0)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.TrainX) != 48 || len(s.TestX) != 12 || len(s.Graphs) != 1 || s.Graphs[0].Order() != 3 {
		t.Fatalf("%d and %d rows, graphs %v", len(s.TrainX), len(s.TestX), s.Graphs)
	}
	x := make([]float64, 48)
	for i := range x {
		x[i] = s.TrainX[i].C[0]
	}
	for what, column := range map[string][]float64{"input": x, "target": s.TrainY} {
		if mean, sd := stat.PopMeanStdDev(column, nil); math.Abs(mean) > 1e-12 || math.Abs(sd-1) > 1e-12 {
			t.Errorf("the training %s has mean %v and standard deviation %v", what, mean, sd)
		}
	}
	// The test part is shifted and scaled alike, and rows stay together.
	xMean, xSD := stat.PopMeanStdDev(column(data, 0, 48), nil)
	for i := range s.TestX {
		raw := xMean + xSD*s.TestX[i].C[0]
		y := s.Mean + s.StdDev*s.TestY[i]
		if want := 7 + math.Sin(raw)*float64(s.TestX[i].V[0]+1); math.Abs(y-want) > 1e-9 {
			t.Errorf("test row %d: target %v, want %v", i, y, want)
		}
	}
	if _, err := data.Split(1); err == nil {
		t.Error("split 1 does not exist")
	}
}

// column returns input 0 of some rows of a split, in the file's units.
func column(d *Data, from, to int) []float64 {
	var xs []float64
	for _, row := range d.permutations["0"][from:to] {
		xs = append(xs, d.X[row].C[0])
	}
	return xs
}

// A smooth function without noise is predicted well, also with its uncertainty.
func TestEvaluate(t *testing.T) {
	data, err := Read(write(t), "made")
	if err != nil {
		t.Fatal(err)
	}
	s, err := data.Split(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, fit := range []Fit{ReferenceFit, DefaultFit} {
		score, err := Evaluate(fmkernel.NewModLap, fit, s, 0)
		if err != nil {
			t.Fatal(err)
		}
		if score.RMSE > 0.1 || score.NLLWithNoise > 0 {
			t.Errorf("%s: got %+v, want an RMSE below 0.1 and a negative NLL", fit, score)
		}
	}
}

// By hand: residuals 1 and 3, variances 1 and 4, noise variance 1.
func TestScore(t *testing.T) {
	got := score([]float64{1, 0}, []float64{1, 4}, 1, []float64{2, 3})
	l := math.Log(2 * math.Pi)
	want := []float64{math.Sqrt(5), (0.5 + 0.5*l + 9.0/8 + 0.5*math.Log(4) + 0.5*l) / 2, (0.25 + 0.5*math.Log(2) + 0.5*l + 0.9 + 0.5*math.Log(5) + 0.5*l) / 2}
	if !floats.EqualApprox([]float64{got.RMSE, got.NLL, got.NLLWithNoise}, want, 1e-12) {
		t.Errorf("got %+v, want %v", got, want)
	}
}

func TestReadRefuses(t *testing.T) {
	dir := write(t)
	for name, splits := range map[string]string{
		"a row twice":          `{"n_train": 48, "permutations": {"0": [1, 1]}}`,
		"too few rows":         `{"n_train": 1, "permutations": {"0": [0, 1]}}`,
		"all are for training": `{"n_train": 60, "permutations": {}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, "made.splits.json"), []byte(splits), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir, "made"); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
