// Yahpo compares samplers on settings of learners, by YAHPO Gym (Pfisterer and others, 2022):
// neural networks that were fitted to many trainings predict what a learner reaches.
//
//	git clone https://github.com/slds-lmu/yahpo_data
//	go run ./_examples/bench/yahpo -data yahpo_data -scenario rbv2_xgboost -methods fm,tpe,random -seeds 10
//
// The scenarios are lcbench, a neural network with four floats, two logarithmic ints and
// an int; rbv2_rpart, a decision tree with a float, three ints and a choice; and
// rbv2_xgboost, boosting with fourteen parameters, eight of which depend on the booster.
// Their problems are the tasks of the benchmark's suite for a single objective and of the
// first paper that had them, or those of -tasks, each with the accuracy and with the loss. The
// measure is the regret of the best value so far: its distance from the best that half a
// million random draws had, divided by the distance of the median of random settings; below 0,
// it is better than theirs. Runs are kept with -runs FILE, and those that it has are not made again.
//
// The first release of the data has six more, for which 20,000 random draws, made here, show
// what is best: rbv2_svm, rbv2_ranger, rbv2_aknn and rbv2_glmnet; rbv2_super, which chooses
// among six learners; and nb301, neural architectures.
//
//	git -C yahpo_data worktree add ../yahpo_first 3a646b8
//	go run ./_examples/bench/yahpo -data yahpo_first -scenario rbv2_super -methods fm,tpe,random -seeds 10
//
// With -after 40 a run comes after studies of the other tasks, of forty trials each, and the
// methods are fm, which knows nothing of them, fm-best, which tries their best settings first,
// fm-all, which has their trials beside its own and a parameter that names the task, and fm-pool,
// which takes them for its own.
//
// It needs Python with ONNX Runtime (python3 -m pip install onnxruntime), and what the peers need.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

//go:embed objective.py
var files embed.FS

func main() { harness.Main(run) }

// run makes the runs and prints a table per problem and one of their mean, each with what the
// first method is exceeded by.
func run(ctx context.Context, args []string, out, log io.Writer) (err error) {
	plan := harness.Comparison{Plan: harness.Plan{Budget: harness.Budget{Seeds: 10, Trials: 100, Jobs: 2}, Log: log}}
	flags := flag.NewFlagSet("yahpo", flag.ContinueOnError)
	data := flags.String("data", "", "`directory` of YAHPO Gym's data")
	name := flags.String("scenario", "rbv2_rpart", "`name` of a scenario")
	var tasks []string
	harness.ListVar(flags, &tasks, "tasks", "`names` of its tasks, separated by commas; by default those of the benchmark")
	after := flags.Int("after", 0, "`number` of trials on each other task before")
	plan.Flags(flags)
	if err := plan.Parse(flags, args); err != nil {
		return err
	}
	if *data == "" {
		return errors.New("give the directory of the data by -data; to have it: git clone https://github.com/slds-lmu/yahpo_data")
	}
	chosen, err := harness.Select(*name, scenarios, func(s *scenario) string { return s.name })
	if err != nil {
		return err
	}
	s := *chosen[0]
	if tasks != nil {
		s.tasks = tasks
	}
	n, err := open(ctx, *data, &s, plan.Python, plan.Jobs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.workers.Close()) }()
	others, problem := n.peers(), n.problem
	transfer := harness.Transfer{Earlier: *after, Trials: plan.Trials, Related: related}
	if *after > 0 {
		others, problem, plan.Make = transfer.Methods(), n.costProblem, transfer.Make
	}
	if err := plan.Select(others...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plan.Store.Close()) }()
	for _, task := range n.tasks {
		for _, target := range n.measured {
			p, err := problem(ctx, task, target)
			if err != nil {
				return err
			}
			plan.Problems = append(plan.Problems, p)
		}
	}
	transfer.Problems = plan.Problems
	runs, _, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s; regret, mean ± standard error.\n", &plan.Budget)
	var names []string
	for _, p := range plan.Problems {
		names = append(names, p.Name)
	}
	marks := harness.Marks(plan.Trials, 15, 20, 30, 40, 50, 75, 100)
	if *after > 0 {
		marks = harness.Marks(plan.Trials, 5, 10, 15, 20)
	}
	harness.Compare(out, plan.Methods, names, runs, marks)
	return nil
}

// related reports whether two problems have the same target.
func related(p, other *harness.Problem) bool {
	target := func(p *harness.Problem) string { return p.Name[strings.LastIndex(p.Name, "-"):] }
	return target(p) == target(other)
}

// peers returns those that take the scenario's space.
func (n *network) peers() []*harness.Method {
	if len(n.settings.conditions) > 0 {
		return append(peers.ForTrees(), peers.SMAC())
	}
	return peers.All()
}
