package peers_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/baseline"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/peers"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// space has a parameter of each kind, ordinal ones with and without integers.
var space = problems.Space{
	{Name: "x", Kind: problems.Continuous, Low: -2, High: 3},
	{Name: "depth", Kind: problems.Ordinal, Low: 1, High: 10, Levels: 10},
	{Name: "share", Kind: problems.Ordinal, Low: 0.25, High: 1, Levels: 4},
	{Name: "colour", Kind: problems.Nominal, Levels: 3, Choices: []string{"red", "green", "blue"}},
}

// objective is 0 at x = 1, depth 7, green, for every share.
func objective(c []float64, v []int) float64 {
	y := (c[0]-1)*(c[0]-1) + math.Abs(float64(v[0]-6))/3
	if v[2] != 1 {
		y++
	}
	return y
}

// python returns an interpreter; PYTHON names another than python3.
func python(t *testing.T) string {
	t.Helper()
	name := os.Getenv("PYTHON")
	if name == "" {
		name = "python3"
	}
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("there is no %s", name)
	}
	return name
}

// Each peer that is installed gives points of the space, comes near the
// optimum, and goes on when another process is given the history.
func TestPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("Python libraries take seconds to load")
	}
	for _, system := range peers.All() {
		t.Run(system.Name, func(t *testing.T) {
			t.Parallel()
			options := peers.Options{Python: python(t), Space: space, Seed: 3, Stderr: &bytes.Buffer{}}
			var history []baseline.Trial
			best := math.Inf(1)
			for _, trials := range []int{20, 25} {
				p, err := system.Open(t.Context(), options)
				var missing *bridge.MissingError
				if errors.As(err, &missing) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				for len(history) < trials {
					c, v, err := p.Suggest(history)
					if err != nil {
						t.Fatal(err, options.Stderr)
					}
					if len(c) != 1 || len(v) != 3 {
						t.Fatalf("got point (%v, %v), want 1 and 3 values", c, v)
					}
					y := objective(c, v)
					best = min(best, y)
					if len(history)%10 == 4 {
						y = math.NaN() // a failed trial
					}
					history = append(history, baseline.Trial{C: c, V: v, Value: y})
				}
				if err := p.Close(); err != nil {
					t.Error(err)
				}
			}
			if best > 2 {
				t.Errorf("best value of %d trials: %v, want less: the mean over the space is 4", len(history), best)
			}
			seen := map[[4]float64]bool{}
			for _, trial := range history {
				seen[[4]float64{trial.C[0], float64(trial.V[0]), float64(trial.V[1]), float64(trial.V[2])}] = true
			}
			if len(seen) < 20 {
				t.Errorf("%d trials at %d points only", len(history), len(seen))
			}
		})
	}
}

func TestMissing(t *testing.T) {
	for _, system := range peers.All() {
		_, err := system.Open(t.Context(), peers.Options{Python: "no-such-python", Space: space})
		var missing *bridge.MissingError
		if !errors.As(err, &missing) || !strings.HasPrefix(err.Error(), system.Name+": ") {
			t.Errorf("got %v, want that %s cannot run", err, system.Name)
		}
	}
}
