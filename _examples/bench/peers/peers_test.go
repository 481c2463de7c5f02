package peers_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge/bridgetest"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// flat has a parameter of each kind, ordinal ones with and without integers. It
// is 0 at x = 1, depth 7, green, rate 1e-3, for every share; a tenth of its points
// fails.
var flat = harness.Flat("flat", problems.Space{
	problems.Float("x", -2, 3),
	problems.LogFloat("rate", 1e-5, 1),
	problems.Int("depth", 1, 10),
	{Name: "share", Kind: problems.Ordinal, Low: 0.25, High: 1, Levels: 4},
	problems.Choice("colour", "red", "green", "blue"),
}, func(c []float64, v []int) (float64, error) {
	y := (c[0]-1)*(c[0]-1) + math.Abs(math.Log10(c[1])+3)/5 + math.Abs(float64(v[0]-6))/3
	if v[2] != 1 {
		y++
	}
	if v[0] == 3 {
		return 0, errors.New("depth 4 fails")
	}
	return y, nil
})

// conditional is a space with parameters that depend on two choices. It is 0 with a deep tree,
// and at least 1.5 with a linear model.
func conditional() *harness.Problem {
	space := problems.Space{
		problems.Choice("model", "linear", "tree"),
		problems.LogFloat("l2", 1e-3, 1),
		problems.Choice("split", "best", "random"),
		problems.Int("depth", 1, 8),
	}
	return &harness.Problem{
		Name: "conditional", Optimum: 0, Space: space,
		Conditions: []problems.Condition{
			{Param: "l2", Parent: "model", Choices: []string{"linear"}},
			{Param: "split", Parent: "model", Choices: []string{"tree"}},
			{Param: "depth", Parent: "model", Choices: []string{"tree"}},
			{Param: "depth", Parent: "split", Choices: []string{"best"}},
		},
		Objective: func(trial goptuna.Trial) (float64, error) {
			suggest := func(q problems.Param) (float64, int, error) {
				c, v, err := problems.Space{q}.Suggest(&trial)
				return append(c, 0)[0], append(v, 0)[0], err
			}
			_, model, err := suggest(space[0])
			if err != nil {
				return 0, err
			}
			if model == 0 {
				l2, _, err := suggest(space[1])
				return 1.5 + l2, err
			}
			_, split, err := suggest(space[2])
			if err != nil || split == 1 {
				return 2, err
			}
			_, depth, err := suggest(space[3])
			return float64(7-depth) / 7, err
		},
	}
}

// constrained is feasible in 1 % of its space, and at least 0.6 there.
func constrained() *harness.Problem {
	space := problems.Space{problems.Float("x", 0, 1), problems.Float("y", 0, 1), problems.Float("z", 0, 1)}
	return &harness.Problem{
		Name: "constrained", Space: space,
		Objective: func(trial goptuna.Trial) (float64, error) {
			c, _, err := space.Suggest(&trial)
			if err != nil {
				return 0, err
			}
			value, err := fm.Constrained(trial, c[0], fm.AtLeast("sum", c[0]+c[1]+c[2], 2.6))
			if err != nil {
				return 0, fmt.Errorf("%w: %w", harness.ErrFailed, err)
			}
			return value, nil
		},
	}
}

// python returns an interpreter; PYTHON names another than python3.
func python(t *testing.T) string {
	t.Helper()
	name := bridgetest.Python()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("there is no %s", name)
	}
	return name
}

// checkPeer runs a peer, if it is installed, in two parts: the second has a new
// process, which is given the history.
func checkPeer(t *testing.T, m *harness.Method, p *harness.Problem, enough float64) {
	t.Parallel()
	var stderr bytes.Buffer
	s := harness.Setting{Problem: p, Seed: 3, Python: python(t), Stderr: &stderr}
	storage := goptuna.NewInMemoryStorage()
	for _, trials := range []int{20, 5} {
		instance, err := m.Open(t.Context(), s)
		if err != nil {
			t.Log(&stderr)
		}
		bridgetest.SkipMissing(t, err)
		if instance.Version == "" {
			t.Error("it has no version")
		}
		study, err := goptuna.CreateStudy("", goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLoadIfExists(true),
			goptuna.StudyOptionSampler(instance), goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		for range trials {
			if err := study.Optimize(goptuna.FuncObjective(p.Objective), 1); err != nil && !errors.Is(err, harness.ErrFailed) {
				t.Fatal(err, &stderr)
			}
		}
		if cost := instance.Sampler.(*peers.Sampler).Cost(); cost.Seconds <= 0 {
			t.Errorf("a suggestion took %v", cost)
		}
		if err := instance.Close(); err != nil {
			t.Error(err)
		}
	}
	trials, err := storage.GetAllTrials(1)
	if err != nil {
		t.Fatal(err)
	}
	best, seen := math.Inf(1), map[string]bool{}
	for _, trial := range trials {
		if trial.State == goptuna.TrialStateComplete {
			best = math.Min(best, trial.Value)
		}
		seen[fmt.Sprint(trial.InternalParams)] = true
	}
	if len(trials) != 25 || best > enough || len(seen) < 20 {
		t.Errorf("%d trials at %d points, the best is %v; want 25, 20 and at most %v", len(trials), len(seen), best, enough)
	}
}

func TestPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("Python libraries take seconds to load")
	}
	for _, m := range peers.All() {
		t.Run(m.Name, func(t *testing.T) { checkPeer(t, m, flat, 2) })
	}
	for _, m := range peers.ForTrees() {
		t.Run("tree "+m.Name, func(t *testing.T) { checkPeer(t, m, harness.Conditional(problems.Jenatton()), 0.6) })
	}
	for _, m := range peers.All()[:2] {
		t.Run("constraints "+m.Name, func(t *testing.T) { checkPeer(t, m, constrained(), 0.9) })
	}
	t.Run("conditions SMAC", func(t *testing.T) { checkPeer(t, peers.SMAC(), conditional(), 0.3) })
}

func TestMissing(t *testing.T) {
	for _, m := range peers.All() {
		_, err := m.Open(t.Context(), harness.Setting{Problem: flat, Python: "no-such-python"})
		var missing *bridge.MissingError
		if !errors.As(err, &missing) || !strings.HasPrefix(err.Error(), m.Name+": ") {
			t.Errorf("got %v, want that %s cannot run", err, m.Name)
		}
	}
}
