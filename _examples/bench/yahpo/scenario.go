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

// scenario is what a network of YAHPO Gym predicts of a learner: what goes in and comes
// out, in the order of the network, and the problems that are made of it.
type scenario struct {
	name        string
	model       string   // file of the network
	task        string   // the parameter that names the data set
	numbers     []string // inputs
	categorical []string
	targets     []string       // outputs
	fixed       map[string]any // how much is spent on a training: all there is
	tasks       []string       // of the problems
	measured    []string       // their targets: accuracy or error, and the loss
	drawn       bool           // whether there are no statistics of what is best, and random draws take their place
}

// scenarios are three of the suite for a single objective, and six of the first release of
// the data. The orders are those of package yahpo_gym, benchmarks/lcbench.py, rbv2.py and
// nb301.py.
var scenarios = []*scenario{
	{
		name: "lcbench", model: "model.onnx", task: "OpenML_task_id",
		numbers:     strings.Fields("epoch batch_size learning_rate momentum weight_decay num_layers max_units max_dropout"),
		categorical: strings.Fields("OpenML_task_id"),
		targets:     strings.Fields("time val_accuracy val_cross_entropy val_balanced_accuracy test_cross_entropy test_balanced_accuracy"),
		fixed:       map[string]any{"epoch": 52},
		tasks:       strings.Fields("167168 189873 189906"), measured: strings.Fields("val_accuracy val_cross_entropy"),
	},
	rbv2("rbv2_rpart", tree, imputation, "14 40499 1501"),
	rbv2("rbv2_xgboost", boosting, "booster "+imputation, "12 1501 16 40499"),
	first("rbv2_svm", svm, "kernel "+imputation),
	first("rbv2_ranger", forest, "respect.unordered.factors splitrule "+imputation),
	first("rbv2_aknn", neighbours, "distance "+imputation),
	first("rbv2_glmnet", linear, imputation),
	first("rbv2_super",
		strings.Join([]string{of("svm", svm), of("glmnet", linear), of("rpart", tree), of("ranger", forest), of("aknn", neighbours), of("xgboost", boosting)}, " "),
		"learner svm.kernel ranger.respect.unordered.factors ranger.splitrule aknn.distance xgboost.booster "+imputation),
	{
		name: "nb301", model: firstModel, task: "dataset",
		numbers: strings.Fields("epoch"), categorical: cells(), targets: strings.Fields("val_accuracy runtime"),
		fixed: map[string]any{"epoch": 98},
		tasks: strings.Fields("CIFAR10"), measured: strings.Fields("val_accuracy"), drawn: true,
	},
}

// The numbers of the learners.
const (
	svm        = "cost gamma tolerance degree"
	linear     = "alpha s"
	tree       = "cp maxdepth minbucket minsplit"
	forest     = "num.trees sample.fraction mtry.power min.node.size num.random.splits"
	neighbours = "k M ef ef_construction"
	boosting   = "nrounds eta gamma lambda alpha subsample max_depth min_child_weight colsample_bytree colsample_bylevel rate_drop skip_drop"
	imputation = "num.impute.selected.cpo"
)

func rbv2(name, numbers, categorical, tasks string) *scenario {
	return &scenario{
		name: name, model: "model.onnx", task: "task_id",
		numbers: strings.Fields(numbers + " trainsize repl"), categorical: strings.Fields("task_id " + categorical),
		targets: strings.Fields("acc bac auc brier f1 logloss timetrain timepredict memory"),
		fixed:   map[string]any{"trainsize": 1, "repl": 10},
		tasks:   strings.Fields(tasks), measured: strings.Fields("acc logloss"),
	}
}

// firstModel is the file of a network of the first release.
const firstModel = "new_model.onnx"

// first returns one of rbv2 as the first release has it, on the tasks of rbv2_xgboost.
func first(name, numbers, categorical string) *scenario {
	s := rbv2(name, numbers, categorical, "12 1501 16 40499")
	s.model, s.drawn = firstModel, true
	s.targets, s.measured = strings.Fields("mmce f1 auc logloss timetrain timepredict"), strings.Fields("mmce logloss")
	return s
}

// of returns the names of a learner's parameters beside those of others.
func of(learner, numbers string) string {
	names := strings.Fields(numbers)
	for i, name := range names {
		names[i] = learner + "." + name
	}
	return strings.Join(names, " ")
}

// cells returns the names of what the two cells of nb301 are made of: operations on edges,
// and the inputs of nodes.
func cells() (names []string) {
	add := func(name string, from, to int) {
		for _, cell := range []string{"normal", "reduce"} {
			for i := from; i < to; i++ {
				names = append(names, fmt.Sprintf("NetworkSelectorDatasetInfo_COLON_darts_COLON_%s_%s_%d", name, cell, i))
			}
		}
	}
	add("edge", 0, 14)
	add("inputs_node", 3, 6)
	return names
}

// minimises reports whether a target is to be small.
func minimises(target string) bool {
	return target == "mmce" || strings.HasSuffix(target, "loss") || strings.HasSuffix(target, "cross_entropy")
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

type condition struct {
	Child      string      `json:"child"`
	Parent     string      `json:"parent"`
	Type       string      `json:"type"`       // EQ, IN or AND
	Value      string      `json:"value"`      // of EQ
	Values     []string    `json:"values"`     // of IN
	Conditions []condition `json:"conditions"` // of AND
}

// all returns what must hold for the child to be there.
func (c *condition) all() (all []problems.Condition) {
	for i := range c.Conditions {
		all = append(all, c.Conditions[i].all()...)
	}
	switch c.Type {
	case "EQ":
		all = append(all, problems.Condition{Param: c.Child, Parent: c.Parent, Choices: []string{c.Value}})
	case "IN":
		all = append(all, problems.Condition{Param: c.Child, Parent: c.Parent, Choices: c.Values})
	}
	return all
}

// settings are the parameters of a learner, in the order in which a trial asks for them:
// none comes before one that decides about it.
type settings struct {
	params     problems.Space
	rounded    map[string]bool // integers on a logarithmic scale
	conditions []problems.Condition
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
	s := &settings{rounded: map[string]bool{}}
	for i := range file.Conditions {
		s.conditions = append(s.conditions, file.Conditions[i].all()...)
	}
	for _, h := range file.Hyperparameters {
		if decided(h.Name) {
			continue
		}
		var q problems.Param
		switch {
		case h.Type == "categorical":
			q = problems.Choice(h.Name, h.Choices...)
		case h.Type == "uniform_int" && !h.Log:
			q = problems.Int(h.Name, int(h.Lower), int(h.Upper))
		case h.Type == "uniform_int" || h.Type == "uniform_float":
			q = problems.Param{Name: h.Name, Low: h.Lower, High: h.Upper, Log: h.Log}
			s.rounded[h.Name] = h.Type == "uniform_int"
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
		if slices.ContainsFunc(s.conditions, func(c problems.Condition) bool {
			parent, _ := config[c.Parent].(string)
			return c.Param == q.Name && !slices.Contains(c.Choices, parent)
		}) {
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
