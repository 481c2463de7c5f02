package harness

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

func TestMeanRanks(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		scores [][]float64
		want   []float64
		why    string
	}{
		{[][]float64{{3, 1, 2}}, []float64{3, 1, 2}, "the least is first"},
		{[][]float64{{3, 1, 2}, {1, 2, 3}}, []float64{2, 1.5, 2.5}, "means over problems"},
		{[][]float64{{0, 5, 0, 0}}, []float64{2, 4, 2, 2}, "ties share a rank"},
		{[][]float64{{inf, 1, inf}}, []float64{2.5, 1, 2.5}, "two without a value"},
		{nil, nil, "no problem"},
	} {
		if got := MeanRanks(test.scores); !floats.EqualApprox(got, test.want, 1e-12) {
			t.Errorf("%v: got %v, want %v (%s)", test.scores, got, test.want, test.why)
		}
	}
}

// The values are those of table 5 (a) of Demšar, JMLR 2006.
func TestCriticalDifference(t *testing.T) {
	for k, q := range map[int]float64{2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164} {
		if got, want := CriticalDifference(k, 14), q*math.Sqrt(float64(k*(k+1))/(6*14)); math.Abs(got-want) > 1e-3 {
			t.Errorf("%d methods: got %v, want %v", k, got, want)
		}
	}
}

// Demšar's example has χ² = 9.28 for four methods on 14 problems; 7.81 is the
// 95 % quantile of χ² with three degrees of freedom.
func TestFriedman(t *testing.T) {
	if p := Friedman([]float64{3.143, 2.000, 2.893, 1.964}, 14); math.Abs(p-0.0258) > 5e-4 {
		t.Errorf("got %v, want 0.0258", p)
	}
	if p := Friedman([]float64{2, 2, 2}, 5); p != 1 {
		t.Errorf("equal ranks: got %v, want 1", p)
	}
}

func TestCommon(t *testing.T) {
	runs := []*Run{{Problem: "P", Method: "a"}, {Problem: "P", Method: "b"}, {Problem: "Q", Method: "a"}}
	problems := []string{"Q", "P", "R"}
	for _, test := range []struct{ methods, want []string }{
		{[]string{"a", "b"}, []string{"P"}},
		{[]string{"a"}, []string{"Q", "P"}},
	} {
		if got := Common(problems, test.methods, runs); !slices.Equal(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.methods, got, test.want)
		}
	}
}
