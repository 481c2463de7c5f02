package harness

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Variant is this module's sampler with options, which are flags.
type Variant struct {
	Startup     int
	kernel      string
	slice       int
	modelTrials int
	reference   bool
}

// Flags adds the flags of the options.
func (v *Variant) Flags(flags *flag.FlagSet) {
	flags.StringVar(&v.kernel, "kernel", "", "`name` of the kernel of fm: "+kernelNames()+"; its default if empty")
	flags.IntVar(&v.slice, "slice", 0, "`number` of samples of fm's hyperparameters to average over; 0 means its default")
	flags.IntVar(&v.Startup, "startup", 0, "`number` of start-up trials of fm; 0 means its default")
	flags.IntVar(&v.modelTrials, "model-trials", 0, "`number` of trials that the model of fm uses at most; 0 means its default")
	flags.BoolVar(&v.reference, "reference-fit", false, "fit fm's hyperparameters as the paper's implementation does")
}

func kernelNames() string { return strings.Join(slices.Sorted(maps.Keys(Kernels)), ", ") }

// Method returns the sampler.
func (v *Variant) Method(name string) (*Method, error) {
	if v.slice < 0 || v.Startup < 0 || v.modelTrials < 0 {
		return nil, errors.New("-slice, -startup and -model-trials must not be negative")
	}
	options := []fm.SamplerOption{fm.SamplerOptionSliceSampling(v.slice), fm.SamplerOptionReferenceFit(v.reference)}
	if v.kernel != "" {
		build, ok := Kernels[strings.ToLower(v.kernel)]
		if !ok {
			return nil, fmt.Errorf("no kernel %q; there are %s", v.kernel, kernelNames())
		}
		options = append(options, fm.SamplerOptionKernel(build))
	}
	if v.Startup > 0 {
		options = append(options, fm.SamplerOptionNumberOfStartupTrials(v.Startup))
	}
	if v.modelTrials > 0 {
		options = append(options, fm.SamplerOptionNumberOfModelTrials(v.modelTrials))
	}
	return FM(name, name, options...), nil
}
