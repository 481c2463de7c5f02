package harness

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Each method knows what it should of the trials on the related problem, and of no other: the
// best is tried first, and copied trials are no trials of the run.
func TestTransfer(t *testing.T) {
	asked := map[string][]string{} // names of the problem parameter, by method
	problem := func(name string, best float64) *Problem {
		return Flat(name, problems.Space{{Name: "x", Low: 0, High: 1}}, func(c []float64, _ []int) (float64, error) { return (c[0] - best) * (c[0] - best), nil })
	}
	a, b, other := problem("a", 0.7), problem("b", 0.7), problem("other", 0.1)
	transfer := Transfer{
		Problems: []*Problem{a, b, other}, Earlier: 20, Trials: 4,
		Related: func(p, q *Problem) bool { return p != other && q != other },
	}
	for _, m := range append(transfer.Methods(), FM("fm", "fm")) {
		instance, err := m.Open(t.Context(), Setting{Problem: a, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		r := &Run{Problem: "a", Method: m.Name, Seed: 3}
		if err := transfer.Make(t.Context(), r, instance); err != nil {
			t.Fatal(err)
		}
		if len(r.Values) != 4 || len(r.Trials) != 4 {
			t.Fatalf("%s: values %v of %d trials", m.Name, r.Values, len(r.Trials))
		}
		for _, trial := range r.Trials {
			if d, ok := trial.Distributions[subject].(goptuna.CategoricalDistribution); ok {
				asked[m.Name] = append(asked[m.Name], d.Choices...)
			}
		}
		if atBest, want := r.Values[0] < 1e-4, m.Name == knowsBest || m.Name == knowsAll; atBest != want {
			t.Errorf("%s: the first trial has %v", m.Name, r.Values[0])
		}
		if copied, want := r.Trials[3].Number >= 20, m.Name == knowsAll || m.Name == knowsPool; copied != want {
			t.Errorf("%s: the last trial is number %d", m.Name, r.Trials[3].Number)
		}
	}
	if len(asked) != 1 || len(asked[knowsAll]) != 4 || asked[knowsAll][0] != "a" {
		t.Errorf("trials ask for the problem: %v", asked)
	}
}
