package suggestion

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// algorithms are the names that the service answers to. By the second it takes
// the place of Katib's service on scikit-optimize.
var algorithms = []string{"fm", "bayesianoptimization"}

// graphSetting begins the name of a setting that gives a parameter a graph.
const graphSetting = "graph."

// settings are the algorithm settings of an experiment.
type settings struct {
	options []fm.SamplerOption
	seed    int64
	graphs  map[string]string // by parameter
	state   string
}

// setters read the value of a setting by its name. Errors complete the sentence
// "setting NAME is VALUE: ...".
var setters = map[string]func(s *settings, value string) error{
	"random_state": func(s *settings, value string) error {
		n, err := parseCount(value, 0)
		s.seed = n
		s.add(fm.SamplerOptionSeed(n))
		return err
	},
	"n_startup_trials": setStartup,
	"n_initial_points": setStartup, // as scikit-optimize has it
	"n_model_trials": func(s *settings, value string) error {
		n, err := parseCount(value, 1)
		if err == nil {
			s.add(fm.SamplerOptionNumberOfModelTrials(int(n)))
		}
		return err
	},
	"deterministic": func(s *settings, value string) error {
		yes, err := strconv.ParseBool(strings.ToLower(value))
		if err != nil {
			return errors.New("use true or false")
		}
		s.add(fm.SamplerOptionDeterministicObjective(yes))
		return nil
	},
	"kernel": func(s *settings, value string) error {
		build, ok := kernels[strings.ToLower(value)]
		if !ok {
			return errors.New("use modlap (the default), moddif, prodlap, proddif, addlap or adddif")
		}
		s.add(fm.SamplerOptionKernel(build))
		return nil
	},
	"base_estimator": only("GP", "the model is a Gaussian process"),
	"acq_func":       only("EI", "the acquisition function is the expected improvement"),
	"acq_optimizer":  only("auto", "there is one optimizer, for all spaces"),
	stateSetting:     func(s *settings, value string) error { s.state = value; return nil },
}

var kernels = map[string]func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error){
	"modlap": fmkernel.NewModLap, "moddif": fmkernel.NewModDif,
	"prodlap": fmkernel.NewProdLap, "proddif": fmkernel.NewProdDif,
	"addlap": fmkernel.NewAddLap, "adddif": fmkernel.NewAddDif,
}

// readSettings reads the algorithm of an experiment.
func readSettings(a *api.AlgorithmSpec) (*settings, error) {
	if !slices.Contains(algorithms, a.GetAlgorithmName()) {
		return nil, fmt.Errorf("unknown algorithm name %s: this service is %s", a.GetAlgorithmName(), strings.Join(algorithms, " or "))
	}
	s := &settings{graphs: map[string]string{}}
	for _, setting := range a.GetAlgorithmSettings() {
		name, value := setting.GetName(), setting.GetValue()
		if param, ok := strings.CutPrefix(name, graphSetting); ok {
			s.graphs[param] = value
			continue
		}
		set, ok := setters[name]
		if !ok {
			return nil, fmt.Errorf("unknown setting %s for algorithm %s: it has random_state, n_startup_trials, n_model_trials, deterministic, kernel and %sPARAMETER", name, a.GetAlgorithmName(), graphSetting)
		}
		if err := set(s, strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("setting %s is %q: %w", name, value, err)
		}
	}
	return s, nil
}

func (s *settings) add(option fm.SamplerOption) { s.options = append(s.options, option) }

func setStartup(s *settings, value string) error {
	n, err := parseCount(value, 1)
	if err == nil {
		s.add(fm.SamplerOptionNumberOfStartupTrials(int(n)))
	}
	return err
}

func parseCount(value string, from int64) (int64, error) {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < from {
		return 0, fmt.Errorf("use a whole number, at least %d", from)
	}
	return n, nil
}

// only is for settings of Katib's service on scikit-optimize that leave no choice
// here.
func only(value, because string) func(*settings, string) error {
	return func(_ *settings, v string) error {
		if v != value {
			return fmt.Errorf("%s; use %q, or leave the setting out", because, value)
		}
		return nil
	}
}
