package searchtest

import (
	"flag"
	"fmt"
	"testing"
)

// TestMain skips everything with -short, as under the race detector, which the tests of
// the sampler itself are for.
func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("skipped: with -short no studies are run for what they find")
		return
	}
	m.Run()
}
