package layers_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// requirement is a line of a go.mod file.
type requirement struct {
	Path, Version string
	Indirect      bool
}

// direct are the modules that this one requires for itself, and no others: what
// it requires, a program that imports it has to live with. Tests on databases and
// examples need more, and are modules of their own.
var direct = []string{"github.com/c-bata/goptuna", "gonum.org/v1/gonum", "gorm.io/gorm"}

func TestRequirements(t *testing.T) {
	var got []string
	for _, r := range requirements(t) {
		got = append(got, r.Path)
	}
	if !slices.Equal(got, direct) {
		t.Errorf("go.mod requires %q, want %q", got, direct)
	}
}

// A program that imports the sampler gets this module, and otherwise nothing but
// what those that this one requires bring.
func TestConsumer(t *testing.T) {
	root := repositoryRoot(t)
	consumer := modulesOf(t, root, []string{module + "/sampler"},
		"require "+module+" v0.0.0\n\nreplace "+module+" => "+root+"\n")
	alone := "require (\n"
	for _, r := range requirements(t) {
		alone += fmt.Sprintf("\t%s %s\n", r.Path, r.Version)
	}
	want := modulesOf(t, root, []string{goptuna, "gonum.org/v1/gonum/mat", gorm}, alone+")\n")
	if !slices.Contains(consumer, module) {
		t.Errorf("a program that imports the sampler has the modules %q, without this one", consumer)
	}
	for _, path := range consumer {
		if path != module && !slices.Contains(want, path) {
			t.Errorf("a program that imports the sampler gets %s", path)
		}
	}
}

// requirements returns what go.mod says this module needs itself.
func requirements(t *testing.T) []requirement {
	t.Helper()
	var file struct{ Require []requirement }
	text := goCommand(t, repositoryRoot(t), "mod", "edit", "-json")
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(file.Require, func(r requirement) bool { return r.Indirect })
}

// modulesOf returns all modules of a program that has the
// imports and the lines in its go.mod.
func modulesOf(t *testing.T, root string, imports []string, lines string) []string {
	t.Helper()
	dir := t.TempDir()
	source := "package main\n\n"
	for _, imported := range imports {
		source += fmt.Sprintf("import _ %q\n", imported)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":  "module example.com/program\n\ngo 1.25.0\n\n" + lines,
		"go.sum":  string(sums),
		"main.go": source + "\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	goCommand(t, dir, "list", "-deps", ".") // adds what the packages need to go.mod
	return strings.Fields(goCommand(t, dir, "list", "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all"))
}

// goCommand runs the go command in a directory, as it runs for a program outside
// of this repository, and returns its output. Sums are those of go.sum: a
// machine without a network has no others.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	command := exec.Command("go", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOSUMDB=off")
	var errors strings.Builder
	command.Stderr = &errors
	output, err := command.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &errors)
	}
	return string(output)
}
