package recipes

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the code into docs/recipes.md")

// block is a place of the page for a function, between two comments.
var block = regexp.MustCompile(`(?s)<!-- begin ([\w.]+) -->\n(.*?)<!-- end -->`)

// The page shows the code of this package, and all recipes.
func TestDocument(t *testing.T) {
	_, file, _, _ := runtime.Caller(0)
	here := filepath.Dir(file)
	path := filepath.Join(here, "../../docs/recipes.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sources := recipes(t, here)
	var seen []string
	want := block.ReplaceAllStringFunc(string(page), func(found string) string {
		name := block.FindStringSubmatch(found)[1]
		text, ok := sources[name]
		if !ok {
			t.Errorf("%s shows %s, which is not there", path, name)
		}
		seen = append(seen, name)
		return fmt.Sprintf("<!-- begin %s -->\n%s<!-- end -->", name, text)
	})
	for name := range sources {
		if strings.HasPrefix(name, "Example") && !slices.Contains(seen, name) {
			t.Errorf("%s does not show %s", path, name)
		}
	}
	if want == string(page) {
		return
	}
	if !*update {
		t.Fatal("docs/recipes.md is not the code of this package: go test ./_examples/recipes -update")
	}
	if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

// recipes returns each function of the package as the page has it: its comment,
// and its code; of an example, the code inside.
func recipes(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{"train.py": fmt.Sprintf("```python\n%s```\n", trainPy)}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok {
				text := func(begin, end token.Pos) string {
					return string(source[files.Position(begin).Offset:files.Position(end).Offset])
				}
				code := text(f.Pos(), f.End())
				if strings.HasPrefix(f.Name.Name, "Example") {
					code = inside(text(f.Body.Lbrace+1, f.Body.Rbrace))
				}
				var comment string
				if f.Doc != nil {
					comment = f.Doc.Text() + "\n"
				}
				found[f.Name.Name] = fmt.Sprintf("%s```go\n%s\n```\n", comment, code)
			}
		}
	}
	return found
}

// inside returns the body of an example without its indentation and its output.
func inside(body string) string {
	body, _, _ = strings.Cut(body, "\t// Output:")
	var lines []string
	for line := range strings.Lines(body) {
		lines = append(lines, strings.TrimPrefix(line, "\t"))
	}
	return strings.TrimSpace(strings.Join(lines, ""))
}
