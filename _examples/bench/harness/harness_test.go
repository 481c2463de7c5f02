package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness/sqlite"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// testPlan is a run of random search on Func2C.
func testPlan(trials int) *Plan {
	return &Plan{
		Budget: Budget{Seeds: 1, Trials: trials, Jobs: 2}, Log: io.Discard,
		Problems: []*Problem{Function(problems.Func2C())}, Methods: []*Method{Random()},
	}
}

// inFile keeps the runs of a plan in SQLite files.
func inFile(t *testing.T, p *Plan) *Plan {
	dir := t.TempDir()
	p.Open = sqlite.Open
	p.File = func(problem *Problem, m *Method, seed int64) string {
		return filepath.Join(dir, fmt.Sprintf("%s-%s-%d.db", problem.Name, m.Name, seed))
	}
	return p
}

func values(t *testing.T, p *Plan) []float64 {
	t.Helper()
	runs, _, err := p.Run(t.Context())
	if err != nil || len(runs) != p.Seeds {
		t.Fatalf("%d runs, error %v", len(runs), err)
	}
	return runs[0].Values
}

// same counts two failures as the same.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// A run in a file goes on as if it had not stopped, and one that is finished is
// left alone.
func TestResume(t *testing.T) {
	fm := FM("fm", "FM")
	whole := testPlan(14)
	whole.Methods = []*Method{fm}
	want := values(t, whole)
	parts := inFile(t, testPlan(12))
	parts.Methods = whole.Methods
	values(t, parts)
	parts.Trials = 14
	if got := values(t, parts); !slices.Equal(got, want) {
		t.Errorf("in one go\n%v\nin parts\n%v", want, got)
	}
	path := parts.File(parts.Problems[0], fm, 0)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts.Trials = 10
	if got := values(t, parts); !slices.Equal(got, want) {
		t.Errorf("a start with nothing to do returns\n%v, want\n%v", got, want)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("it changes the study, error %v", err)
	}
}

// With noise the study has other values than the run, by the noise of the trial.
func TestNoise(t *testing.T) {
	exact := values(t, testPlan(4))
	p := testPlan(4)
	noisy := *p.Problems[0]
	noisy.Noise = 0.25
	p.Problems[0] = &noisy
	runs, _, err := p.Run(t.Context())
	if err != nil || !slices.Equal(runs[0].Values, exact) {
		t.Fatalf("values %v, want %v, error %v", runs[0].Values, exact, err)
	}
	for i, trial := range runs[0].Trials {
		if got, want := trial.Value-exact[i], 0.25*Noise(runs[0].Seed, i); math.Abs(got-want) > 1e-12 || got == 0 {
			t.Errorf("trial %d: noise %v, want %v", i, got, want)
		}
	}
}

// Trials whose objective fails count and are told apart; a trial that was
// running when the program was killed is made up for.
func TestFailures(t *testing.T) {
	p := inFile(t, testPlan(6))
	good := p.Problems[0]
	bad := *good
	calls := 0
	bad.Objective = func(trial goptuna.Trial) (float64, error) {
		value, err := good.Objective(trial)
		switch calls++; calls {
		case 2:
			return 0, fmt.Errorf("%w: %s", ErrFailed, strings.Repeat("worse and ", 300))
		case 3:
			return math.NaN(), nil
		}
		return value, err
	}
	p.Problems[0] = &bad
	values(t, p)
	study, end, err := openStudy(sqlite.Open, p.File(good, p.Methods[0], 0), "any name", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := study.Storage.CreateNewTrial(study.ID); err != nil {
		t.Fatal(err)
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	p.Problems[0], p.Trials = good, 9
	got := values(t, p)
	for i, y := range got {
		if failed := i == 1 || i == 2; failed != math.IsNaN(y) {
			t.Errorf("trial %d has the value %v", i, y)
		}
	}
	if len(got) != 9 {
		t.Errorf("%d trials, want 9", len(got))
	}
	bad.Settings, p.Problems[0], p.Trials = "other", &bad, 10
	if _, _, err := p.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `made with "", not "other"`) {
		t.Errorf("a study is continued with other settings: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Sample(*goptuna.Study, goptuna.FrozenTrial, string, any) (float64, error) {
	return 0, f.err
}

// An error of the method ends the run and is reported, and so does a signal.
func TestStops(t *testing.T) {
	broken := errors.New("broken")
	p := inFile(t, testPlan(5))
	p.Methods = []*Method{{Name: "broken", Open: InGo(func(Setting) goptuna.Sampler { return failing{broken} })}}
	if _, _, err := p.Run(t.Context()); !errors.Is(err, broken) || !strings.Contains(err.Error(), "Func2C, broken, seed 0") {
		t.Errorf("got error %v, want that of the method with the name of the run", err)
	}

	p = inFile(t, testPlan(5))
	ctx, cancel := context.WithCancel(t.Context())
	problem := *p.Problems[0]
	objective, calls := problem.Objective, 0
	problem.Objective = func(trial goptuna.Trial) (float64, error) {
		if calls++; calls == 3 {
			cancel()
		}
		return objective(trial)
	}
	p.Problems[0] = &problem
	if _, _, err := p.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that of the context", err)
	}
	if r, err := ReadStudy(sqlite.Open, p.File(&problem, p.Methods[0], 0), &problem); err != nil || len(r.Values) != 3 {
		t.Errorf("%d trials are finished, want 3; error %v", len(r.Values), err)
	}
}

// Runs of the methods to be kept are made once; one that is not installed is
// skipped; a method may have fewer seeds.
func TestPlan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.csv")
	var logs [2]bytes.Buffer
	var all [2][]*Run
	for i := range logs {
		store, err := OpenStore(path)
		if err != nil {
			t.Fatal(err)
		}
		p := testPlan(4)
		few := Random()
		few.Name, few.Seeds = "few", 1
		again := Random()
		again.Name = "again"
		absent := &Method{Name: "absent", Open: func(context.Context, Setting) (*Instance, error) {
			return nil, &bridge.MissingError{What: "no abacus", Install: "buy one"}
		}}
		p.Methods = []*Method{Random(), few, again, absent}
		p.Seeds, p.FirstSeed, p.Log, p.Store = 2, 7, &logs[i], store
		p.Keep = func(m *Method) bool { return m != again }
		var skipped []*Method
		if all[i], skipped, err = p.Run(t.Context()); err != nil || len(skipped) != 1 || skipped[0] != absent {
			t.Fatalf("skipped %v, error %v", skipped, err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"again 2, few 1, random 2, skipped 1", "again 2, few 0, random 0, skipped 1"} {
		count := func(text string) int { return strings.Count(logs[i].String(), text) }
		got := fmt.Sprintf("again %d, few %d, random %d, skipped %d", count(", again,"), count(", few,"), count(", random,"), count("absent is skipped: no abacus; to have it: buy one"))
		if got != want {
			t.Errorf("start %d: got %s, want %s", i, got, want)
		}
	}
	if got, want := fmt.Sprint(all[1]), "[Func2C, random, seed 7 Func2C, few, seed 7 Func2C, again, seed 7 Func2C, random, seed 8 Func2C, again, seed 8]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for i, r := range all[0] {
		if !slices.EqualFunc(r.Values, all[1][i].Values, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
			t.Errorf("%s: %v, from the file %v", r, r.Values, all[1][i].Values)
		}
	}
}

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.csv")
	if err := os.WriteFile(path, []byte("problem,method,seed,seconds,values\nP,tpe,3,1.5,0.5 NaN 7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 { // as it was, and with a run that was added
		s, err := OpenStore(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			problem, method string
			seed            int64
			trials          int
			want            []float64
			why             string
		}{
			{"P", "tpe", 3, 3, []float64{0.5, math.NaN(), 7}, "as it was"},
			{"P", "tpe", 3, 2, []float64{0.5, math.NaN()}, "the first trials of a longer run"},
			{"P", "tpe", 3, 4, nil, "too short"},
			{"P", "tpe", 2, 3, nil, "another seed"},
			{"Q", "tpe", 3, 3, nil, "another problem"},
		} {
			r := s.Find(test.problem, test.method, test.seed, test.trials)
			if r == nil {
				r = &Run{}
			}
			if !slices.EqualFunc(r.Values, test.want, same) {
				t.Errorf("%s: found %v, want %v", test.why, r.Values, test.want)
			}
		}
		if err := s.Add(&Run{Problem: "P", Method: "new", Seed: 1, Values: []float64{1}}); err != nil {
			t.Fatal(err)
		}
		if s.Find("P", "new", 1, 1) == nil {
			t.Error("a run that was added is not found")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, own := range []string{"", filepath.Join(t.TempDir(), "other.csv")} {
		other, err := OpenStore(own, path)
		if err != nil || other.Find("P", "new", 1, 1) == nil {
			t.Errorf("the run of another file is not found, error %v", err)
		}
		if err := errors.Join(other.Add(&Run{Problem: "P", Method: "more"}), other.Close()); err != nil {
			t.Errorf("%q: %v", own, err)
		}
		if _, err := OpenStore(own, path+"x"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a file that is not there: %v", err)
		}
	}
	if unchanged, err := OpenStore(path); err != nil || unchanged.Find("P", "more", 0, 0) != nil {
		t.Errorf("a further file was written to, error %v", err)
	} else if err := unchanged.Close(); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"a,b\n", "P,tpe,one,1,0.5\n", "P,tpe,1,1,0.5 x\n"} {
		if err := os.WriteFile(path, []byte("problem,method,seed,seconds,values\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenStore(path); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: error %v, want one that names line 2", text, err)
		}
	}
}

// A file of something else is an error that says so, and is left as it is.
func TestStoreOfOtherColumns(t *testing.T) {
	for _, text := range []string{"problem,method,version,seconds,values\nP,tpe,1,2,0.5\n", "name,method,seed,values\n"} {
		path := filepath.Join(t.TempDir(), "other.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, paths := range [][]string{{path}, {"", path}} {
			if _, err := OpenStore(paths[0], paths[1:]...); err == nil || !strings.Contains(err.Error(), "other.csv: there is no column") {
				t.Errorf("%q: error %v, want one that names the column", text, err)
			}
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("the file is %q, error %v, want %q", after, err, text)
		}
	}
}

func TestDo(t *testing.T) {
	broken := errors.New("broken")
	err := Do(t.Context(), 2, []int{1, 2, 3, 4, 5, 6, 7, 8}, func(ctx context.Context, job int) error {
		switch {
		case job == 3:
			return broken
		case job == 4: // beside the one that fails
			<-ctx.Done()
		case job > 4:
			t.Errorf("job %d is begun after an error", job)
		}
		return nil
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of a job", err)
	}
}

func TestCurve(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		r    Run
		want []float64
		why  string
	}{
		{Run{Values: []float64{nan, 5, 3, nan, 4}}, []float64{inf, 5, 3, 3, 3}, "failures are no values"},
		{Run{Values: []float64{5, 4, 3}, Observed: []float64{1, 2, 0}}, []float64{5, 5, 3}, "the trial that looks best"},
	} {
		if got := test.r.Curve(); !slices.Equal(got, test.want) {
			t.Errorf("got %v, want %v (%s)", got, test.want, test.why)
		}
	}
	r := Run{Values: []float64{5, 2, 3}}
	if r.Reach(2) != 2 || r.Reach(1) != inf || r.Best(2) != 2 || !math.IsNaN(r.Best(4)) {
		t.Errorf("reaches 2 after %v and 1 after %v, best of 2 %v and of 4 %v", r.Reach(2), r.Reach(1), r.Best(2), r.Best(4))
	}
}

func TestDifferences(t *testing.T) {
	run := func(problem string, seed int64, y float64) *Run {
		return &Run{Problem: problem, Seed: seed, Values: []float64{y}}
	}
	got := Differences([]*Run{run("P", 1, 5), run("P", 2, 7), run("Q", 1, 1)}, []*Run{run("Q", 1, 4), run("P", 2, 6), run("P", 3, 0)},
		func(r *Run) float64 { return r.Best(1) })
	if want := []float64{1, -3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMeanError(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		xs   []float64
		want string
		why  string
	}{
		{[]float64{1, 2, 3}, "2.00 ± 0.58", "standard deviation 1, divided by √3"},
		{[]float64{2}, "2.00", "one run has no standard error"},
		{[]float64{1, inf, 3}, "2.00 ± 1.00 (2 of 3)", "one run found nothing"},
		{[]float64{inf, math.NaN()}, "none", "no run did"},
		{nil, "", "there are no runs"},
	} {
		if got := MeanError(test.xs, 2); got != test.want {
			t.Errorf("%v: got %q, want %q (%s)", test.xs, got, test.want, test.why)
		}
	}
}

func TestMedian(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		xs   []float64
		want float64
	}{{[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}, {[]float64{inf, 1, inf}, inf}, {[]float64{1, 2, inf, inf}, inf}} {
		if got := Median(test.xs); got != test.want {
			t.Errorf("%v: got %v, want %v", test.xs, got, test.want)
		}
	}
}

func TestTable(t *testing.T) {
	sample := Sample{Title: "a", Runs: []*Run{{Values: []float64{3, 1}, Seconds: 1}, {Values: []float64{3, 2}, Seconds: 2}}}
	rows := Rows([]Sample{sample}, append([]Column{Title("method"), Count("runs"), Seconds("s")}, BestAt(Marks(2, 1, 5), 1, 1)...)...)
	var out bytes.Buffer
	Print(&out, rows)
	if want := "method  runs  s     n=1        n=2\na       2     0.75  2.0 ± 0.0  0.5 ± 0.5\n"; out.String() != want {
		t.Errorf("got\n%s, want\n%s", &out, want)
	}
	if got, want := Markdown(rows), "| method | runs | s | n=1 | n=2 |\n|---|---|---|---|---|\n| a | 2 | 0.75 | 2.0 ± 0.0 | 0.5 ± 0.5 |\n"; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

func TestBand(t *testing.T) {
	inf := math.Inf(1)
	l := Band("", [][]float64{{inf, 4, 3, 1}, {2, 2, 1}})
	if got, want := fmt.Sprint(l.Points, l.Low, l.High), "[{2 3} {3 2}] [{2 2} {3 1}] [{2 4} {3 3}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A picture has its size, with axes of both kinds and also with nothing in it.
func TestPicture(t *testing.T) {
	if testing.Short() { // as under the race detector
		t.Skip("draws one picture after another")
	}
	line := Band("a", [][]float64{{9, 3, 1e-9}, {8, 2, 1}})
	guide := line
	guide.Guide, guide.Low = true, nil
	for i, p := range []Picture{
		{Lines: []Line{line}, Skip: 2},
		{Lines: []Line{line, guide}, LogY: true, Floor: 1e-5},
		{Lines: []Line{{Title: "dots", Dots: true, Points: line.Points}}, LogX: true, LogY: true, X: []float64{1, 3}, Unit: Text},
		{}, {LogY: true},
	} {
		path := filepath.Join(t.TempDir(), "picture.png")
		if err := p.Save(path); err != nil {
			t.Fatal(i, err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		picture, err := png.Decode(file)
		if err != nil {
			t.Fatal(err)
		}
		if size := picture.Bounds().Size(); size.X != 1600 || size.Y != 1000 {
			t.Errorf("picture %d has %v pixels, want 1600×1000", i, size)
		}
	}
}

func TestSelect(t *testing.T) {
	all := []*Method{{Name: "a", Group: "g"}, {Name: "b", Group: "g"}, {Name: "c"}}
	for list, want := range map[string]string{"c,a": "ca", "b, G": "ba", "all": "abc"} {
		found, err := SelectMethods(list, all)
		got := ""
		for _, m := range found {
			got += m.Name
		}
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", list, got, err, want)
		}
	}
	if _, err := SelectMethods("a,d", all); err == nil || !strings.Contains(err.Error(), `"d", only a, all, b, c, g`) {
		t.Errorf("got %v, want the names there are", err)
	}
}

// What has no pair in the base does not count.
func TestLessThatOf(t *testing.T) {
	of := func(problem string, seed int64, values ...float64) *Run {
		return &Run{Problem: problem, Seed: seed, Values: values}
	}
	base := Sample{Runs: []*Run{of("P", 1, 5, 1), of("P", 2, 4, 2)}}
	other := Sample{Title: "b", Runs: []*Run{of("P", 1, 7, 3), of("P", 2, 8, 8), of("P", 3, 9, 9), of("Q", 1, 9, 9)}}
	rows := Rows([]Sample{other}, LessThatOf(base, []int{1, 2}, 1)...)
	if got, want := fmt.Sprint(rows), "[[n=1 n=2] [3.0 ± 1.0 4.0 ± 2.0]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// With noise the trial that looks best may be worse than one before, in the mean of runs, too.
func TestBestSoFarWithNoise(t *testing.T) {
	r := &Run{Problem: "P", Values: []float64{math.NaN(), 3, 1, 2, 5}, Observed: []float64{math.NaN(), 3, 2, 1, 4}}
	q := &Run{Problem: "Q", Values: []float64{4, 4, 4, 2, 2}}
	want := []float64{math.Inf(1), 3, 1, 2, 2}
	if got := r.Curve(); !slices.Equal(got, want) {
		t.Errorf("the curve is %v, want %v", got, want)
	}
	curve := r.BestSoFar()
	mean := MeanRuns("mean", []string{"P", "Q"}, []*Run{curve, q.BestSoFar()})[0]
	for n := 2; n <= len(want); n++ {
		if got := curve.Best(n); got != want[n-1] {
			t.Errorf("the best after %d is %v, want %v", n, got, want[n-1])
		}
		if got, want := mean.Best(n), (want[n-1]+q.Values[n-1])/2; got != want {
			t.Errorf("the mean after %d is %v, want %v", n, got, want)
		}
	}
}

// Of each method and seed with runs on all problems there is one, and of no others.
func TestMeanRuns(t *testing.T) {
	run := func(problem, method string, seed int64, values ...float64) *Run {
		return &Run{Problem: problem, Method: method, Seed: seed, Values: values, Seconds: values[0]}
	}
	got := ""
	for _, r := range MeanRuns("mean", []string{"P", "Q"}, []*Run{
		run("P", "a", 1, 4, 2), run("Q", "a", 1, 2, 1), run("R", "a", 1, 9, 9),
		run("P", "a", 2, 1, 1), // has none on Q
		run("P", "b", 2, 1, 1), run("Q", "b", 2, 3, 1),
	}) {
		got += fmt.Sprintf("%v %v %v\n", r, r.Values, r.Seconds)
	}
	want := "mean, a, seed 1 [3 1.5] 3\nmean, b, seed 2 [2 1] 2\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
