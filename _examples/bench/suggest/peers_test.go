package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// fakePeer speaks the protocol as peers.py does. It suggests the points of the
// history again, takes i ms for suggestion i, and checks what it is told.
func fakePeer(behaviour string, in io.Reader, out io.Writer) error {
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	var request peerRequest
	if err := decoder.Decode(&request); err != nil {
		return err
	}
	if behaviour == "missing" {
		return encoder.Encode(peerHello{Missing: []string{"abacus", "quill"}})
	}
	if err := encoder.Encode(peerHello{Version: "fake 1.0"}); err != nil || request.Probe {
		return err
	}
	for i := range request.Suggestions {
		x := request.Trials[i].X
		switch {
		case behaviour == "fails" && i == 2:
			return errors.New("out of ink")
		case behaviour == "stray" && i == 2:
			x[0] = 1e9
		}
		if err := encoder.Encode(peerSuggestion{X: x, Seconds: float64(i) / 1000, CPU: float64(i) / 2000, PeakRSS: int64(i) << 20}); err != nil {
			return err
		}
		var told peerValue
		if err := decoder.Decode(&told); err != nil {
			return err
		}
		if told.Value != request.Trials[i].Value {
			return fmt.Errorf("told %v at %v, want %v", told.Value, x, request.Trials[i].Value)
		}
	}
	return nil
}

func newFakePeer(t *testing.T, behaviour string) *peer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &peer{method: "fake", sampler: "fake", procs: 1, command: []string{self, "-fake-peer", behaviour}}
}

func TestPeerProtocol(t *testing.T) {
	for _, s := range allSpaces {
		p := newFakePeer(t, "works")
		if version, err := p.probe(); err != nil || version != "fake 1.0" {
			t.Fatalf("probe: got %q, %v", version, err)
		}
		r, err := p.measure(benchCase{Space: s.name, N: 20, Suggestions: 3, Seed: 1}, s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(r.Method, r.Space, r.N, r.First, r.Seconds, r.PeakRSS), fmt.Sprint("fake", s.name, 20, 0.0, []float64{0.001, 0.002, 0.003}, 3<<20); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := fmt.Sprintf("%.6f", r.CPU); got != "0.001000" {
			t.Errorf("processor time: got %s, want the mean of 0.5, 1 and 1.5 ms", got)
		}
	}
}

func TestPeerFailures(t *testing.T) {
	s := func3C()
	c := benchCase{Space: s.name, N: 20, Suggestions: 3, Seed: 1}
	for _, test := range []struct{ behaviour, want string }{
		{"missing", "there is no abacus and no quill"},
		{"fails", "fake on func3c, n=20: exit status 1: out of ink"},
		{"stray", "h1 = 1e+09 is not in"},
	} {
		_, err := newFakePeer(t, test.behaviour).measure(c, s)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.behaviour, err, test.want)
		}
	}
}

func TestMissingPythonIsSkipped(t *testing.T) {
	var out bytes.Buffer
	if peers := findPeers(config{python: "no-such-python", procs: 1}, &out); len(peers) > 0 {
		t.Errorf("found %d peers", len(peers))
	}
	for _, want := range []string{"optuna-tpe is skipped", "no-such-python -m pip install optuna scipy torch"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the output:\n%s", want, &out)
		}
	}
}

func TestRatios(t *testing.T) {
	results := []*result{
		{Method: "fm", Space: "func3c", N: 100, Seconds: []float64{0.004}, CPU: 0.004},
		{Method: "fake", Space: "func3c", N: 100, Seconds: []float64{0.05}, CPU: 0.1, PeakRSS: 7e6},
		{Method: "fm", Space: "func3c", N: 5000, Seconds: []float64{1}, CPU: 1}, // too large for the peer
	}
	var out bytes.Buffer
	printRatios(&out, []*peer{{method: "fake"}}, results)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if got, want := strings.Join(strings.Fields(lines[len(lines)-1]), " "), "func3c 100 4.00 50.0 12.5 25.0 7"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The script runs with any Python 3. Where Optuna is installed, its samplers
// give points of the space.
func TestScript(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	var out bytes.Buffer
	peers := findPeers(config{python: python, procs: 1}, &out)
	for _, method := range []string{"optuna-tpe", "optuna-gp"} {
		if !strings.Contains(out.String(), method+": optuna") && !strings.Contains(out.String(), method+" is skipped: there is no ") {
			t.Errorf("%s is neither found nor missing:\n%s", method, &out)
		}
	}
	if testing.Short() {
		return
	}
	for _, p := range peers {
		for _, s := range allSpaces {
			if _, err := p.measure(benchCase{Space: s.name, N: 20, Suggestions: 1, Seed: 1}, s); err != nil {
				t.Error(err)
			}
		}
	}
}
