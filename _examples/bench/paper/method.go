package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/tpe"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/baseline"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/peers"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/problem"
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// The groups of methods, which are also names for -method.
const (
	groupKernels   = "kernels"
	groupBaselines = "baselines"
	groupVariants  = "variants"
	groupPeers     = "peers"
)

// method proposes points.
type method struct {
	name, title, group string

	kernel buildKernel // of a method of groupKernels
	// sampler returns the sampler of one run, and what ends it. It is nil for
	// kernels.
	sampler func(ctx context.Context, s setting) (sampler goptuna.Sampler, close func() error, err error)
}

// isKernel tells whether m is this module's sampler.
func (m *method) isKernel() bool { return m.group == groupKernels || m.group == groupVariants }

// buildKernel is a constructor of package fmkernel.
type buildKernel func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)

// setting is what a method is told about a run.
type setting struct {
	problem *problem.Problem
	seed    int64
	trials  int
	python  string
}

// methods are in the order of the paper's tables.
var methods = append([]*method{
	kernel("adddif", "AddDif", fmkernel.NewAddDif),
	kernel("proddif", "ProdDif", fmkernel.NewProdDif),
	kernel("moddif", "ModDif", fmkernel.NewModDif),
	kernel("addlap", "AddLap", fmkernel.NewAddLap),
	kernel("prodlap", "ProdLap", fmkernel.NewProdLap),
	kernel("modlap", "ModLap", fmkernel.NewModLap),
	variant("modlap-reference", "ModLap, reference fit", fm.SamplerOptionReferenceFit(true)),
	variant("modlap-slice", "ModLap, slice sampling", fm.SamplerOptionReferenceFit(true), fm.SamplerOptionSliceSampling(10)),
	baselineOf("random", "random", func(s setting) baseline.Method {
		return baseline.Random{Space: s.problem.Space, Seed: s.seed}
	}),
	{name: "tpe", title: "TPE (Goptuna)", group: groupBaselines, sampler: newTPE},
	baselineOf("re", "RE", func(s setting) baseline.Method {
		return baseline.Evolution{Space: s.problem.Space, Seed: s.seed}
	}),
	cocabo("0.0", 0), cocabo("0.5", 0.5), cocabo("1.0", 1),
}, others()...)

func kernel(name, title string, build buildKernel) *method {
	return &method{name: name, title: title, group: groupKernels, kernel: build, sampler: newFM(fm.SamplerOptionKernel(build))}
}

// variant is the sampler with its default kernel and the hyperparameters of the
// authors' program.
func variant(name, title string, options ...fm.SamplerOption) *method {
	return &method{name: name, title: title, group: groupVariants, sampler: newFM(options...)}
}

func newFM(options ...fm.SamplerOption) func(context.Context, setting) (goptuna.Sampler, func() error, error) {
	return func(_ context.Context, s setting) (goptuna.Sampler, func() error, error) {
		all := slices.Concat(s.problem.SamplerOptions(), options,
			[]fm.SamplerOption{fm.SamplerOptionSeed(s.seed), fm.SamplerOptionStudyAttributes(false)})
		return fm.NewSampler(all...), nothing, nil
	}
}

func baselineOf(name, title string, build func(setting) baseline.Method) *method {
	return &method{name: name, title: title, group: groupBaselines, sampler: func(_ context.Context, s setting) (goptuna.Sampler, func() error, error) {
		return &baseline.Sampler{Space: s.problem.Space, Method: build(s)}, nothing, nil
	}}
}

func cocabo(text string, mix float64) *method {
	return baselineOf("cocabo-"+text, "CoCaBO-"+text, func(s setting) baseline.Method {
		return &baseline.CoCaBO{Space: s.problem.Space, Mix: mix, Trials: s.trials, Seed: s.seed}
	})
}

func newTPE(_ context.Context, s setting) (goptuna.Sampler, func() error, error) {
	return tpe.NewSampler(tpe.SamplerOptionSeed(s.seed)), nothing, nil
}

// others returns the systems of package peers.
func others() []*method {
	var list []*method
	for _, system := range peers.All() {
		list = append(list, &method{name: system.Name, title: system.Title, group: groupPeers, sampler: func(ctx context.Context, s setting) (goptuna.Sampler, func() error, error) {
			peer, err := system.Open(ctx, peers.Options{Python: s.python, Space: s.problem.Space, Seed: s.seed})
			if err != nil {
				return nil, nil, err
			}
			return &baseline.Sampler{Space: s.problem.Space, Method: peer}, peer.Close, nil
		}})
	}
	return list
}

func nothing() error { return nil }

// methodsByName returns the methods of a list of names and groups, without
// repetitions.
func methodsByName(list string) ([]*method, error) {
	var found []*method
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		known := false
		for _, m := range methods {
			if name == m.name || name == m.group || name == "all" {
				known = true
				if !slices.Contains(found, m) {
					found = append(found, m)
				}
			}
		}
		if !known {
			names := []string{"all", groupKernels, groupVariants, groupBaselines, groupPeers}
			for _, m := range methods {
				names = append(names, m.name)
			}
			return nil, fmt.Errorf("there is no method %q, only %s", name, strings.Join(names, ", "))
		}
	}
	return found, nil
}
