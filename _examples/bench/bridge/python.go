package bridge

import (
	"embed"
	"io/fs"
	"strconv"
)

// library is bridge.py, which scripts import.
//
//go:embed bridge.py
var library embed.FS

// Python returns the configuration of a worker that is a Python script. The
// files hold the script and the modules beside it; bridge.py is added. The
// libraries that it uses run on the given number of threads.
//
// An interpreter that is not found is an error when the worker starts.
func Python(interpreter, script string, threads int, files fs.FS) Config {
	config := Config{
		Command: []string{interpreter, script},
		Install: "install Python 3, or name an interpreter that is installed",
		Files:   []fs.FS{files, library},
	}
	// The order of sets must not differ from one start to the next.
	config.Env = append(config.Env, "PYTHONHASHSEED=0")
	// What NumPy, SciPy, PyTorch and XGBoost read when they are loaded.
	for _, library := range []string{"OMP", "MKL", "OPENBLAS"} {
		config.Env = append(config.Env, library+"_NUM_THREADS="+strconv.Itoa(threads))
	}
	return config
}
