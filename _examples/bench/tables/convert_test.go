package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
)

// made returns the directory of what a script makes of files, and the error that it ends with.
func made(t *testing.T, script string, files map[string]string, names ...string) (dir string, err error) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	source, dir := t.TempDir(), t.TempDir()
	for file, text := range files {
		path := filepath.Join(source, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(python, append([]string{script, source, dir}, names...)...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return dir, err
}

// What convert.py makes of measurements is a table: columns that exclude each other are a
// choice, what never varies is no parameter, and repeated rows are averaged.
func TestConvert(t *testing.T) {
	rows := `delayedInnodbLogFlush,delayedInnodbLogWrite,innodbFlushMethod,fsyncFlush,dsyncFlush,directFlush,binaryLog,tempTableSize,<$performance
0,0,1,1,0,0,0,256,60
0,0,1,1,0,0,0,256,62
1,0,1,0,1,0,0,4096,80
1,1,1,0,0,1,1,65536,90
`
	files := map[string]string{"MariaDB.csv": rows}
	dir, err := made(t, "convert.py", files, "mariadb")
	if err != nil {
		t.Fatal(err)
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
	if _, err := made(t, "convert.py", files, "nothing"); err == nil {
		t.Error("a table of another name is converted")
	}
}

// Without names all tables are made of what the source has, of a file with two objectives
// one of each, in which the other is no parameter. What is maximised is negated.
func TestConvertObjectives(t *testing.T) {
	rows := `$spouts,$max_spout,$sorters,$emit_freq,$chunk_size,$message_size,<$throughput,<$latency
1,10,1,1,1.00E+05,1000,22657,4
3,10,1,1,1.00E+05,1000,20000,2
1,100,1,1,1.00E+05,1000,30000,8
`
	dir, err := made(t, "convert.py", map[string]string{"SS-F.csv": rows})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"sort_latency": 2, "sort_throughput": -30000} {
		table, err := lookup.Read(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if table.Optimum != want || len(table.Params) != 2 {
			t.Errorf("%s: optimum %v with %d parameters, want %v with 2", name, table.Optimum, len(table.Params), want)
		}
	}
	if tables, _ := filepath.Glob(filepath.Join(dir, "*.csv")); len(tables) != 2 {
		t.Errorf("tables %v, want two", tables)
	}
}

// What exclude.py makes of a grid is a grid of the same parameters in which some pairs of
// values have no row left, and all other rows are as they were.
func TestExclude(t *testing.T) {
	space := `{"lookup": "exact", "params": [{"name": "a", "type": "ordinal", "values": [1, 2, 3, 4]}, {"name": "b", "type": "ordinal", "values": [1, 2, 3, 4]}],
	"objective": {"column": "value", "direction": "minimize"}}`
	rows := "a,b,value\n"
	for a := 1; a <= 4; a++ {
		for b := 1; b <= 4; b++ {
			rows += fmt.Sprintf("%d,%d,%d\n", a, b, 10*a+b)
		}
	}
	dir, err := made(t, "exclude.py", map[string]string{"grid.space.json": space, "grid.csv": rows}, "grid")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"grid_x0", "grid_x1"} {
		table, err := lookup.Read(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		left := strings.Fields(string(text))
		for _, row := range left {
			if !strings.Contains(rows, row+"\n") {
				t.Errorf("%s: %q is no row of the grid", name, row)
			}
		}
		if n := len(left) - 1; table.Cells() != 16 || n < 4 || n > 10 {
			t.Errorf("%s: %d of %d configurations are left, want 4 to 10 of 16", name, n, table.Cells())
		}
	}
}

// A data set of Olympus has its columns in a description; of Kernel Tuner's runs those that
// failed have the reason for a value.
func TestConvertOtherFormats(t *testing.T) {
	dir, err := made(t, "convert.py", map[string]string{
		"dataset_lnp3/config.json": `{"parameters": [{"name": "solid_lipid"}, {"name": "drug_input"}], "measurements": [{"name": "drug_loading"}, {"name": "encap_efficiency"}, {"name": "particle_diameter"}]}`,
		"dataset_lnp3/data.csv":    "acid,6,0.1,0.4,3\nacid,12,0.3,0.2,2\nester,6,0.2,0.3,1\n\n",
		"hyperparametertuning/cachefiles/hyperparamtuning_paper_bruteforce_diff_evo.json": `{"tune_params_keys": ["method", "popsize"], "objective": "score", "cache": {
			"a,10": {"method": "a", "popsize": 10, "score": 0.5}, "a,20": {"method": "a", "popsize": 20, "score": 0.7},
			"b,10": {"method": "b", "popsize": 10, "score": "RuntimeFailedConfig"}, "b,20": {"method": "b", "popsize": 20, "score": 0.6}}}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"lipids_diameter": 1, "lipids_efficiency": -0.4, "lipids_loading": -0.3, "tune_evolution": -0.7} {
		table, err := lookup.Read(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if !table.Grid() || table.Cells() != 4 || len(table.Params) != 2 || table.Optimum != want {
			t.Errorf("%s: %d cells of %d parameters, optimum %v, want %v", name, table.Cells(), len(table.Params), table.Optimum, want)
		}
	}
}
