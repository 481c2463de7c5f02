package storagetest_test

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// root is the directory of this module, as seen from that of the package.
const root = "../.."

// TestDatabaseModule fails where one of those tests does. It runs them with the flags
// -short, -race, -count and -v that it is run with.
func TestDatabaseModule(t *testing.T) {
	program, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	watch(t)
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok { // end before the whole binary is ended, to say what was going on
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-15*time.Second))
		defer cancel()
	}
	command := exec.CommandContext(ctx, program, append(append([]string{"test"}, flags()...), "./...")...)
	command.Dir = filepath.Join(root, "internal", "dbtest")
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 10 * time.Second
	var output strings.Builder
	command.Stdout, command.Stderr = &output, &output
	if testing.Verbose() {
		command.Stdout, command.Stderr = os.Stdout, os.Stdout
	}
	if err := command.Run(); err != nil {
		t.Errorf("%s in %s: %v\n%s", command, command.Dir, err, &output)
	}
}

// flags returns the flags of this test that those it runs are to have, too.
func flags() []string {
	var flags []string
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "test.short" || f.Name == "test.count" {
			flags = append(flags, "-"+strings.TrimPrefix(f.Name, "test.")+"="+f.Value.String())
		}
	})
	if testing.Verbose() {
		flags = append(flags, "-v")
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "-race" && setting.Value == "true" {
				flags = append(flags, "-race")
			}
		}
	}
	return flags
}

// watch looks at what the result depends on. The go command gives the result of
// an earlier run from its cache unless a variable that the test has read has
// changed since, or a file or directory of this module that it has opened: here,
// all directories with sources, nested modules among them.
func watch(t *testing.T) {
	t.Helper()
	for _, variable := range []string{"FM_TEST_MYSQL_DSN", "FM_TEST_POSTGRES_DSN"} {
		os.Getenv(variable)
	}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && name != root && strings.ContainsAny(entry.Name()[:1], "._") {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
