package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// variant is this module's sampler with options, which are flags.
type variant struct {
	label  string
	kernel string
	slice  int
	start  int
	model  int
	ref    bool
	exact  bool
}

// Flags adds the flags of the options.
func (v *variant) Flags(flags *flag.FlagSet) {
	kernels := strings.Join(slices.Sorted(maps.Keys(harness.Kernels)), ", ")
	flags.StringVar(&v.label, "label", "fm", "`name` of fm with the options below, in tables and files")
	flags.StringVar(&v.kernel, "kernel", "", "`name` of the kernel of fm: "+kernels+"; its default if empty")
	flags.IntVar(&v.slice, "slice", 0, "`number` of samples of fm's hyperparameters to average over; 0 means its default")
	flags.IntVar(&v.start, "startup", 0, "`number` of start-up trials of fm; 0 means its default")
	flags.IntVar(&v.model, "model-trials", 0, "`number` of trials that the model of fm uses at most; 0 means its default")
	flags.BoolVar(&v.ref, "reference-fit", false, "fit fm's hyperparameters as the paper's implementation does")
	flags.BoolVar(&v.exact, "deterministic", false, "tell fm that the objective has no noise")
}

// method returns the sampler. Runs of variants stand in a file side by side, so
// that one with options needs a name of its own.
func (v *variant) method() (*harness.Method, error) {
	var options []fm.SamplerOption
	if v.slice < 0 || v.start < 0 || v.model < 0 {
		return nil, errors.New("-slice, -startup and -model-trials must not be negative")
	}
	if v.kernel != "" {
		build, ok := harness.Kernels[strings.ToLower(v.kernel)]
		if !ok {
			return nil, fmt.Errorf("no kernel %q; there are %s", v.kernel, strings.Join(slices.Sorted(maps.Keys(harness.Kernels)), ", "))
		}
		options = append(options, fm.SamplerOptionKernel(build))
	}
	if v.slice > 0 {
		options = append(options, fm.SamplerOptionSliceSampling(v.slice))
	}
	if v.start > 0 {
		options = append(options, fm.SamplerOptionNumberOfStartupTrials(v.start))
	}
	if v.model > 0 {
		options = append(options, fm.SamplerOptionNumberOfModelTrials(v.model))
	}
	if v.ref {
		options = append(options, fm.SamplerOptionReferenceFit(true))
	}
	if v.exact {
		options = append(options, fm.SamplerOptionDeterministicObjective(true))
	}
	if len(options) > 0 && v.label == "fm" {
		return nil, errors.New("give fm with options a -label of its own")
	}
	m := harness.FM(v.label, v.label, options...)
	m.Group = "fm"
	return m, nil
}
