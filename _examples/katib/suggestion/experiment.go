package suggestion

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// maxParameters bounds the parameters of an experiment.
const maxParameters = 1000

// experiment is what of an experiment a suggestion depends on.
type experiment struct {
	name      string
	direction goptuna.StudyDirection
	metric    string
	// stopsEarly says that trials may be stopped before they end.
	stopsEarly bool
	params     []parameter
	*settings
}

// readExperiment reads an experiment, or as much of it as there is. Errors are for
// its user.
func readExperiment(e *api.Experiment) (*experiment, error) {
	spec := e.GetSpec()
	x := &experiment{
		name: e.GetName(), metric: spec.GetObjective().GetObjectiveMetricName(),
		stopsEarly: spec.GetEarlyStopping().GetAlgorithmName() != "",
	}
	var err error
	if x.settings, err = readSettings(spec.GetAlgorithm()); err != nil {
		return nil, err
	}
	if spec.GetNasConfig() != nil {
		return nil, fmt.Errorf("algorithm %s tunes parameters: it does not search for architectures (nasConfig)", spec.GetAlgorithm().GetAlgorithmName())
	}
	if objective := spec.GetObjective(); objective != nil {
		if x.direction, err = direction(objective.GetType()); err != nil {
			return nil, err
		}
	}
	err = x.setParameters(spec.GetParameterSpecs().GetParameters())
	return x, err
}

// complete returns what is missing for a suggestion.
func (x *experiment) complete() error {
	switch {
	case x.direction == "":
		return errors.New("the experiment has no objective")
	case len(x.params) == 0:
		return errors.New("the experiment has no parameters")
	}
	return nil
}

func direction(t api.ObjectiveType) (goptuna.StudyDirection, error) {
	switch t {
	case api.ObjectiveType_MINIMIZE:
		return goptuna.StudyDirectionMinimize, nil
	case api.ObjectiveType_MAXIMIZE:
		return goptuna.StudyDirectionMaximize, nil
	}
	return "", errors.New("the objective has an unknown type: use minimize or maximize")
}

func (x *experiment) setParameters(specs []*api.ParameterSpec) error {
	if len(specs) > maxParameters {
		return fmt.Errorf("the experiment has %d parameters: at most %d are possible", len(specs), maxParameters)
	}
	known := map[string]bool{}
	for _, spec := range specs {
		p, err := newParameter(spec)
		if err != nil {
			return err
		}
		if known[p.name] {
			return fmt.Errorf("parameter %q is there twice", p.name)
		}
		known[p.name] = true
		if text, ok := x.graphs[p.name]; ok {
			if err := p.setGraph(text); err != nil {
				return fmt.Errorf("setting %s%s: %w", graphSetting, p.name, err)
			}
		}
		// What the sampler will not take is known now.
		if _, err := space.NewParam(p.name, p.distribution, p.graph); err != nil {
			return err
		}
		x.params = append(x.params, p)
	}
	for _, name := range slices.Sorted(maps.Keys(x.graphs)) {
		if len(specs) > 0 && !known[name] {
			return fmt.Errorf("setting %s%s: the experiment has no parameter %q", graphSetting, name, name)
		}
	}
	return nil
}

// parse returns the numbers of a trial's values by parameter, and false when it
// lacks one, or has one that the experiment does not have.
func (x *experiment) parse(texts map[string]string) (map[string]float64, bool) {
	numbers := make(map[string]float64, len(x.params))
	for _, p := range x.params {
		text, ok := texts[p.name]
		if !ok {
			return nil, false
		}
		number, err := p.parse(text)
		if err != nil {
			return nil, false
		}
		numbers[p.name] = number
	}
	return numbers, true
}

// texts returns values in the order of the parameters.
func (x *experiment) texts(numbers map[string]float64) []string {
	texts := make([]string, len(x.params))
	for i, p := range x.params {
		texts[i] = p.text(numbers[p.name])
	}
	return texts
}
