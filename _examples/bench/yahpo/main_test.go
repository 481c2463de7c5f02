package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small is a network of width 1 with one block of one gate, whose value is
//
//	2 σ(h') - 1,  h' = max(0, h + 3 (h + 1) max(h, 0)),  h = 0.5 + level + (x-1)/2 - ln n
//
// where the levels of the choices a and b are 0.25 and 0.75.
const small = `{"name": "small", "weights": "small.f32", "width": 1, "hidden": 1, "blocks": 1, "tasks": ["7"],
	"targets": {"loss": {"direction": "minimize", "output_transform": {"type": "range", "mul": 2, "add": -1}}},
	"params": [{"name": "kind", "type": "categorical", "choices": ["a", "b"]},
		{"name": "x", "type": "float", "low": 1, "high": 3, "transform": {"type": "range", "a": 1, "b": 2}},
		{"name": "n", "type": "int", "low": 1, "high": 4, "transform": {"type": "log", "b": 1}}],
	"cat_levels": {"kind": ["#na#", "a", "b"]},
	"tensors": {"bias_task_7": {"offset": 0, "shape": [1]}, "cat_kind": {"offset": 1, "shape": [3, 1]},
		"w_cont": {"offset": 4, "shape": [2, 1]}, "l0_w0": {"offset": 6, "shape": [2, 1]}, "l0_b0": {"offset": 8, "shape": [2]},
		"l0_w1": {"offset": 10, "shape": [1, 1]}, "l0_b1": {"offset": 11, "shape": [1]}, "last_scale": {"offset": 12, "shape": [1]},
		"last_shift": {"offset": 13, "shape": [1]}, "head_w_loss": {"offset": 14, "shape": [1]}, "head_b_loss": {"offset": 15, "shape": [1]}},
	"reference_values": {"7": {"loss": {"median_of_4000_random": 0.5}}}, "best_known": {"7": {"loss": 0}},
	"test_vectors": [{"task": "7", "config": {"kind": "b", "x": 2, "n": 2}, "expect": {"loss": WANT}}]}`

var weights = []float32{0.5, 0, 0.25, 0.75, 1, -1, 1, 1, 1, 0, 3, 0, 1, 0, 1, 0}

// value is that of the network.
func value(level, x, n float64) float64 {
	h := 0.5 + level + (x-1)/2 - math.Log(n)
	h += 3 * (h + 1) * math.Max(h, 0)
	return 2/(1+math.Exp(-math.Max(h, 0))) - 1
}

func write(t *testing.T, want string) (path string) {
	t.Helper()
	return writeText(t, strings.Replace(small, "WANT", want, 1))
}

func writeText(t *testing.T, network string) (path string) {
	t.Helper()
	var raw bytes.Buffer
	if err := binary.Write(&raw, binary.LittleEndian, weights); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "small.json")
	for file, text := range map[string][]byte{path: []byte(network), strings.Replace(path, "json", "f32", 1): raw.Bytes()} {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// A network is what its layers say, and is checked by the values in its file.
func TestEval(t *testing.T) {
	n, err := read(write(t, "0.99898"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		kind  string
		level float64
		x     float64
		n     int
	}{{"a", 0.25, 1, 1}, {"b", 0.75, 3, 2}, {"a", 0.25, 1.5, 4}} {
		got := n.eval("7", "loss", map[string]any{"kind": test.kind, "x": test.x, "n": test.n})
		if want := value(test.level, test.x, float64(test.n)); math.Abs(got-want) > 1e-12 {
			t.Errorf("%+v: %v, want %v", test, got, want)
		}
	}
	if _, err := read(write(t, "0.98")); err == nil || !strings.Contains(err.Error(), "the file says 0.98") {
		t.Errorf("of a file that says something else: %v", err)
	}
}

// A file that does not fit its weights, or its own parameters, is an error that says where.
func TestCheck(t *testing.T) {
	for _, test := range []struct{ old, now, want string }{
		{`"shape": [3, 1]`, `"shape": [2, 1]`, "tensor cat_kind"},
		{`"head_b_loss": {"offset": 15`, `"head_b_loss": {"offset": 16`, "tensor head_b_loss"},
		{`"l0_b1"`, `"other"`, "tensor l0_b1"},
		{`"choices": ["a", "b"]`, `"choices": ["a", "c"]`, `no level "c"`},
	} {
		text := strings.Replace(strings.Replace(small, "WANT", "0.99898", 1), test.old, test.now, 1)
		if _, err := read(writeText(t, text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one of %s", test.now, err, test.want)
		}
	}
}

// What goes in and out is scaled as the formulas have it, and back.
func TestTransform(t *testing.T) {
	for _, test := range []struct {
		transform
		in, out float64 // of 0.5
	}{
		{transform{Type: "range", A: 1, B: 2, Mul: 4, Add: 3}, -0.25, 5},
		{transform{Type: "log", A: 1, B: 2, Mul: 4, Add: -2, Eps: 0.5}, -0.5, 0.5},
		{transform{Type: "negexp", A: 1, B: 2, Mul: 1, Add: 0.25, Eps: 0.25, Scale: 0.5}, (math.Exp(-1) - 1.25) / 2, 0},
	} {
		if in, out := test.transform.in(0.5), test.transform.out(0.5); math.Abs(in-test.in) > 1e-15 || math.Abs(out-test.out) > 1e-15 {
			t.Errorf("%s: in %v, out %v; want %v, %v", test.Type, in, out, test.in, test.out)
		}
	}
}

// The table of the problem, and that of the mean, have a row per method, and runs are kept.
func TestRun(t *testing.T) {
	args := []string{"-network", write(t, "0.99898"), "-methods", "fm,random", "-seeds", "2", "-trials", "12", "-runs", filepath.Join(t.TempDir(), "runs.csv")}
	var outs [2]bytes.Buffer
	var log bytes.Buffer
	for i := range outs {
		log.Reset()
		if err := run(t.Context(), args, &outs[i], &log); err != nil {
			t.Fatal(err)
		}
	}
	text := outs[0].String()
	if !strings.Contains(text, "small-7-loss\n") || strings.Count(text, "\nfm ") != 2 || strings.Count(text, "\nrandom ") != 2 {
		t.Errorf("got\n%s", text)
	}
	if outs[1].String() != text || strings.Contains(log.String(), "random") {
		t.Errorf("the second start printed\n%s\nand logged %s", &outs[1], &log)
	}
	for _, args := range [][]string{nil, {"-network", "no such file"}, {"-network", args[1], "-methods", "nobody"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
