package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// task is a table of measurements.
type task struct {
	name, title string
	params      int
	cells       string // configurations, measured or failed
}

var tasks = []task{
	{"berkeleydb_c", "Berkeley DB, response time", 9, "2,560"},
	{"direct_arylation", "chemical reaction, yield", 5, "1,728"},
	{"ga_tuning", "genetic algorithm, score", 4, "108"},
	{"gpu_pnpoly_rtx3090", "GPU kernel, run time", 4, "4,092"},
	{"hipacc", "image filter on a GPU, run time", 6, "28,560"},
	{"hsmgp", "multigrid solver, run time", 5, "3,528"},
	{"mongodb", "MongoDB, run time", 9, "12,960"},
	{"nasbench201", "neural architecture, error", 6, "15,625"},
	{"perovskite_bandgap", "perovskite, band gap", 3, "192"},
	{"postgresql", "PostgreSQL, run time", 8, "864"},
	{"spark", "Spark, throughput (a sample)", 13, "1,487"},
}

// marks are the numbers of trials at which methods are compared.
var marks = []int{30, 50, 100}

// shortMark is that of the short table.
const shortMark = 50

// report is what is shown. Values of real runs are normalised regrets.
type report struct {
	config
	tasks           []task
	methods         []*harness.Method // the first is the one that the others are compared with
	real, functions []*harness.Run
}

func (r *report) ours() *harness.Method { return r.methods[0] }

// beside returns the report on the methods that take minutes for a run: they have
// fewer tasks and seeds.
func (r *report) beside() *report {
	few := &report{config: r.config, methods: append([]*harness.Method{r.ours()}, slow...), real: r.real}
	few.Seeds = min(slowSeeds, r.Seeds)
	for _, t := range r.tasks {
		if slices.Contains(slowTasks, t.name) {
			few.tasks = append(few.tasks, t)
		}
	}
	// A single run says little, and has no standard error.
	few.methods = slices.DeleteFunc(few.methods, func(m *harness.Method) bool { return m != r.ours() && few.fewest(m) < 2 })
	return few
}

// present returns the methods that have runs on each task.
func (r *report) present() (all []*harness.Method) {
	for _, m := range r.methods {
		if !slices.ContainsFunc(r.tasks, func(t task) bool { return len(r.runs(t, m)) == 0 }) {
			all = append(all, m)
		}
	}
	return all
}

func (r *report) runs(t task, m *harness.Method) []*harness.Run {
	return slices.DeleteFunc(harness.RunsOf(r.real, t.name, m.Name), func(run *harness.Run) bool {
		return run.Seed >= r.FirstSeed+int64(r.Seeds)
	})
}

// percent returns the mean regret after n trials in per cent, to two digits
// behind the point: what is not seen in the table decides about no place.
func (r *report) percent(t task, m *harness.Method, n int) float64 {
	mean := stat.Mean(harness.Each(r.runs(t, m), func(run *harness.Run) float64 { return run.Best(n) }), nil)
	return math.Round(1e4*mean) / 100
}

// ahead returns the methods that are better than ours after n trials.
func (r *report) ahead(t task, n int) (titles []string) {
	for _, m := range r.present() {
		if r.percent(t, m, n) < r.percent(t, r.ours(), n) {
			titles = append(titles, m.Title)
		}
	}
	return titles
}

// short returns the README's table.
func (r *report) short() string {
	rows := [][]string{{"task"}}
	for _, m := range r.present() {
		rows[0] = append(rows[0], m.Title)
	}
	rows[0] = append(rows[0], "who is ahead at 30 / 50 / 100")
	for _, t := range r.tasks {
		row := append([]string{t.title}, r.cells(t, shortMark)...)
		var lost []string
		for _, n := range marks {
			lost = append(lost, r.names(r.ahead(t, n)))
		}
		if strings.Join(lost, "") == strings.Repeat(dash, len(marks)) {
			lost = []string{dash}
		}
		rows = append(rows, append(row, strings.Join(lost, " / ")))
	}
	return r.summary() + "\n" + harness.Markdown(rows)
}

// summary says how often nobody is better than ours, and how many seeds there are.
func (r *report) summary() string {
	var firsts, fewer []string
	for _, n := range marks {
		first := 0
		for _, t := range r.tasks {
			if len(r.ahead(t, n)) == 0 {
				first++
			}
		}
		firsts = append(firsts, fmt.Sprintf("%d of %d tasks after %d trials", first, len(r.tasks), n))
	}
	for _, m := range r.present() {
		if n := r.fewest(m); n < r.Seeds {
			fewer = append(fewer, fmt.Sprintf(", %d of %s", n, m.Title))
		}
	}
	return fmt.Sprintf("%s is first, or level with the first, on %s. Means over %d seeds%s.\n",
		r.ours().Title, strings.Join(firsts, ", "), r.Seeds, strings.Join(fewer, ""))
}

// cells returns the regrets of all methods in per cent, the best ones bold.
func (r *report) cells(t task, n int) (cells []string) {
	best := math.Inf(1)
	for _, m := range r.present() {
		best = min(best, r.percent(t, m, n))
	}
	for _, m := range r.present() {
		text := fmt.Sprintf("%.2f", r.percent(t, m, n))
		if r.percent(t, m, n) == best {
			text = "**" + text + "**"
		}
		cells = append(cells, text)
	}
	return cells
}

// long returns the table with all marks and standard errors.
func (r *report) long() string {
	rows := [][]string{{"task", "parameters", "configurations", "trials"}}
	for _, m := range r.present() {
		rows[0] = append(rows[0], fmt.Sprintf("%s (%d)", m.Title, r.fewest(m)))
	}
	for _, t := range r.tasks {
		for i, n := range marks {
			row := []string{"", "", "", fmt.Sprint(n)}
			if i == 0 {
				row = []string{t.name, fmt.Sprint(t.params), t.cells, fmt.Sprint(n)}
			}
			for j, m := range r.present() {
				errs := harness.StdErr(harness.Each(r.runs(t, m), func(run *harness.Run) float64 { return run.Best(n) }))
				row = append(row, fmt.Sprintf("%s ± %.2f", r.cells(t, n)[j], 100*errs))
			}
			rows = append(rows, row)
		}
	}
	return harness.Markdown(rows)
}

// fewest returns the number of runs on the task that has the fewest.
func (r *report) fewest(m *harness.Method) int {
	n := math.MaxInt
	for _, t := range r.tasks {
		n = min(n, len(r.runs(t, m)))
	}
	return n
}

const dash = "–"

// names lists methods, or counts them where they are many.
func (r *report) names(titles []string) string {
	switch {
	case len(titles) == 0:
		return dash
	case len(titles) > 2:
		return fmt.Sprintf("%d of %d", len(titles), len(r.present())-1)
	}
	return strings.Join(titles, ", ")
}

// draw saves the picture: the mean over the tasks, and Ackley5C.
func (r *report) draw(path string) error {
	quarters := []float64{0, 25, 50, 75, 100}
	left := &harness.Picture{
		Title: fmt.Sprintf("Mean over %d real tasks", len(r.tasks)), XLabel: "trials", X: quarters,
		YLabel: "left to gain, % (lower is better)", LogY: true, Floor: 1e-1, NoLegend: true,
	}
	right := &harness.Picture{
		Title: "Ackley5C, a test function", XLabel: "trials", X: quarters,
		YLabel: "best value so far (lower is better)", LogY: true, Floor: 1e-2,
	}
	for picture, all := range map[*harness.Picture][]*harness.Run{left: r.means(), right: r.functions} {
		for _, m := range r.methods { // one without runs keeps its colour
			var line harness.Line
			if runs := harness.RunsOf(all, "", m.Name); len(runs) > 0 {
				line = harness.Regret(harness.Sample{Title: m.Title, Runs: runs}, 0)
			}
			line.Reference = m == r.ours()
			picture.Lines = append(picture.Lines, line)
		}
	}
	return harness.SaveRow(path, left, right)
}

// means returns a run per method and seed that has a run on each task: the mean of the best
// values so far, in per cent.
func (r *report) means() []*harness.Run {
	var names []string
	for _, t := range r.tasks {
		names = append(names, t.name)
	}
	var percent []*harness.Run
	for _, run := range r.real {
		curve := run.BestSoFar()
		floats.Scale(100, curve.Values)
		percent = append(percent, curve)
	}
	return harness.MeanRuns("mean", names, percent)
}
