package main_test

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	"github.com/goptuna-fm/goptuna-fm/internal/browser"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

const trials = 40

// A finished study is to be seen in a real browser: the lists and tables are full, the plots have their points, what the study
// says about itself can be read. The environment variable DASHBOARD_SCREENSHOTS names a directory to keep the pictures in.
func TestDashboard(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser, and may install packages for the page")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm on the PATH: the dashboard's page can't be built")
	}
	chromium, ok := browser.Find()
	if !ok {
		t.Skip("no chromium on the PATH")
	}
	shots := os.Getenv("DASHBOARD_SCREENSHOTS")
	if shots == "" {
		shots = t.TempDir()
	}

	path := filepath.Join(t.TempDir(), "study.db")
	attributes := makeStudy(t, path)
	if len(attributes) == 0 {
		t.Fatal("the sampler has written no study attributes")
	}
	url := startDashboard(t, "sqlite://"+path, nil)
	p := browser.New(t, chromium)
	const width = 1000 // about what a README shows

	t.Run("forged", func(t *testing.T) {
		for header, value := range map[string]string{"Host": "evil.example", "Origin": "http://evil.example"} {
			request, err := http.NewRequest(http.MethodDelete, strings.TrimSuffix(url, "/dashboard")+"/api/studies/1", nil)
			if err != nil {
				t.Fatal(err)
			}
			if request.Header.Set(header, value); header == "Host" {
				request.Host = value
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusForbidden || response.Header.Get("X-Frame-Options") != "DENY" {
				t.Errorf("%s: %s is answered by %s, %v", header, value, response.Status, response.Header)
			}
		}
	})
	t.Run("studies", func(t *testing.T) {
		p.T = t
		p.Open(url, width, 400)
		p.Wait(`document.querySelectorAll("a[href='/dashboard/studies/1']").length`, 1)
		contains(t, p.Text(), "1. tune", "Direction: minimize")
		p.Screenshot(filepath.Join(shots, "dashboard-studies.png"))
	})
	t.Run("history", func(t *testing.T) {
		p.T = t
		p.Open(url+"/studies/1", width, 1240)
		p.Wait(drawn("#graph-history .scatterlayer .trace:first-child .point"), trials)
		p.Wait(drawn("#graph-history .scatterlayer .js-line"), 1)
		p.Wait(drawn("#graph-timeline .barlayer .point"), trials)
		text := p.Text()
		for key, value := range attributes {
			contains(t, text, key, value)
		}
		p.Screenshot(filepath.Join(shots, "dashboard-history.png"))
	})
	t.Run("analytics", func(t *testing.T) {
		p.T = t
		p.Open(url+"/studies/1/analytics", width, 1690)
		p.Wait(drawn("#graph-slice .scatterlayer .point"), trials)
		p.Wait(drawn("#graph-contour .scatterlayer .point"), 1)
		p.Wait(drawn("#graph-contour .contourlayer image, #graph-contour .heatmaplayer image"), 1)
		p.Wait(drawn("#graph-parallel-coordinate .y-axis"), 5) // the objective and the parameters
		p.Wait(drawn("#graph-parallel-coordinate canvas"), 1)
		p.Wait(drawn(".js-plotly-plot .scatterlayer .js-line"), 1) // the distribution of the objective
		contains(t, p.Text(), "dropout", "layers", "learning_rate", "optimiser")
		p.Screenshot(filepath.Join(shots, "dashboard-analytics.png"))
	})
	t.Run("table", func(t *testing.T) {
		p.T = t
		p.Open(url+"/studies/1/trialTable", width+450, 700)
		p.Wait(`document.querySelectorAll("tbody tr").length`, trials)
		contains(t, p.Text(), "Param learning_rate", "Param optimiser", "UserAttribute epochs", "adam", "sgd")
		p.Screenshot(filepath.Join(shots, "dashboard-table.png"))
	})
	t.Run("trials", func(t *testing.T) {
		p.T = t
		p.Open(url+"/studies/1/trials", width, 900)
		p.Wait(`Number(document.body.innerText.includes("learning_rate"))`, 1)
		contains(t, p.Text(), "Trial 39", "Complete")
		p.Screenshot(filepath.Join(shots, "dashboard-trials.png"))
	})
	for _, e := range p.Exceptions() {
		t.Errorf("the page threw %s", e)
	}
	t.Run("again", func(t *testing.T) { // without npm: the page was kept
		startDashboard(t, "sqlite://"+path, []string{"PATH=" + pathWithoutNode(t)})
	})
}

// Without npm the remedy is in the message, and nothing is left behind.
func TestWithoutNode(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the server")
	}
	path := filepath.Join(t.TempDir(), "study.db")
	makeStudy(t, path)
	program := buildDashboard(t)
	cache := t.TempDir()
	goCache, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(goCache))

	cmd := exec.Command(program, "-storage", path, "-addr", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "PATH="+pathWithoutNode(t), "XDG_CACHE_HOME="+cache, "HOME="+cache, "GOCACHE="+dirs[0], "GOMODCACHE="+dirs[1])
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("no error")
	}
	contains(t, string(out), "npm", "apt install nodejs npm")
	if left, _ := filepath.Glob(filepath.Join(cache, "goptuna-fm", "dashboard-v*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Nonsense is refused in words that help, and no database is created.
func TestBadStorage(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the server")
	}
	program := buildDashboard(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "other.db"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, storage, want, why string }{
		{"none", "", "-storage", "says what to add"},
		{"missing", "sqlite://missing.db", "no SQLite file missing.db", "names the file"},
		{"scheme", "oracle://u:secret@host/db", "oracle", "names what is not supported"},
		{"bad URL", "mysql://u:sec%ret@host/db", "%25", "says how to write it"},
		{"not a study", "other.db", "Goptuna's tables", "an empty file is a database to SQLite"},
		{"no server", "postgres://u:secret@127.0.0.1:1/db", "u:xxxxx@127.0.0.1:1", "the URL without the password"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command(program, "-storage", test.storage, "-addr", "127.0.0.1:0")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "STORAGE=")
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("%v, want exit code 1", err)
			}
			contains(t, string(out), test.want)
			if strings.Contains(string(out), "secret") {
				t.Errorf("shows the password: %s", out)
			}
		})
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("the directory now has %v", files)
	}
}

// pathWithoutNode returns a PATH with Go and a C compiler only.
func pathWithoutNode(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go", "gcc"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	return dir
}

// drawn counts the elements of a plot that have a size.
func drawn(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].filter(e => {
		const box = e.getBoundingClientRect(); return box.width > 0 && box.height > 0 }).length`, selector)
}

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// makeStudy runs a study of a mixed objective in a SQLite file, and returns what
// the sampler wrote into its user attributes.
func makeStudy(t *testing.T, path string) map[string]string {
	t.Helper()
	storage, err := cachedrdb.OpenSQLite(path, sqlite.Open)
	if err != nil {
		t.Fatal(err)
	}
	defer storage.Close()
	study, err := goptuna.CreateStudy("tune",
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(1))),
		goptuna.StudyOptionLogger(nil),
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := study.Optimize(objective, trials); err != nil {
		t.Fatal(err)
	}
	// The timeline counts in seconds: give each trial some, so that it has bars.
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	db, err := storage.DB()
	if err != nil {
		t.Fatal(err)
	}
	for n := range trials {
		end := start.Add(time.Duration(40+7*(n%5)) * time.Second)
		_, err := db.Exec("UPDATE trials SET datetime_start = ?, datetime_complete = ? WHERE number = ?", start, end, n)
		if err != nil {
			t.Fatal(err)
		}
		start = end
	}
	attributes, err := study.GetUserAttrs()
	if err != nil {
		t.Fatal(err)
	}
	return attributes
}

// objective is the loss of no particular network.
func objective(trial goptuna.Trial) (float64, error) {
	rate, err := trial.SuggestLogFloat("learning_rate", 1e-5, 1)
	if err != nil {
		return 0, err
	}
	dropout, err := trial.SuggestFloat("dropout", 0, 0.5)
	if err != nil {
		return 0, err
	}
	layers, err := trial.SuggestInt("layers", 1, 6)
	if err != nil {
		return 0, err
	}
	optimiser, err := trial.SuggestCategorical("optimiser", []string{"sgd", "momentum", "adam"})
	if err != nil {
		return 0, err
	}
	if err := trial.SetUserAttr("epochs", fmt.Sprint(10+layers)); err != nil {
		return 0, err
	}
	best := map[string]float64{"sgd": -1.5, "momentum": -2, "adam": -3}[optimiser]
	return 0.1 + 0.02*math.Abs(best) + 0.08*math.Pow(math.Log10(rate)-best, 2) + math.Pow(dropout-0.2, 2) +
		0.02*math.Pow(float64(layers)-3, 2), nil
}

// buildDashboard compiles the program and returns its path.
func buildDashboard(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "dashboard")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// startDashboard starts the program on the storage, with more variables in its environment, and returns the URL that it prints.
// It is stopped after the test, as by Ctrl-C.
func startDashboard(t *testing.T, storage string, env []string) string {
	t.Helper()
	cmd := exec.Command(buildDashboard(t), "-storage", storage, "-addr", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var url string
	lines := bufio.NewScanner(stdout)
	for url == "" && lines.Scan() {
		url = regexp.MustCompile(`http://\S+/dashboard$`).FindString(lines.Text())
	}
	if url == "" {
		t.Fatalf("the dashboard did not start: %v", cmd.Wait())
	}
	t.Logf("started in %v", time.Since(start).Round(10*time.Millisecond))
	ended := make(chan error, 1)
	go func() {
		for lines.Scan() { // so that it is never stuck on a full pipe
		}
		ended <- cmd.Wait()
	}()
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("after Ctrl-C: %v", err)
			}
		case <-time.After(10 * time.Second):
			cmd.Process.Kill()
			t.Error("runs on after Ctrl-C")
		}
		if _, err := http.Get(url); err == nil {
			t.Error("serves on after Ctrl-C")
		}
	})
	return url
}
