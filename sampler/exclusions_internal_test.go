package sampler

import (
	"fmt"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// Of two failed trials that agree in two values, of which each has worked beside others,
// those are suspected, more after two failures than after one, and nothing else is.
func TestExclusions(t *testing.T) {
	choice := goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}}
	var params []*space.Param
	for _, name := range []string{"codec", "mode", "level"} {
		param, err := space.NewParam(name, choice, nil)
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, param)
	}
	s, err := space.New(params)
	if err != nil {
		t.Fatal(err)
	}
	at := func(v ...int) fmkernel.Point { return fmkernel.Point{V: v} }
	valued := []fmkernel.Point{at(0, 1, 0), at(1, 0, 0), at(0, 2, 1), at(2, 0, 1), at(1, 1, 2)}
	one := newExclusions(s, valued, []fmkernel.Point{at(0, 0, 0)})
	two := newExclusions(s, valued, []fmkernel.Point{at(0, 0, 0), at(0, 0, 1)})
	for name, x := range map[string]fmkernel.Point{"untried pairs": at(1, 2, 0), "as in a trial with a value": at(0, 1, 0)} {
		if p := two.probability(x); p != 1 {
			t.Errorf("%s: probability %v, want 1", name, p)
		}
	}
	x := at(0, 0, 2)
	if p, q := one.probability(x), two.probability(x); p >= 1 || q >= p || q <= 0 {
		t.Errorf("after one and two failures: %v and %v, want them to fall", p, q)
	}
	if p := newExclusions(s, valued, nil).probability(x); p != 1 {
		t.Errorf("without failures: %v, want 1", p)
	}
}

// Of a space with very many values no pairs are looked at: their table would be huge.
func TestExclusionsOfManyValues(t *testing.T) {
	for n, learns := range map[int]bool{100: true, 101: false} {
		var params []*space.Param
		for i := range n {
			param, err := space.NewParam(fmt.Sprint("level", i), goptuna.IntUniformDistribution{Low: 1, High: 20}, nil)
			if err != nil {
				t.Fatal(err)
			}
			params = append(params, param)
		}
		s, err := space.New(params)
		if err != nil {
			t.Fatal(err)
		}
		x := fmkernel.Point{V: make([]int, n)}
		if p := newExclusions(s, nil, []fmkernel.Point{x}).probability(x); (p < 1) != learns {
			t.Errorf("%d parameters: probability %v of what has failed", n, p)
		}
	}
}
