package main

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// wavy returns n random points of the square and a smooth function of them.
func wavy(n int) dataset {
	rng := rand.New(rand.NewPCG(5, 6))
	var d dataset
	for range n {
		x := []float64{2*rng.Float64() - 1, 2*rng.Float64() - 1}
		d.x, d.y = append(d.x, x), append(d.y, math.Sin(2*x[0])+x[1]*x[1])
	}
	return d
}

// Every model, with settings that suit it, predicts new points well: the target
// has a standard deviation of 0.7.
func TestModelsPredict(t *testing.T) {
	for _, test := range []struct {
		name string
		fit  fitter
		want float64 // root mean square error at most
	}{
		{"polynomial", polynomial{3, 1e-6}.fit, 0.05},
		{"neighbours", neighbours{4, 2}.fit, 0.15},
		{"exponential", kernel{"exponential", 2, 1e-6}.fit, 0.05},
		{"matern32", kernel{"matern32", 2, 1e-6}.fit, 0.02},
		{"matern52", kernel{"matern52", 2, 1e-6}.fit, 0.01},
		{"gaussian", kernel{"gaussian", 1, 1e-6}.fit, 0.01},
		{"relu", features{100, "relu", 1, 1e-4}.fit, 0.1},
		{"tanh", features{60, "tanh", 1, 1e-4}.fit, 0.05},
		{"cosine", features{60, "cosine", 1, 1e-4}.fit, 0.05},
	} {
		got, err := crossValidate(wavy(200), test.fit)
		if err != nil || !(got < test.want) {
			t.Errorf("%s: error %.4f, %v; want below %v", test.name, got, err, test.want)
		}
	}
}

// Without penalty a polynomial is exact for one of its degree.
func TestPolynomialIsExact(t *testing.T) {
	d := wavy(30)
	for i, x := range d.x {
		d.y[i] = 3 + 2*x[0] - x[0]*x[1] + 0.5*x[1]*x[1]
	}
	predict, err := polynomial{2, 1e-9}.fit(d)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range d.x {
		if got := predict(x); math.Abs(got-d.y[i]) > 1e-6 {
			t.Errorf("at %v: %v, want %v", x, got, d.y[i])
		}
	}
}

func TestNeighbours(t *testing.T) {
	d := dataset{x: [][]float64{{0}, {1}, {10}}, y: []float64{2, 4, 100}}
	for _, test := range []struct {
		n    neighbours
		at   float64
		want float64
		why  string
	}{
		{neighbours{1, 0}, 0.6, 4, "the nearest"},
		{neighbours{2, 0}, 0.6, 3, "the mean of two"},
		{neighbours{3, 0}, 0.6, 106. / 3, "of all"},
		{neighbours{2, 1}, 0.25, (2/0.251 + 4/0.751) / (1/0.251 + 1/0.751), "weights 1/(distance + 0.001)"},
	} {
		predict, err := test.n.fit(d)
		if err != nil {
			t.Fatal(err)
		}
		if got := predict([]float64{test.at}); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s: got %v, want %v", test.why, got, test.want)
		}
	}
}

// Two equal rows without penalty have no unique weights.
func TestSingular(t *testing.T) {
	d := dataset{x: [][]float64{{1, 2}, {1, 2}, {0, 1}}, y: []float64{1, 2, 3}}
	if _, err := (kernel{"gaussian", 1, 0}).fit(d); !errors.Is(err, errSingular) {
		t.Errorf("error %v, want %v", err, errSingular)
	}
}

func TestTable(t *testing.T) {
	data, err := readTable()
	if err != nil {
		t.Fatal(err)
	}
	again, err := readTable()
	if err != nil || !reflect.DeepEqual(data, again) {
		t.Errorf("the table differs from one reading to the next, %v", err)
	}
	d := data.encode(true, 3)
	if len(d.x) != 640 || len(d.y) != 640 || len(d.x[0]) != numbers+2+4+2 {
		t.Fatalf("%d rows of %d columns and %d targets", len(d.x), len(d.x[0]), len(d.y))
	}
	var sum, squares float64
	for _, x := range d.x {
		sum += x[1]
		squares += x[1] * x[1]
		if x[2]+x[3] != 3 || x[4]+x[5]+x[6]+x[7] != 3 || x[8]+x[9] != 3 {
			t.Fatalf("%v has not one category of each kind", x)
		}
	}
	if math.Abs(sum) > 1e-9 || math.Abs(squares-639) > 1e-9 {
		t.Errorf("the logarithms have sum %v and squares %v, want 0 and 639", sum, squares)
	}
	seen := map[*float64]bool{}
	for fold := range folds {
		fit, valid := d.split(fold)
		if len(fit.x) != 512 || len(valid.x) != 128 || len(valid.y) != 128 {
			t.Errorf("fold %d has %d and %d rows", fold, len(fit.x), len(valid.x))
		}
		for _, x := range valid.x {
			if seen[&x[0]] {
				t.Error("a row is in two folds")
			}
			seen[&x[0]] = true
		}
	}
}
