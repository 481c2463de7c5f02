// Transfer measures what the trials of earlier studies are worth for the next one, where the same
// parameters are tuned on another machine, or for another product.
//
//	go run ./_examples/bench/transfer -data DIR -table buchwald_a,buchwald_b,buchwald_c
//
// The problems are tables, as the program tables has them, and those with the same names of
// parameters are related. A run on one of them comes after a study of each of the others (-after
// trials). The methods are fm, which knows nothing of these studies, fm-best, which tries their best
// configurations first, fm-all, which has their trials beside its own and a parameter that names
// the table, and fm-pool, which takes them for its own. The measure is the normalised regret of the
// best value so far: its distance from the optimum, divided by the distance of the table's median;
// a failed trial has the worst row's.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

func main() { harness.Main(run) }

func run(ctx context.Context, args []string, out, log io.Writer) (err error) {
	plan := harness.Comparison{
		Plan:  harness.Plan{Budget: harness.Budget{Seeds: 10, Trials: 30, Jobs: runtime.NumCPU()}, Log: log},
		Names: "fm,fm-best,fm-all,fm-pool",
	}
	flags := flag.NewFlagSet("transfer", flag.ContinueOnError)
	data := flags.String("data", os.Getenv("FM_TABLES"), "`directory` of the tables; by default what FM_TABLES says")
	names := flags.String("table", "all", "`names` of the tables, separated by commas")
	after := flags.Int("after", 40, "`number` of trials on each related table before")
	plan.Flags(flags)
	if err := plan.Parse(flags, args); err != nil {
		return err
	}
	if *data == "" {
		return errors.New("-data or the environment variable FM_TABLES must name the directory of the tables")
	}
	if *after < 1 {
		return errors.New("-after must be at least 1")
	}
	tables, err := lookup.ReadAll(*data, *names)
	if err != nil {
		return err
	}
	var titles []string
	worst := map[string]float64{}
	for _, t := range tables {
		p, err := t.Problem(false)
		if err != nil {
			return err
		}
		plan.Problems, titles, worst[p.Name] = append(plan.Problems, p), append(titles, p.Name), t.Regret(t.Worst)
	}
	transfer := harness.Transfer{Problems: plan.Problems, Related: related, Earlier: *after, Trials: plan.Trials}
	plan.Make = transfer.Make
	if err := plan.Select(transfer.Methods()...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plan.Store.Close()) }()
	for _, p := range plan.Problems {
		if !slices.ContainsFunc(plan.Problems, func(other *harness.Problem) bool { return other != p && related(p, other) }) {
			return fmt.Errorf("-table: no other table has the parameters of %s", p.Name)
		}
	}
	runs, _, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	for _, r := range runs {
		for i, value := range r.Values {
			if math.IsNaN(value) {
				r.Values[i] = worst[r.Problem]
			}
		}
	}
	fmt.Fprintf(out, "%s, after %d trials on each related table; normalised regret, mean ± standard error.\n", &plan.Budget, *after)
	harness.Compare(out, plan.Methods, titles, runs, harness.Marks(plan.Trials, 5, 10, 15, 20))
	return nil
}

// related reports whether two tables have parameters of the same names.
func related(p, other *harness.Problem) bool {
	return slices.EqualFunc(p.Space, other.Space, func(a, b problems.Param) bool { return a.Name == b.Name })
}
