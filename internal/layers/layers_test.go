package layers_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What may be imported from other modules. "/..." stands for the path itself
// and everything below it.
const (
	gonum   = "gonum.org/v1/gonum/..."
	goptuna = "github.com/c-bata/goptuna"
	sobol   = "github.com/c-bata/goptuna/sobol"
	rdb     = "github.com/c-bata/goptuna/rdb.v2"
	gorm    = "gorm.io/gorm"
)

const module = "github.com/goptuna-fm/goptuna-fm"

// databases is a module of its own.
const databases = "internal/dbtest"

// rule lists what the non-test files of a package may import, besides the
// standard library.
type rule struct {
	pkg     string
	imports []string
}

// rules are sorted by layer: a package may import packages above it in this
// table only. Nothing above internal/space knows what a study or a trial is.
var rules = []rule{
	// Layer 0: numerical tools.
	{"internal/linalg", []string{gonum}},
	{"internal/boxmin", []string{gonum}},
	{"internal/qmc", []string{sobol}},
	{"internal/stream", []string{"internal/qmc"}},

	// Layers 1 and 2: graphs, and kernels on them: how they are computed, and
	// what users see.
	{"graphs", []string{gonum}},
	{"internal/kernel", []string{"graphs", gonum}},
	{"fmkernel", []string{"graphs", "internal/kernel", gonum}},

	// Layer 3: the model, the search for the next point, and the way from and to Goptuna.
	{"internal/gp", []string{"internal/kernel", "fmkernel", "internal/linalg", "internal/boxmin", gonum}},
	{"internal/acquisition", []string{"internal/kernel", "fmkernel", "graphs", "internal/boxmin", "internal/qmc", gonum}},
	{"internal/repeats", []string{"internal/kernel", "fmkernel", "graphs", "internal/boxmin"}},
	{"internal/space", []string{"fmkernel", "graphs", "internal/acquisition", goptuna}},
	{"internal/history", []string{"internal/space", goptuna}},

	// Layer 4: the steps of a suggestion.
	{"internal/plan", []string{"internal/space", "internal/history", "internal/gp", goptuna}},
	{"internal/observe", []string{"fmkernel", "internal/history", "internal/plan", "internal/space", goptuna, gonum}},
	{"internal/surrogate", []string{
		"internal/qmc", "internal/stream", "graphs", "fmkernel", "internal/gp", "internal/acquisition", "internal/repeats", "internal/history", "internal/plan", "internal/observe",
		gonum,
	}},

	// Charts, the browser that tests open pages in, and words know nothing of a study.
	{"internal/words", nil},
	{"internal/chart", []string{"internal/words"}},
	{"internal/browser", nil},

	// Layer 5: what the model says, and the sampler.
	{"sampler/insight", []string{
		"internal/qmc", "internal/stream", "graphs", "fmkernel", "internal/gp", "internal/acquisition", "internal/space", "internal/history",
		"internal/observe", "internal/surrogate", "internal/words",
		goptuna, gonum,
	}},
	{"sampler/report", []string{"internal/chart", "internal/history", "internal/observe", "internal/words", "sampler/insight", goptuna}},
	{"sampler", []string{
		"internal/qmc", "internal/stream", "graphs", "fmkernel", "internal/acquisition", "internal/space", "internal/history",
		"internal/plan", "internal/observe", "internal/surrogate", "sampler/insight",
		goptuna,
	}},

	// Beside it, for any sampler: a storage.
	{"sampler/cachedrdb", []string{goptuna, rdb, gorm, gorm + "/clause", gorm + "/logger"}},

	// For tests and examples: no package above may import these.
	{"internal/problems", []string{"graphs", goptuna}},
	{"internal/fmtest", []string{"internal/history", "sampler", goptuna}},
	{"internal/simulation", []string{"sampler", "fmkernel", "graphs", "internal/fmtest", goptuna}},
	{"internal/layers", nil},
	{"internal/storagetest", nil},
	{"internal/searchtest", nil},

	// Tests on databases.
	{"internal/dbtest", []string{
		goptuna, rdb, gorm, gorm + "/logger", "gorm.io/driver/mysql", "gorm.io/driver/postgres",
		"github.com/glebarez/sqlite", "github.com/go-sql-driver/mysql",
	}},
	{"internal/dbtest/cachedrdb", nil},
	{"internal/dbtest/history", nil},
	{"internal/dbtest/newcomer", nil},
	{"internal/dbtest/sampler", nil},
}

// Every import of every non-test file is in the table, which allows no other, and no
// file at all, outside of the examples, imports math/rand: its global source makes a
// seed meaningless, and math/rand/v2 does all that it does.
func TestImports(t *testing.T) {
	root := repositoryRoot(t)
	imported := map[string][]string{} // by the non-test files of each package
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != root && (strings.HasPrefix(entry.Name(), "_") || strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		imports, err := importsOf(name)
		if err != nil {
			return err
		}
		for _, message := range violations(filepath.ToSlash(file), imports) {
			t.Error(message)
		}
		if pkg := path.Dir(filepath.ToSlash(file)); !strings.HasSuffix(file, "_test.go") {
			imported[pkg] = append(imported[pkg], imports...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		for _, allowed := range r.imports {
			if one := (rule{r.pkg, []string{allowed}}); !slices.ContainsFunc(imported[r.pkg], func(path string) bool { return isAllowed(one, path) }) {
				t.Errorf("%s may import %s, and does not", r.pkg, allowed)
			}
		}
	}
}

// violations returns a message for each import of a file that the rules
// forbid. The file's name is relative to the root of the repository.
func violations(file string, imports []string) []string {
	pkg := path.Dir(file)
	i := slices.IndexFunc(rules, func(r rule) bool { return r.pkg == pkg })
	if i < 0 {
		return []string{fmt.Sprintf("%s: package %s is not in the table of internal/layers", file, pkg)}
	}
	var messages []string
	for _, imported := range imports {
		if imported == "math/rand" {
			messages = append(messages, fmt.Sprintf("%s imports math/rand; use math/rand/v2 with a source of its own", file))
		}
		if !strings.HasSuffix(file, "_test.go") && !isStandard(imported) && !isAllowed(rules[i], imported) {
			messages = append(messages, fmt.Sprintf("%s imports %s, which the table of internal/layers does not allow", file, imported))
		}
		if !isBelow(pkg, databases) && !isStandard(imported) && !isRequired(imported) {
			messages = append(messages, fmt.Sprintf("%s imports %s, which is of no module that this one requires; tests on databases are in %s", file, imported, databases))
		}
	}
	return messages
}

// isStandard reports whether a path is one of the standard library: the first
// element of every other is a host.
func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

func isAllowed(r rule, imported string) bool {
	imported = strings.TrimPrefix(imported, module+"/")
	return slices.ContainsFunc(r.imports, func(allowed string) bool {
		prefix, below := strings.CutSuffix(allowed, "/...")
		return imported == prefix || below && isBelow(imported, prefix)
	})
}

// isRequired reports whether a package is one of this module or of those that it
// requires. In the workspace, those of the others would compile.
func isRequired(imported string) bool {
	if own, ok := strings.CutPrefix(imported, module+"/"); ok {
		return !isBelow(own, databases)
	}
	return slices.ContainsFunc(direct, func(path string) bool { return isBelow(imported, path) })
}

// isBelow reports whether a path is another one or begins with it.
func isBelow(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

// The table itself is a layering: the packages of this module that a row names
// stand above it.
func TestRulesAreLayered(t *testing.T) {
	above := map[string]bool{}
	for _, r := range rules {
		for _, imported := range r.imports {
			if !strings.Contains(imported, ".") && !above[imported] {
				t.Errorf("%s may import %s, which is not above it in the table", r.pkg, imported)
			}
		}
		if above[r.pkg] {
			t.Errorf("%s has two rows", r.pkg)
		}
		above[r.pkg] = true
	}
}

func TestViolations(t *testing.T) {
	for _, test := range []struct {
		file, imported string
		want           bool
		why            string
	}{
		{"graphs/graph.go", "math", false, "the standard library is free"},
		{"graphs/graph.go", "gonum.org/v1/gonum/mat", false, "allowed with everything below it"},
		{"fmkernel/kernel.go", module + "/graphs", false, "a lower layer in the row"},
		{"graphs/graph.go", module + "/fmkernel", true, "a higher layer"},
		{"graphs/graph.go", goptuna, true, "graphs know no study"},
		{"graphs/graph_test.go", goptuna, false, "tests may import more"},
		{"internal/gp/fit.go", module + "/internal/acquisition", true, "the same layer, but not in the row"},
		{"internal/space/space.go", goptuna, false, "in the row"},
		{"internal/space/space.go", goptuna + "/tpe", true, "a row names packages, not modules"},
		{"sampler/sampler.go", "gorm.io/driver/mysql", true, "drivers appear in tests on databases and examples only"},
		{"sampler/sampler_test.go", "gorm.io/driver/mysql", true, "of a module that is not required"},
		{"sampler/sampler_test.go", module + "/internal/dbtest", true, "a module that is not required"},
		{"internal/dbtest/sampler/sampler_test.go", module + "/internal/dbtest", false, "the same module"},
		{"sampler/sampler.go", module + "/internal/problems", true, "for tests and examples only"},
		{"sampler/sampler.go", "gonum.org/v1/gonumerical", true, "a longer name is not below"},
		{"internal/qmc/sobol.go", "math/rand", true, "the old random numbers"},
		{"internal/qmc/sobol_test.go", "math/rand", true, "the old random numbers, in tests too"},
		{"internal/qmc/sobol.go", "math/rand/v2", false, "the new ones"},
		{"internal/unheard/of.go", "math", true, "a package without a row"},
	} {
		got := violations(test.file, []string{test.imported})
		if (len(got) > 0) != test.want {
			t.Errorf("%s importing %s: got %q, want a violation: %t (%s)", test.file, test.imported, got, test.want, test.why)
		}
	}
}

func importsOf(name string) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	imports := make([]string, len(parsed.Imports))
	for i, spec := range parsed.Imports {
		if imports[i], err = strconv.Unquote(spec.Path.Value); err != nil {
			return nil, err
		}
	}
	return imports, nil
}

// repositoryRoot returns the nearest directory upwards that has a go.mod.
func repositoryRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test's directory")
		}
		dir = parent
	}
}
