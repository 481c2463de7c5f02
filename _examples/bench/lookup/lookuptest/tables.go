// Package lookuptest has tables for tests.
package lookuptest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
)

// Write makes a table from the text of its files.
func Write(t *testing.T, dir, name, space, rows string) {
	t.Helper()
	for file, text := range map[string]string{name + ".space.json": space, name + ".csv": rows} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// FailingSpace and FailingRows are a table that has six cells: one has no row, and one no value.
const FailingSpace = `{"params": [
		{"name": "mode", "type": "categorical", "choices": ["off", "on"]},
		{"name": "size", "type": "ordinal", "values": [0.5, 1, 16]}],
	"objective": {"column": "score", "direction": "maximize"}, "lookup": "exact"}`

const FailingRows = "size,mode,score,other\n0.5,off,1,9\n1,off,5,9\n16.0,off,2,9\n0.5,on,,9\n16,on,3,9\n"

// Directory returns a directory with three tables: failing, whole and sample.
func Directory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	Write(t, dir, "failing", FailingSpace, FailingRows)
	rows := "a,n,b,y\n"
	for i := range 4 {
		for n := range 5 {
			for b := range 3 {
				rows += fmt.Sprintf("a%d,%d,%d,%g\n", i, n+2, 10*b, math.Abs(float64(i*n)-4.5)+math.Abs(float64(n-b)))
			}
		}
	}
	Write(t, dir, "whole", `{"csv": "whole.csv", "params": [
			{"name": "a", "type": "categorical", "choices": ["a0", "a1", "a2", "a3"]},
			{"name": "n", "type": "int", "low": 2, "high": 6},
			{"name": "b", "type": "ordinal", "values": [0, 10, 20]}],
		"objective": {"column": "y", "direction": "minimize"}, "lookup": "exact"}`, rows)
	Write(t, dir, "sample", `{"params": [
			{"name": "x", "type": "float", "low": 10, "high": 20},
			{"name": "m", "type": "int", "low": 1, "high": 10000, "log": true},
			{"name": "kind", "type": "categorical", "choices": ["p", "q"]}],
		"objective": {"column": "y", "direction": "minimize"}, "lookup": "surrogate"}`,
		"x,m,kind,y\n10,100,p,1\n20,100,p,2\n15,1,p,3\n10,100,q,4\n15,10000,p,\n")
	return dir
}

// Table returns one of those.
func Table(t *testing.T, name string) *lookup.Table {
	t.Helper()
	made, err := lookup.Read(Directory(t), name)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
