package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
)

// What convert.py makes of measurements is a table: columns that exclude each other are a
// choice, what never varies is no parameter, and repeated rows are averaged.
func TestConvert(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	source, dir := t.TempDir(), t.TempDir()
	rows := `delayedInnodbLogFlush,delayedInnodbLogWrite,innodbFlushMethod,fsyncFlush,dsyncFlush,directFlush,binaryLog,tempTableSize,<$performance
0,0,1,1,0,0,0,256,60
0,0,1,1,0,0,0,256,62
1,0,1,0,1,0,0,4096,80
1,1,1,0,0,1,1,65536,90
`
	if err := os.WriteFile(filepath.Join(source, "MariaDB.csv"), []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "convert.py", source, dir, "mariadb").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	table, err := lookup.Read(dir, "mariadb")
	if err != nil {
		t.Fatal(err)
	}
	// log and flush, of three values each, two values of binaryLog and three of tempTableSize
	if !table.Grid() || table.Cells() != 3*3*2*3 || len(table.Params) != 4 || table.Optimum != 61 || table.Median != 80 || table.Worst != 90 {
		t.Errorf("%d cells of %d parameters, optimum %v, median %v, worst %v", table.Cells(), len(table.Params), table.Optimum, table.Median, table.Worst)
	}
	truth, err := table.Truth(true)
	if err != nil {
		t.Fatal(err)
	}
	for want, params := range map[float64]map[string]any{
		80: {"log": "delayedInnodbLogFlush", "flush": "dsyncFlush", "binaryLog": "0", "tempTableSize": "4096"},
		90: {"log": "delayedInnodbLogFlush+delayedInnodbLogWrite", "flush": "directFlush", "binaryLog": "1", "tempTableSize": "65536"},
	} {
		if got, err := truth(params); err != nil || got != want {
			t.Errorf("%v: %v, error %v, want %v", params, got, err, want)
		}
	}
	if out, err := exec.Command(python, "convert.py", source, dir, "nothing").CombinedOutput(); err == nil {
		t.Errorf("a table of another name is converted:\n%s", out)
	}
}
