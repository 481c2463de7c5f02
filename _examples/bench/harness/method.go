package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/tpe"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Method is a sampler by name.
type Method struct {
	Name  string // for command lines and files
	Title string // for tables and pictures
	Group string // a name for several methods; may be empty
	Seeds int    // runs at most, for a method that is slow; 0 means all that are asked for

	// Open returns the sampler of one run. The error is a *bridge.MissingError
	// where something is not installed.
	Open func(ctx context.Context, s Setting) (*Instance, error)
}

// Setting is what a method knows of a run.
type Setting struct {
	Problem *Problem
	Seed    int64
	Trials  int       // that the run will have
	Python  string    // interpreter of peers; "" means python3
	Threads int       // of the libraries of peers; 0 means 1
	Stderr  io.Writer // of peers; nil means os.Stderr
}

// Instance is the sampler of one run.
type Instance struct {
	goptuna.Sampler
	Version string // of a peer
	Close   func() error
}

// Installed opens the method and closes it, and returns its version. One that is not installed is
// no error: how to get it is logged.
func (m *Method) Installed(ctx context.Context, s Setting, log io.Writer) (version string, ok bool, err error) {
	instance, err := m.Open(ctx, s)
	if missing := (*bridge.MissingError)(nil); errors.As(err, &missing) {
		fmt.Fprintf(log, "%s is skipped: %v\n", m.Name, missing)
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return instance.Version, true, instance.Close()
}

// InGo returns the Open of a method that is a sampler in this process.
func InGo(build func(s Setting) goptuna.Sampler) func(context.Context, Setting) (*Instance, error) {
	return func(_ context.Context, s Setting) (*Instance, error) {
		return &Instance{Sampler: build(s), Close: func() error { return nil }}, nil
	}
}

// FM returns this module's sampler.
func FM(name, title string, options ...fm.SamplerOption) *Method {
	return &Method{Name: name, Title: title, Open: InGo(func(s Setting) goptuna.Sampler {
		return fm.NewSampler(slices.Concat(s.Problem.graphOptions(), options, []fm.SamplerOption{fm.SamplerOptionSeed(s.Seed)})...)
	})}
}

// Kernels are those of the paper's comparison, by name.
var Kernels = map[string]func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error){
	"modlap": fmkernel.NewModLap, "moddif": fmkernel.NewModDif,
	"prodlap": fmkernel.NewProdLap, "proddif": fmkernel.NewProdDif,
	"addlap": fmkernel.NewAddLap, "adddif": fmkernel.NewAddDif,
}

// TPE returns Goptuna's TPE, which draws some of its numbers from a source
// without a seed.
func TPE(options ...tpe.SamplerOption) *Method {
	return &Method{Name: "tpe", Title: "TPE (Goptuna)", Open: InGo(func(s Setting) goptuna.Sampler {
		return tpe.NewSampler(slices.Concat(options, []tpe.SamplerOption{tpe.SamplerOptionSeed(s.Seed)})...)
	})}
}

// Random returns random search.
func Random() *Method {
	return &Method{Name: "random", Title: "random", Open: InGo(func(s Setting) goptuna.Sampler {
		return problems.NewRandomSampler(s.Seed)
	})}
}

// SelectMethods returns those of all whose names or groups a list has, as [Select] does.
func SelectMethods(list string, all []*Method) ([]*Method, error) {
	return selectAny(list, all, func(m *Method) []string {
		if m.Group == "" {
			return []string{m.Name}
		}
		return []string{m.Name, m.Group}
	})
}

// Select returns those of all whose names a list has, separated by commas, in the order of
// the list and without repetitions. Case does not count, and "all" is the name of every one.
func Select[T any](list string, all []T, name func(T) string) ([]T, error) {
	return selectAny(list, all, func(one T) []string { return []string{name(one)} })
}

func selectAny[T any](list string, all []T, names func(T) []string) ([]T, error) {
	var found []T
	selected := map[int]bool{}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		known, valid := false, []string{"all"}
		for i, one := range all {
			of := append(names(one), "all")
			valid = append(valid, of...)
			if slices.ContainsFunc(of, func(other string) bool { return strings.EqualFold(name, other) }) {
				known = true
				if !selected[i] {
					selected[i], found = true, append(found, one)
				}
			}
		}
		if !known {
			slices.Sort(valid)
			return nil, fmt.Errorf("there is no %q, only %s", name, strings.Join(slices.Compact(valid), ", "))
		}
	}
	return found, nil
}

// timed is a sampler that adds up the time of its answers.
type timed struct {
	goptuna.Sampler
	spent time.Duration
}

func (s *timed) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	start := time.Now()
	defer func() { s.spent += time.Since(start) }()
	return s.Sampler.Sample(study, trial, name, distribution)
}
