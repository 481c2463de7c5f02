// Package peers runs other systems as methods of the experiments: optimisers in
// Python, each behind a script of package bridge. What is not installed is a
// *bridge.MissingError that says how to get it.
package peers

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io"
	"math"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/baseline"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/bridge"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

//go:embed *.py
var scripts embed.FS

// System is a peer, with its settings as it comes.
type System struct {
	Name  string // for command lines
	Title string // for tables

	script, variant string
}

// All returns the peers.
func All() []System {
	return []System{
		{"optuna-tpe", "TPE (Optuna)", "optuna_peer.py", "tpe"},
		{"optuna-gp", "GP (Optuna)", "optuna_peer.py", "gp"},
		{"smac", "SMAC", "smac_peer.py", ""},
		{"bohb", "BOHB (full budget)", "bohb_peer.py", ""},
		{"hyperopt", "TPE (hyperopt)", "hyperopt_peer.py", ""},
	}
}

// Options say how to run a peer.
type Options struct {
	Python string // interpreter; "" means python3
	Space  problems.Space
	Seed   int64
	Stderr io.Writer // see [bridge.Config]; nil means os.Stderr
}

// Peer is a running System. It implements baseline.Method, one study at a time.
//
// Its process remembers the trials; a new one is given them all. A study goes
// on after an interruption, though not exactly as it would have without: the
// peers' random numbers start anew.
type Peer struct {
	ctx    context.Context
	worker *bridge.Worker
	space  problems.Space
	seed   int64
	setup  setup // which the worker sends at every start
}

type setup struct {
	Variant string         `json:"variant"`
	Space   problems.Space `json:"space"`
	Seed    int64          `json:"seed"`
	Trials  []trial        `json:"trials"` // that the worker has been told
}

type trial struct {
	Values map[string]any `json:"values"`
	Value  *float64       `json:"value"` // nil if the trial failed
}

// Open starts the system. It ends with ctx, or when it is closed.
func (s System) Open(ctx context.Context, o Options) (*Peer, error) {
	p := &Peer{ctx: ctx, space: o.Space, seed: o.Seed}
	p.setup = setup{Variant: s.variant, Space: o.Space, Seed: o.Seed, Trials: []trial{}}
	config := bridge.Python(cmp.Or(o.Python, "python3"), s.script, 1, scripts)
	config.Command = append(config.Command, s.variant)
	config.Setup, config.Stderr = &p.setup, o.Stderr
	p.worker = bridge.New(config)
	if err := p.worker.Start(ctx, nil); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return p, nil
}

// Suggest implements baseline.Method. The history must begin with that of the
// call before.
func (p *Peer) Suggest(history []baseline.Trial) (c []float64, v []int, err error) {
	told := len(p.setup.Trials)
	fresh := []trial{}
	for _, t := range history[told:] {
		u := trial{Values: p.space.Values(t.C, t.V)}
		if !math.IsNaN(t.Value) {
			u.Value = &t.Value
		}
		fresh = append(fresh, u)
	}
	var values map[string]any
	if err := p.worker.Call(p.ctx, map[string]any{"trials": fresh}, &values); err != nil {
		return nil, nil, err
	}
	// A new process would be given the trials with another seed, lest it repeat
	// the draws of this one.
	p.setup.Trials = append(p.setup.Trials, fresh...)
	p.setup.Seed = p.seed + int64(len(p.setup.Trials))<<16
	return p.space.Point(values)
}

// Close ends the process.
func (p *Peer) Close() error { return p.worker.Close() }
