package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// fakeVariable makes this test binary speak the protocol of peers.py.
const fakeVariable = "FM_TEST_FAKE_OPTUNA"

func TestMain(m *testing.M) {
	if behaviour := os.Getenv(fakeVariable); behaviour != "" {
		if err := fakeOptuna(behaviour, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// fakeOptuna answers the middle of each range and the second choice. It expects
// to be told Jenatton's value there.
func fakeOptuna(behaviour string, in io.Reader, out io.Writer) error {
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	var request struct{ Sampler string }
	if err := decoder.Decode(&request); err != nil {
		return err
	}
	if behaviour == "missing" {
		return encoder.Encode(map[string]any{"missing": []string{"abacus", "quill"}})
	}
	if err := encoder.Encode(map[string]any{"missing": []string{}}); err != nil {
		return err
	}
	for trial := 0; ; {
		var question struct {
			Name, Kind string
			Low, High  float64
			Choices    []string
			Tell       *float64
		}
		if err := decoder.Decode(&question); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		// x7 = 0 and r9 = 1/2 in the last leaf.
		const want = 0.1 + 2.5*0.14*0.14 + 0.27*0.27
		if question.Tell != nil {
			trial++
			if got := *question.Tell; got < want-1e-12 || got > want+1e-12 {
				return fmt.Errorf("told %v, want %v", got, want)
			}
		}
		if first := question.Name == "x1"; first != (question.Tell != nil) && trial > 0 {
			return fmt.Errorf("asked for %s, told %v", question.Name, question.Tell)
		}
		if behaviour == "fails" && trial == 2 {
			return errors.New("out of ink")
		}
		value := (question.Low + question.High) / 2
		if question.Kind == "categorical" {
			value = 1
		}
		if err := encoder.Encode(map[string]float64{"value": value}); err != nil {
			return err
		}
	}
}

func fakeConfig(t *testing.T, behaviour string) config {
	t.Helper()
	t.Setenv(fakeVariable, behaviour)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return config{
		problems: []*problems.Conditional{problems.Jenatton()}, methods: []string{"optuna-tpe"},
		seeds: 1, trials: 5, python: self,
	}
}

func TestOptunaProtocol(t *testing.T) {
	runs, err := runAll(fakeConfig(t, "answers"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 1 || len(runs[0].values) != 5 || runs[0].leaves[4] != "b/b" {
		t.Errorf("got %+v, want one run with five trials in the last leaf", runs)
	}
}

func TestOptunaIsMissing(t *testing.T) {
	for _, test := range []struct{ behaviour, python, want string }{
		{"missing", "", "-m pip install abacus quill"},
		{"answers", "no-such-python", "no-such-python"},
	} {
		cfg := fakeConfig(t, test.behaviour)
		if test.python != "" {
			cfg.python = test.python
		}
		var log bytes.Buffer
		runs, err := runAll(cfg, &log)
		if err != nil || len(runs) != 0 {
			t.Errorf("%s: %d runs, %v", test.behaviour, len(runs), err)
		}
		if !strings.Contains(log.String(), "optuna-tpe is skipped") || !strings.Contains(log.String(), test.want) {
			t.Errorf("%s: the log is %q", test.behaviour, &log)
		}
	}
}

func TestOptunaFails(t *testing.T) {
	_, err := runAll(fakeConfig(t, "fails"), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "optuna-tpe, seed 0") {
		t.Errorf("error %v, want one that names the run", err)
	}
}
