package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// scenario is a learner whose results a network of YAHPO Gym predicts: what goes in and
// comes out, in the order of the network, and the problems that are made of it.
type scenario struct {
	name        string
	task        string   // the parameter that names the data set
	numbers     []string // inputs
	categorical []string
	targets     []string       // outputs
	fixed       map[string]any // how much is spent on a training: all there is
	tasks       []string       // of the problems
	measured    []string       // their targets: what the benchmark's suite has, and the loss
}

func fields(text string) []string { return strings.Fields(text) }

// scenarios are those of the suite for a single objective whose networks are small. The
// orders are those of package yahpo_gym, benchmarks/lcbench.py and benchmarks/rbv2.py.
var scenarios = []*scenario{
	{
		name: "lcbench", task: "OpenML_task_id",
		numbers:     fields("epoch batch_size learning_rate momentum weight_decay num_layers max_units max_dropout"),
		categorical: fields("OpenML_task_id"),
		targets:     fields("time val_accuracy val_cross_entropy val_balanced_accuracy test_cross_entropy test_balanced_accuracy"),
		fixed:       map[string]any{"epoch": 52},
		tasks:       fields("167168 189873 189906"), measured: fields("val_accuracy val_cross_entropy"),
	},
	rbv2("rbv2_rpart", "cp maxdepth minbucket minsplit", "num.impute.selected.cpo", "14 40499 1501"),
	rbv2("rbv2_xgboost", "nrounds eta gamma lambda alpha subsample max_depth min_child_weight colsample_bytree colsample_bylevel rate_drop skip_drop",
		"booster num.impute.selected.cpo", "12 1501 16 40499"),
}

func rbv2(name, numbers, categorical, tasks string) *scenario {
	return &scenario{
		name: name, task: "task_id",
		numbers: fields(numbers + " trainsize repl"), categorical: fields("task_id " + categorical),
		targets: fields("acc bac auc brier f1 logloss timetrain timepredict memory"),
		fixed:   map[string]any{"trainsize": 1, "repl": 10},
		tasks:   fields(tasks), measured: fields("acc logloss"),
	}
}

// minimises reports whether a target is to be small.
func minimises(target string) bool {
	return strings.HasSuffix(target, "loss") || strings.HasSuffix(target, "cross_entropy")
}

// config_space.json, as far as it is used.
type configSpace struct {
	Hyperparameters []struct {
		Name    string   `json:"name"`
		Type    string   `json:"type"`
		Lower   float64  `json:"lower"`
		Upper   float64  `json:"upper"`
		Log     bool     `json:"log"`
		Choices []string `json:"choices"`
	} `json:"hyperparameters"`
	Conditions []condition `json:"conditions"`
}

// condition says for which values of its parent there is a child.
type condition struct {
	Child  string   `json:"child"`
	Parent string   `json:"parent"`
	Type   string   `json:"type"` // EQ or IN
	Value  any      `json:"value"`
	Values []string `json:"values"`
}

func (c *condition) holds(config map[string]any) bool {
	if c.Type == "EQ" {
		return config[c.Parent] == c.Value
	}
	parent, _ := config[c.Parent].(string)
	return slices.Contains(c.Values, parent)
}

// settings are the parameters of a learner, in the order in which a trial asks for them:
// none comes before one that decides about it.
type settings struct {
	params     problems.Space
	rounded    map[string]bool // integers on a logarithmic scale
	conditions []condition
}

// readSettings reads those parameters of a configuration space that are not decided.
func readSettings(directory string, decided func(name string) bool) (*settings, error) {
	path := filepath.Join(directory, "config_space.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file configSpace
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := &settings{rounded: map[string]bool{}, conditions: file.Conditions}
	for _, h := range file.Hyperparameters {
		if decided(h.Name) {
			continue
		}
		q := problems.Param{Name: h.Name, Low: h.Lower, High: h.Upper, Log: h.Log}
		switch {
		case h.Type == "categorical":
			q.Kind, q.Levels, q.Choices = problems.Nominal, len(h.Choices), h.Choices
		case h.Type == "uniform_int" && !h.Log:
			q.Kind, q.Levels = problems.Ordinal, int(h.Upper-h.Lower)+1
		case h.Type == "uniform_int" || h.Type == "uniform_float":
			q.Kind, s.rounded[h.Name] = problems.Continuous, h.Type == "uniform_int"
		default:
			return nil, fmt.Errorf("%s: parameter %s is of the unknown type %q", path, h.Name, h.Type)
		}
		s.params = append(s.params, q)
	}
	return s, nil
}

// suggest asks a trial for the parameters that it has.
func (s *settings) suggest(trial *goptuna.Trial) (map[string]any, error) {
	config := map[string]any{}
	for _, q := range s.params {
		if slices.ContainsFunc(s.conditions, func(c condition) bool { return c.Child == q.Name && !c.holds(config) }) {
			continue
		}
		space := problems.Space{q}
		c, v, err := space.Suggest(trial)
		if err != nil {
			return nil, err
		}
		value := space.Values(c, v)[q.Name]
		if s.rounded[q.Name] {
			value = math.Round(value.(float64))
		}
		config[q.Name] = value
	}
	return config, nil
}
