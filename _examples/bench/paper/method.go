package main

import (
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/baseline"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// The groups of methods, which are also names for -method; peers are another.
const (
	groupKernels   = "kernels"
	groupBaselines = "baselines"
	groupVariants  = "variants"
)

// reference is the method that each picture has.
const reference = "modlap"

// methods are in the order of the paper's tables.
var methods = slices.Concat([]*harness.Method{
	kernel("adddif", "AddDif"),
	kernel("proddif", "ProdDif"),
	kernel("moddif", "ModDif"),
	kernel("addlap", "AddLap"),
	kernel("prodlap", "ProdLap"),
	kernel("modlap", "ModLap"),
	variant("modlap-reference", "ModLap, reference fit", fm.SamplerOptionReferenceFit(true)),
	variant("modlap-slice", "ModLap, slice sampling", fm.SamplerOptionReferenceFit(true), fm.SamplerOptionSliceSampling(10)),
	baselineOf("random", "random", func(s harness.Setting) baseline.Method {
		return baseline.Random{Space: s.Problem.Space, Seed: s.Seed}
	}),
	grouped(groupBaselines, harness.TPE()),
	baselineOf("re", "RE", func(s harness.Setting) baseline.Method {
		return baseline.Evolution{Space: s.Problem.Space, Seed: s.Seed}
	}),
	cocabo("0.0", 0), cocabo("0.5", 0.5), cocabo("1.0", 1),
}, peers.All())

func grouped(group string, m *harness.Method) *harness.Method {
	m.Group = group
	return m
}

func kernel(name, title string) *harness.Method {
	return grouped(groupKernels, variant(name, title, fm.SamplerOptionKernel(harness.Kernels[name])))
}

// variant is this module's sampler with other options.
func variant(name, title string, options ...fm.SamplerOption) *harness.Method {
	return grouped(groupVariants, harness.FM(name, title, append(options, fm.SamplerOptionStudyAttributes(false))...))
}

// isKernel tells whether m is this module's sampler.
func isKernel(m *harness.Method) bool { return m.Group == groupKernels || m.Group == groupVariants }

func baselineOf(name, title string, build func(harness.Setting) baseline.Method) *harness.Method {
	return &harness.Method{Name: name, Title: title, Group: groupBaselines, Open: harness.InGo(func(s harness.Setting) goptuna.Sampler {
		return &baseline.Sampler{Space: s.Problem.Space, Method: build(s)}
	})}
}

func cocabo(text string, mix float64) *harness.Method {
	return baselineOf("cocabo-"+text, "CoCaBO-"+text, func(s harness.Setting) baseline.Method {
		return &baseline.CoCaBO{Space: s.Problem.Space, Mix: mix, Trials: s.Trials, Seed: s.Seed}
	})
}
