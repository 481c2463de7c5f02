// Package bridgetest is for tests of workers in Python.
package bridgetest

import (
	"cmp"
	"errors"
	"os"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
)

// Python returns the interpreter of the environment variable PYTHON, by default python3.
func Python() string { return cmp.Or(os.Getenv("PYTHON"), "python3") }

// SkipMissing skips a test where the error says what is not installed, and how to get it. Any
// other error fails the test.
func SkipMissing(t testing.TB, err error) {
	t.Helper()
	if missing := (*bridge.MissingError)(nil); errors.As(err, &missing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
