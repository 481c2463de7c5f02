//go:build develop

package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

const goptunaModule = "github.com/c-bata/goptuna"

// What Goptuna's page is made from, besides its source: the packages that it imports and esbuild, each in one version with its
// checksum. Goptuna's own lists also have the tools of its developers, eight hundred packages, one of which can't be had any more.
//
//go:embed package.json package-lock.json
var packages embed.FS

// buildPage returns the path of the script that Goptuna's page loads. It builds it from the source in Goptuna's module unless a
// previous start did.
func buildPage(ctx context.Context) (path string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no directory to keep the dashboard's page in: %w", err)
	}
	version := goptunaVersion()
	dir := filepath.Join(cache, "goptuna-fm", "dashboard-"+version)
	path = filepath.Join(dir, "public", "bundle.js")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := findNode(ctx); err != nil {
		return "", fmt.Errorf("%w\n"+
			"It builds the dashboard's page, once. Install it from https://nodejs.org, or by apt install nodejs npm,\n"+
			"dnf install nodejs npm or brew install node; or copy the file\n  %s\nfrom a machine that has it", err, path)
	}

	fmt.Println("Building the dashboard's page, once: a minute or two.")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if err := buildIn(ctx, work, version); err != nil {
		return "", fmt.Errorf("cannot build the dashboard's page: %w", err)
	}
	return path, os.Rename(filepath.Join(work, "bundle.js"), path)
}

// buildIn builds bundle.js in the directory work.
func buildIn(ctx context.Context, work, version string) error {
	module, err := output(ctx, work, "go", "mod", "download", "-json", goptunaModule+"@"+version)
	if err != nil {
		return err
	}
	var goptuna struct{ Dir string }
	if err := json.Unmarshal(module, &goptuna); err != nil {
		return err
	}
	source := filepath.Join(goptuna.Dir, "dashboard")
	if err := os.CopyFS(filepath.Join(work, "src"), os.DirFS(filepath.Join(source, "src"))); err != nil {
		return err
	}
	if err := os.CopyFS(work, packages); err != nil {
		return err
	}
	tsconfig, err := os.ReadFile(filepath.Join(source, "tsconfig.json"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, "tsconfig.json"), tsconfig, 0o644); err != nil {
		return err
	}

	// No package needs its scripts, and nobody else's code should run unasked.
	if _, err := output(ctx, work, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"); err != nil {
		return fmt.Errorf("%w\nThis step needs the network: npm config get registry says which host it asks", err)
	}
	_, err = output(ctx, work, "node", "node_modules/esbuild/bin/esbuild", "src/index.tsx",
		"--bundle", "--minify", "--target=es2020", "--log-level=error", "--outfile=bundle.js",
		`--define:APP_BAR_TITLE="Goptuna Dashboard"`,
		`--define:URL_PREFIX="/dashboard"`,
		`--define:API_ENDPOINT="/"`,
		`--define:process.env.NODE_ENV="production"`)
	return err
}

// goptunaVersion returns the version of Goptuna in this program.
func goptunaVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == goptunaModule {
				return module.Version
			}
		}
	}
	panic("dashboard: a program that go build did not make")
}

// findNode reports an error unless Node.js and npm are there and new enough.
func findNode(ctx context.Context) error {
	const oldest = 18 // esbuild's
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("there is no npm, the package manager of Node.js, on the PATH")
	}
	version, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return fmt.Errorf("there is no Node.js (%w)", err)
	}
	var major int
	if _, err := fmt.Sscanf(string(version), "v%d", &major); err == nil && major < oldest {
		return fmt.Errorf("the Node.js on the PATH is %s; the dashboard needs %d or later", bytes.TrimSpace(version), oldest)
	}
	return nil
}

// output runs a command in a directory and returns what it writes to its standard output. If it fails, all it wrote is in the
// error.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	return stdout.Bytes(), nil
}
