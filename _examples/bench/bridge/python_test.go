package bridge_test

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
)

const script = `
import math, os, sys
import bridge
import helper

def start(setup):
    print("starting")                       # must not be taken for an answer
    os.system("echo from a child")          # nor what bypasses Python's stdout
    def handle(request):
        if request["Do"] == "crash":
            os._exit(5)
        if request["Do"] == "nan":
            return math.nan
        if request["Do"] == "threads":
            return float(os.environ["OMP_NUM_THREADS"])
        if request["Do"] == "fail":
            raise helper.Odd("X is odd")
        return (request["X"] - setup["Target"]) ** 2
    if setup["Broken"]:
        raise FileNotFoundError("no data")
    return {"PID": os.getpid()}, handle

bridge.serve(start, PACKAGES)
`

func pythonConfig(t *testing.T, packages string, s setup) bridge.Config {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	config := bridge.Python(python, "script.py", 3, fstest.MapFS{
		"script.py": {Data: []byte(strings.Replace(script, "PACKAGES", packages, 1))},
		"helper.py": {Data: []byte("class Odd(Exception): pass\n")},
	})
	config.Setup = s
	config.Stderr = &bytes.Buffer{}
	return config
}

func TestPython(t *testing.T) {
	config := pythonConfig(t, "{'json': 'json-package'}", setup{Target: 2})
	w := newWorker(t, config)
	checkAnswers(t, w)
	for _, test := range []struct{ do, want string }{
		{"fail", "Odd: X is odd"},
		{"nan", "ValueError: Out of range float values are not JSON compliant"},
		{"crash", "exit status 5"},
	} {
		if err := w.Call(t.Context(), request{Do: test.do}, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.do, err, test.want)
		}
		checkAnswers(t, w)
	}
	var threads float64
	if err := w.Call(t.Context(), request{Do: "threads"}, &threads); err != nil || threads != 3 {
		t.Errorf("got %v threads, %v; want 3", threads, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"starting\n", "from a child\n", "Traceback"} {
		if stderr := config.Stderr.(*bytes.Buffer); !strings.Contains(stderr.String(), want) {
			t.Errorf("there is no %q in what the worker printed:\n%s", want, stderr)
		}
	}
}

func TestPythonMissing(t *testing.T) {
	w := newWorker(t, bridge.Python("no-such-python", "script.py", 1, fstest.MapFS{}))
	var missing *bridge.MissingError
	if err := w.Start(t.Context(), nil); !errors.As(err, &missing) || !strings.Contains(missing.What, "no-such-python") {
		t.Errorf("got %v, want that there is no interpreter", err)
	}
	w = newWorker(t, pythonConfig(t, "{'json': 'json', 'no_such_a': 'package-a', 'no_such_b': 'package-b'}", setup{}))
	err := w.Start(t.Context(), nil)
	if !errors.As(err, &missing) || !strings.HasSuffix(missing.Install, " -m pip install package-a package-b") {
		t.Errorf("got %v, want the command that installs two packages", err)
	}
	w = newWorker(t, pythonConfig(t, "{}", setup{Broken: true}))
	if err := w.Start(t.Context(), nil); err == nil || err.Error() != "FileNotFoundError: no data" {
		t.Errorf("got %v, want the exception", err)
	}
}
