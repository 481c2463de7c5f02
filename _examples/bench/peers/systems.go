// Package peers runs other systems as methods: optimisers in Python, each behind
// a script of package bridge. What is not installed is a *bridge.MissingError
// that says how to get it.
package peers

import (
	"cmp"
	"context"
	"embed"
	"fmt"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

//go:embed *.py
var scripts embed.FS

// Group is the name of all peers together.
const Group = "peers"

// All returns the peers, with their settings as they come. Those of Optuna take
// every problem, the others need its space.
func All() []*harness.Method {
	return []*harness.Method{
		method("optuna-tpe", "TPE (Optuna)", "optuna_peer.py", "tpe"),
		method("optuna-gp", "GP (Optuna)", "optuna_peer.py", "gp"),
		SMAC(),
		method("botorch", "BoTorch", "botorch_peer.py", ""),
		method("ax", "Ax", "ax_peer.py", ""),
		method("hebo", "HEBO", "hebo_peer.py", ""),
		method("bohb", "BOHB (full budget)", "bohb_peer.py", ""),
		method("hyperopt", "TPE (hyperopt)", "hyperopt_peer.py", ""),
	}
}

// ForTrees returns Optuna's samplers with what they have for conditional spaces:
// TPESampler with multivariate and group, and GPSampler, which models the
// parameters that all trials share.
func ForTrees() []*harness.Method {
	return []*harness.Method{
		method("optuna-tpe", "TPE (Optuna)", "optuna_peer.py", "tpe-group"),
		method("optuna-gp", "GP (Optuna)", "optuna_peer.py", "gp"),
	}
}

// SMAC returns SMAC3, which takes conditional spaces whose conditions the problem has.
func SMAC() *harness.Method { return method("smac", "SMAC", "smac_peer.py", "") }

func method(name, title, script, variant string) *harness.Method {
	return &harness.Method{Name: name, Title: title, Group: Group, Open: func(ctx context.Context, s harness.Setting) (*harness.Instance, error) {
		p := &Sampler{ctx: ctx, seed: s.Seed, sent: map[int]bool{}}
		p.setup = setup{
			Variant: variant, Space: s.Problem.Space, Conditions: s.Problem.Conditions,
			Seed: s.Seed, Threads: max(1, s.Threads), Trials: []trial{},
		}
		config := bridge.Python(cmp.Or(s.Python, "python3"), script, p.setup.Threads, scripts)
		config.Command = append(config.Command, variant)
		config.Setup, config.Stderr = &p.setup, s.Stderr
		p.worker = bridge.New(config)
		var info struct{ Version string }
		if err := p.worker.Start(ctx, &info); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return &harness.Instance{Sampler: p, Version: info.Version, Close: p.worker.Close}, nil
	}}
}
