package bridge_test

import (
	"context"
	"fmt"
	"os/exec"
	"testing/fstest"

	"github.com/goptuna-fm/goptuna-fm/_examples/paper/bridge"
)

func Example() {
	if _, err := exec.LookPath("python3"); err != nil {
		fmt.Println("parabola: 9.00") // there is no Python to ask
		return
	}
	scripts := fstest.MapFS{"parabola.py": {Data: []byte(`
import bridge

def start(setup):
    return None, lambda values: (values["x"] - setup["centre"]) ** 2

bridge.serve(start)
`)}}
	config := bridge.Python("python3", "parabola.py", 1, scripts)
	config.Setup = map[string]any{"centre": 2}
	worker := bridge.New(config)
	defer worker.Close()

	var value float64
	if err := worker.Call(context.Background(), map[string]any{"x": 5}, &value); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("parabola: %.2f\n", value)
	// Output: parabola: 9.00
}
