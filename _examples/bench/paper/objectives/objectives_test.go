package objectives_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge/bridgetest"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/objectives"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// options returns options with made-up data. The test is skipped where there is
// no Python; PYTHON names an interpreter.
func options(t *testing.T) objectives.Options {
	t.Helper()
	python := bridgetest.Python()
	if _, err := exec.LookPath(python); err != nil {
		t.Skipf("there is no %s", python)
	}
	return objectives.Options{Python: python, Data: testData(t), Stderr: testLog{t}}
}

type testLog struct{ t *testing.T }

func (l testLog) Write(text []byte) (int, error) {
	l.t.Logf("%s", bytes.TrimSpace(text))
	return len(text), nil
}

// opened returns the problem, or skips the test if a Python package is missing.
func opened(t *testing.T, p *harness.Problem, closer io.Closer, err error) *harness.Problem {
	t.Helper()
	bridgetest.SkipMissing(t, err)
	t.Cleanup(func() {
		if err := closer.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// testData writes small files of the right form: a linear relation instead of
// Boston housing, and squares whose place tells the class instead of clothes.
func testData(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 1))

	table := "CRIM,ZN,INDUS,CHAS,NOX,RM,AGE,DIS,RAD,TAX,PTRATIO,B,LSTAT,MEDV\n"
	for range 60 {
		sum := 0.0
		for column := range 13 {
			x := rng.NormFloat64()
			sum += x * float64(column)
			table += fmt.Sprintf("%.4f,", x)
		}
		table += fmt.Sprintf("%.4f\n", sum)
	}
	write(t, filepath.Join(dir, "boston", "boston.csv"), []byte(table))

	const side = 28
	for part, count := range map[string]int{"train": 300, "t10k": 50} {
		images, labels := make([]byte, count*side*side), make([]byte, count)
		for i := range count {
			label := i % 10
			labels[i] = byte(label)
			for row := range 4 {
				for column := range 4 {
					at := (label/4*7+row+rng.IntN(3))*side + label%4*6 + column + rng.IntN(3)
					images[i*side*side+at] = byte(100 + rng.IntN(156))
				}
			}
		}
		name := filepath.Join(dir, "images", "full", part)
		writeIDX(t, name+"-images-idx3-ubyte.gz", images, count, side, side)
		writeIDX(t, name+"-labels-idx1-ubyte.gz", labels, count)
	}
	return dir
}

func writeIDX(t *testing.T, name string, data []byte, shape ...int) {
	t.Helper()
	raw := []byte{0, 0, 8, byte(len(shape))}
	for _, n := range shape {
		raw = binary.BigEndian.AppendUint32(raw, uint32(n))
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Write(append(raw, data...))
	w.Close()
	write(t, name, zipped.Bytes())
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// evaluate returns the value at the point with the levels and, for continuous
// parameters, the values given by name; of the others, the first.
func evaluate(t *testing.T, p *harness.Problem, change map[string]any) float64 {
	t.Helper()
	continuous, discrete := p.Space.Dims()
	c := make([]float64, continuous)
	i := 0
	for _, q := range p.Space {
		if q.Kind == problems.Continuous {
			c[i] = (q.Low + q.High) / 2
			i++
		}
	}
	values := p.Space.Values(c, make([]int, discrete))
	for name, value := range change {
		if _, ok := values[name]; !ok {
			t.Fatalf("%s has no parameter %s", p.Name, name)
		}
		values[name] = value
	}
	c, v, err := p.Space.Point(values)
	if err != nil {
		t.Fatal(err)
	}
	study, err := goptuna.CreateStudy("", goptuna.StudyOptionSampler(fixed(p.Space.Values(c, v))), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := study.Optimize(goptuna.FuncObjective(p.Objective), 1); err != nil {
		t.Fatal(err)
	}
	y, err := study.GetBestValue()
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// fixed is a sampler that knows one point.
type fixed map[string]any

func (f fixed) Sample(_ *goptuna.Study, _ goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	switch value := f[name].(type) {
	case int:
		return float64(value), nil
	case string:
		return float64(slices.Index(distribution.(goptuna.CategoricalDistribution).Choices, value)), nil
	default:
		return value.(float64), nil
	}
}

// checkChoices evaluates every value of every discrete parameter once.
func checkChoices(t *testing.T, p *harness.Problem) {
	t.Helper()
	for i, q := range p.Space {
		for level := range q.Levels {
			value := any(level + int(q.Low))
			if q.Kind == problems.Nominal {
				value = p.Space[i].Choices[level]
			}
			evaluate(t, p, map[string]any{q.Name: value})
		}
	}
}

func TestSVM(t *testing.T) {
	o := options(t)
	p, closer, err := objectives.SVM(t.Context(), o)
	p = opened(t, p, closer, err)
	checkChoices(t, p)
	linear := evaluate(t, p, map[string]any{"kernel": "linear", "log10_C": 1.0, "log10_nu": -0.3, "log10_tol": -3.0})
	weak := evaluate(t, p, map[string]any{"kernel": "linear", "log10_C": -4.0, "log10_nu": -0.3, "log10_tol": -3.0})
	if !(linear < 1 && weak > 10) {
		t.Errorf("errors on a linear relation of standard deviation 25: %v by a linear kernel, want nearly 0; %v held back by C = 1e-4, want much", linear, weak)
	}
	if evaluate(t, p, map[string]any{"log10_nu": 0.0}) <= 0 {
		t.Error("nu = 1, the end of its range, has no error")
	}
}

// The rows of each split are those of the authors: the beginning of the
// shuffles, by NumPy's generator of 2006.
func TestSVMSplits(t *testing.T) {
	o := options(t)
	const print = `
import json, sys
sys.path[:0] = [".", "../../bridge"]
import svm
print(json.dumps([[len(svm.split(506, k)[0])] + svm.split(506, k)[0][:4].tolist() for k in range(5)]))
`
	out, err := exec.Command(o.Python, "-c", print).Output()
	if err != nil {
		t.Skip("NumPy is missing, or worse: ", err)
	}
	var got [][]int
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	want := [][]int{{354, 329, 371, 219, 403}, {354, 307, 343, 47, 67}, {354, 8, 289, 68, 211}, {354, 464, 419, 277, 491}, {354, 159, 439, 399, 273}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("number and first rows to train on: got %v, want %v", got, want)
	}
}

func TestXGBoost(t *testing.T) {
	s := objectives.XGBoostSettings{Images: 350, Side: 14, Rounds: 5}
	p, closer, err := objectives.XGBoost(t.Context(), options(t), s)
	p = opened(t, p, closer, err)
	checkChoices(t, p)
	good := evaluate(t, p, map[string]any{"log10_eta": -0.5, "log10_gamma": -4.0, "log10_subsample": 0.0, "max_depth": 4})
	poor := evaluate(t, p, map[string]any{"log10_eta": -0.5, "log10_gamma": -4.0, "log10_subsample": -3.0, "max_depth": 1})
	if !(good < 0.3 && poor > 0.5 && poor <= 1) {
		t.Errorf("errors: %v by trees of depth 4, want little; %v by stumps on no images, want much", good, poor)
	}
}

var tinyNAS = objectives.NASSettings{
	Side: 14, Train: 120, Valid: 100, Channels: []int{4, 8}, Epochs: 1, Batch: 30, Repeats: 1,
}

func TestNAS(t *testing.T) {
	s := tinyNAS
	p, closer, err := objectives.NAS(t.Context(), options(t), s)
	p = opened(t, p, closer, err)
	checkChoices(t, p)

	light := map[string]any{"momentum": 1.0} // the end of its range, at which training fails
	for k := 1; k <= 4; k++ {
		light[fmt.Sprintf("op%da", k)], light[fmt.Sprintf("op%db", k)] = "id", "id"
	}
	if y := evaluate(t, p, light); !(y > 0 && y <= 1.02) {
		t.Errorf("objective %v with momentum 1, want an error as any other", y)
	}
	if first, second := evaluate(t, p, nil), evaluate(t, p, nil); first != second {
		t.Errorf("two evaluations of one point: %v and %v", first, second)
	}
}

// With more epochs, repeats and augmentation, the squares are learned.
func TestNASLearns(t *testing.T) {
	s := tinyNAS
	s.Side, s.Epochs, s.Repeats, s.Augment = 28, 5, 2, true
	p, closer, err := objectives.NAS(t.Context(), options(t), s)
	p = opened(t, p, closer, err)
	y := evaluate(t, p, map[string]any{"op1a": "conv3x3", "op4b": "sep5x5", "op2a": "max3x3"})
	if !(y < 0.5) {
		t.Errorf("objective %v, want less than half of the answers wrong, of 90%% at random", y)
	}
}

// The FLOPs of the largest network are counted by hand, and of two
// architectures that differ in what no output depends on they are the same.
func TestNASFlops(t *testing.T) {
	o := options(t)
	const print = `
import sys
sys.path[:0] = [".", "../../bridge"]
import nas
setup = {"side": 4, "channels": [4, 8]}
print(nas.flops(nas.Architecture.largest(), setup))
values = {"op%d%s" % (k, s): "conv1x1" for k in range(1, 5) for s in "ab"}
values.update(inputs2="-1,0", inputs3="-1,0", inputs4="0,2", output="2,4")
a = nas.flops(nas.Architecture(values), setup)
values.update(op1a="conv5x5", op3b="conv5x5")
print(nas.flops(nas.Architecture(values), setup) - a)
values.update(op2a="conv5x5")
print(nas.flops(nas.Architecture(values), setup) - a)
values = {"log_learning_rate": 0.0, "reduction_factor": 0.5, "reduction_point1": 0.2, "reduction_point2": 0.5}
print([nas.learning_rate(values, i / 10) for i in (0, 1, 2, 5, 7, 9)])
`
	cmd := exec.Command(o.Python, "-c", print)
	cmd.Stderr = o.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	// Blocks of 4x4 and 3x3 pixels. Per state: two convolutions of (2·25·c + 3)·c
	// per pixel, and c for their sum; before, a 1x1 convolution of each input.
	const (
		stem   = 2 * 9 * 16 * 16
		block1 = 16 * (2*2*16*4 + 4*(2*(50*4+3)*4+4))
		block2 = 9 * (2*2*4*8 + 4*(2*(50*8+3)*8+8))
		last   = 2*2*8*8 + 2*8*10
		change = 16*4*(50-2)*4 + 9*8*(50-2)*8 // conv1x1 to conv5x5
	)
	want := fmt.Sprintf("%d\n0\n%d\n[1.0, 1.0, 0.5, 0.5, 0.25, 0.25]\n", stem+block1+block2+last, change)
	if string(out) != want {
		t.Errorf("got %s, want %s", out, want)
	}
}

func TestMissingData(t *testing.T) {
	for name, open := range all() {
		o := objectives.Options{Data: filepath.Join(t.TempDir(), "nowhere")}
		_, _, err := open(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), "nowhere") || !strings.Contains(err.Error(), name+" needs ") {
			t.Errorf("%s: got %v, want which file is missing where", name, err)
		}
	}
}

func TestMissingPython(t *testing.T) {
	for name, open := range all() {
		_, _, err := open(t.Context(), objectives.Options{Data: testData(t), Python: "no-such-python"})
		var missing *bridge.MissingError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want that there is no interpreter", name, err)
		}
	}
}

type opener func(context.Context, objectives.Options) (*harness.Problem, io.Closer, error)

func all() map[string]opener {
	return map[string]opener{
		"SVM": objectives.SVM,
		"NAS": func(ctx context.Context, o objectives.Options) (*harness.Problem, io.Closer, error) {
			return objectives.NAS(ctx, o, objectives.ReducedNAS)
		},
		"XGBoost": func(ctx context.Context, o objectives.Options) (*harness.Problem, io.Closer, error) {
			return objectives.XGBoost(ctx, o, objectives.ReducedXGBoost)
		},
	}
}
