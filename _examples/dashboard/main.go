// Dashboard shows a study in the browser, in Goptuna's dashboard.
//
//	go run ./_examples/dashboard -storage sqlite://quickstart.db
//
// Then open http://127.0.0.1:8000/dashboard. The storage may be mysql://user:password@host/database or
// postgres://user:password@host/database as well. The first start compiles the server and builds the page, which needs
// Node.js with npm and takes some minutes; later ones take a second.
//
// Goptuna's package dashboard does not compile as it is published, because the page that it embeds is not in the module. With
// the build tag "develop" it does, and reads the page from a file. So this program, which go run can build, is a few lines that
// build package server with that tag and start it. The rest is there.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
)

const serverPackage = "github.com/goptuna-fm/goptuna-fm/_examples/dashboard/server"

func main() {
	// The terminal sends Ctrl-C to both processes; whatever ends this one must end the server, too.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	server, err := build(ctx)
	if err == nil {
		err = start(ctx, server, os.Args[1:])
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit): // which has said why
		os.Exit(max(1, exit.ExitCode()))
	case err != nil && ctx.Err() == nil:
		fmt.Fprintln(os.Stderr, "dashboard:", err)
		os.Exit(1)
	}
}

// build compiles the server, unless that is done, and returns the path of the program.
func build(ctx context.Context) (path string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no directory to keep the dashboard in: %w", err)
	}
	path = filepath.Join(cache, "goptuna-fm", "dashboard-server")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		fmt.Println("Compiling the server, once: some minutes.")
	}

	// The tag is Goptuna's; see above.
	cmd := exec.CommandContext(ctx, "go", "build", "-tags", "develop", "-o", path, serverPackage)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	// Where this file lies is the module to build it in, wherever the program was started from.
	if _, file, _, ok := runtime.Caller(0); ok {
		if _, err := os.Stat(file); err == nil && filepath.IsAbs(file) {
			cmd.Dir = filepath.Dir(file)
		}
	}
	return path, cmd.Run()
}

// start runs the server until it ends or ctx does.
func start(ctx context.Context, server string, args []string) error {
	cmd := exec.CommandContext(ctx, server, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd.Run()
}
