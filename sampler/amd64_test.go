package sampler_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Start-up values do not depend on the instructions that the compiler may use:
// with and without fused multiply-add they are the same to the bit.
func TestStartupIsTheSameOnEveryAMD64(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program twice")
	}
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("GOAMD64 is for amd64")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	run := func(level string) []string {
		program := filepath.Join(t.TempDir(), "startup")
		build := exec.Command("go", "build", "-o", program, "./testdata/startup")
		build.Env = append(os.Environ(), "GOAMD64="+level, "GOFLAGS=")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("building for %s: %v\n%s", level, err, out)
		}
		out, err := exec.Command(program).CombinedOutput()
		if err != nil && strings.Contains(string(out), "can only be run on AMD64 processors") {
			t.Skipf("this processor has no GOAMD64=%s", level)
		}
		if err != nil {
			t.Fatalf("running on %s: %v\n%s", level, err, out)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		slices.Sort(lines)
		return lines
	}
	v1, v3 := run("v1"), run("v3")
	if len(v1) != 490 || len(v3) != len(v1) {
		t.Fatalf("%d values on v1 and %d on v3, want 490", len(v1), len(v3))
	}
	different := 0
	for i := range v1 {
		if v1[i] != v3[i] {
			if different++; different <= 3 {
				t.Errorf("%q on v1, %q on v3", v1[i], v3[i])
			}
		}
	}
	if different > 0 {
		t.Errorf("%d of %d values differ", different, len(v1))
	}
}
