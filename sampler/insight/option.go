package insight

import (
	"fmt"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// Option customises a fit. Give the options that the sampler of the study has, as
// far as there are such: the hyperparameters that it has stored in the study are
// then used.
type Option func(*config)

type config struct {
	graphs  map[string]*graphs.Graph
	fitting surrogate.Settings

	misfit error // of a graph that does not fit its parameter
}

func newConfig(options []Option) *config {
	c := &config{graphs: map[string]*graphs.Graph{}, fitting: surrogate.DefaultSettings()}
	for i, option := range options {
		if option == nil {
			panic(fmt.Sprintf("option %d is nil (omit it)", i+1)) // an error of Fit
		}
		option(c)
	}
	return c
}

// OptionSeed sets the seed of the random numbers, 0 by default. The same study and
// seed give the same results.
func OptionSeed(seed int64) Option {
	return func(c *config) { c.fitting.Seed = uint64(seed) }
}

// OptionGraph says which values of a discrete parameter are alike, as
// SamplerOptionGraph of package sampler does. It panics when g is nil.
func OptionGraph(paramName string, g *graphs.Graph) Option {
	if g == nil {
		panic(fmt.Sprintf("fm: the graph of parameter %q is nil; build one with package graphs (or omit the option)", paramName))
	}
	g = g.Normalized()
	return func(c *config) { c.graphs[paramName] = g }
}

// OptionKernel sets the kernel, a constructor of package fmkernel. The default is
// fmkernel.NewModLap. It panics when build is nil; one that fails is an error of Fit.
func OptionKernel(build func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)) Option {
	if build == nil {
		panic("fm: the kernel's constructor is nil; pass one such as fmkernel.NewProdLap (or omit the option)")
	}
	return func(c *config) { c.fitting.Kernel = build }
}

// OptionDeterministicObjective says that the objective returns the same value
// whenever it is given the same parameters. The default is false.
func OptionDeterministicObjective(deterministic bool) Option {
	return func(c *config) { c.fitting.Deterministic = deterministic }
}
