// Package objectives holds the paper's experiments whose objectives are in
// Python: NuSVR on Boston housing, XGBoost on Fashion-MNIST, and the joint
// search of an architecture and its training settings. Each opens worker
// processes, see package bridge, and returns a problem that they evaluate.
package objectives

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

//go:embed *.py
var scripts embed.FS

// Options say where the workers find what they need, and how many there are.
type Options struct {
	Python  string    // interpreter; "" means python3
	Data    string    // directory of the data, see the errors of the objectives
	Workers int       // evaluations at once, a process each; 0 means 1
	Stderr  io.Writer // see [bridge.Config]; nil means os.Stderr
}

// open returns a problem whose objective is a script. Its workers end with ctx,
// or when they are closed.
func open(ctx context.Context, o Options, name, settings, script string, space problems.Space, setup map[string]any, files ...file) (*harness.Problem, io.Closer, error) {
	data, err := filepath.Abs(o.Data)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(data, f.path)); err != nil {
			return nil, nil, fmt.Errorf("%s needs %s in the data directory %s: %s", name, f.path, data, f.source)
		}
	}
	const threads = 1 // of each process
	setup["data"], setup["threads"] = data, threads
	config := bridge.Python(cmp.Or(o.Python, "python3"), script, threads, scripts)
	config.Setup, config.Stderr = setup, o.Stderr
	pool := bridge.NewPool(max(o.Workers, 1), config)
	if err := pool.Start(ctx, nil); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	p := harness.Flat(name, space, func(c []float64, v []int) (value float64, err error) {
		err = pool.Call(ctx, space.Values(c, v), &value)
		return value, err
	})
	p.Settings = settings
	return p, pool, nil
}

// file is one of the data, and where it comes from.
type file struct{ path, source string }

func fashionMNIST() []file {
	var files []file
	for _, name := range []string{
		"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz",
	} {
		files = append(files, file{"images/full/" + name, "it is one of the four files of Fashion-MNIST, https://github.com/zalandoresearch/fashion-mnist"})
	}
	return files
}
