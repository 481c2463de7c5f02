package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/browser"
)

// pictures are those of docs/report.md and docs/limits.md.
var pictures = []struct {
	example, file, scheme string
	width, height         int
	section               string // at the top of the picture
}{
	{"mixed", "report", "light", 1000, 1220, ""},
	{"mixed", "report-parameters", "light", 1000, 1260, "parameters"},
	{"limited", "report-limits", "light", 1000, 550, "limits"},
	{"failing", "report-dark", "dark", 1000, 980, "interactions"},
	{"conditional", "report-phone", "dark", 390, 844, ""},
	{"conditional", "report-phone-branches", "light", 390, 844, "branches"},
}

// Every report can be looked at on a phone and on a wide screen, by day and by night, and printed: nothing is wider than the
// page, no label of a chart is cut, nothing is loaded. The environment variable REPORT_PICTURES names a directory to put the
// pictures of the documentation in.
func TestInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium, ok := browser.Find()
	if !ok {
		t.Skip("no chromium on the PATH")
	}
	p := browser.New(t, chromium)
	for _, e := range append(examples, example{name: strings.Repeat("long", 40), objective: longNames, trials: 30, workers: 40}) {
		t.Run(e.name, func(t *testing.T) {
			p.T = t
			path := filepath.Join(t.TempDir(), "report.html")
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(documentOf(t, e).writePage(file), file.Close()); err != nil {
				t.Fatal(err)
			}
			open := func(scheme string, width, height int) {
				p.Media("screen", scheme)
				p.Open("file://"+path, width, height)
				p.Wait(`document.readyState == "complete" ? document.querySelectorAll("section").length : 0`, 5)
			}
			backgrounds := map[string]bool{}
			for _, scheme := range []string{"light", "dark"} {
				for _, width := range []int{390, 1200} {
					open(scheme, width, 1000)
					inspect(t, p, fmt.Sprintf("%s, %d pixels wide", scheme, width))
					p.Screenshot(filepath.Join(t.TempDir(), "screen.png"))
					backgrounds[background(p)] = true
				}
			}
			if len(backgrounds) != 2 {
				t.Errorf("backgrounds by day and by night are %v", backgrounds)
			}
			p.Media("print", "dark") // paper is white whatever the screen is
			inspect(t, p, "print")
			if colour := background(p); colour != "rgb(255, 255, 255)" {
				t.Errorf("in print, the background is %s", colour)
			}
			if dir := os.Getenv("REPORT_PICTURES"); dir != "" {
				for _, picture := range pictures {
					if picture.example == e.name {
						open(picture.scheme, picture.width, picture.height)
						var top float64
						p.Eval(fmt.Sprintf(`(document.getElementById(%q)?.scrollIntoView(), scrollY)`, picture.section), &top)
						p.Screenshot(filepath.Join(dir, picture.file+".png"))
					}
				}
			}
		})
	}
	for _, e := range p.Exceptions() {
		t.Errorf("the page threw %s", e)
	}
}

func background(p *browser.Page) (colour string) {
	p.T.Helper()
	if err := p.Eval(`getComputedStyle(document.body).backgroundColor`, &colour); err != nil {
		p.T.Error(err)
	}
	return colour
}

// inspect looks for what is cut off, empty, or from elsewhere.
func inspect(t *testing.T, p *browser.Page, where string) {
	t.Helper()
	for _, check := range []struct{ what, expression string }{
		{"wider than the page", `[...document.querySelectorAll("body, body *")].filter(e =>
			!e.closest("svg, .scroll") && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + " " + e.textContent)`},
		{"labels outside of their charts", `[...document.querySelectorAll("svg text")].filter(e => {
			const box = e.getBoundingClientRect(), all = e.ownerSVGElement.getBoundingClientRect()
			return box.width > 0 && (box.left < all.left - 1 || box.right > all.right + 1 || box.top < all.top - 2 || box.bottom > all.bottom + 2)
		}).map(e => e.textContent)`},
		{"figures with no chart to be seen", `[...document.querySelectorAll("figure")].filter(f =>
			![...f.querySelectorAll("svg")].some(e => e.getBoundingClientRect().height > 40)).map(f => f.textContent)`},
		{"files that were loaded", `performance.getEntriesByType("resource").map(e => e.name)`},
		{"scripts", `[...document.scripts].map(e => e.textContent)`},
	} {
		var found []string
		if err := p.Eval(check.expression, &found); err != nil || len(found) != 0 {
			t.Errorf("%s: %s: %.300q, %v", where, check.what, found, err)
		}
	}
}
