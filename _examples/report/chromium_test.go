package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/internal/browser"
)

// Every report can be looked at on a phone and on a wide screen, by day and by night, and printed: nothing is wider than the
// page, no label of a chart is cut, nothing is loaded. The environment variable REPORT_SCREENSHOTS names a directory to keep
// pictures in.
func TestInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium, ok := browser.Find()
	if !ok {
		t.Skip("no chromium on the PATH")
	}
	dir := os.Getenv("REPORT_SCREENSHOTS")
	if dir == "" {
		dir = t.TempDir()
	}
	p := browser.New(t, chromium)
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			p.T = t
			var page bytes.Buffer
			if err := read(t, e.name, newStudy(t, e)).document().writePage(&page); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "report.html")
			if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, scheme := range []string{"light", "dark"} {
				for _, width := range []int{390, 1200} {
					p.Media("screen", scheme)
					p.Open("file://"+path, width, 1000)
					p.Wait(`document.readyState == "complete" ? document.querySelectorAll("section").length : 0`, 5)
					inspect(t, p, fmt.Sprintf("%s, %d pixels wide", scheme, width))
					if os.Getenv("REPORT_FULL") != "" {
						var h int
						p.Eval("document.documentElement.scrollHeight", &h)
						p.Open("file://"+path, width, h)
						p.Wait(`document.readyState == "complete" ? document.querySelectorAll("section").length : 0`, 5)
					}
					p.Screenshot(filepath.Join(dir, fmt.Sprintf("%s-%s-%d.png", e.name, scheme, width)))
				}
			}
			p.Media("print", "dark") // paper is white whatever the screen is
			inspect(t, p, "print")
			var background string
			if err := p.Eval(`getComputedStyle(document.body).backgroundColor`, &background); err != nil || background != "rgb(255, 255, 255)" {
				t.Errorf("in print, the background is %s, %v", background, err)
			}
		})
	}
	for _, e := range p.Exceptions() {
		t.Errorf("the page threw %s", e)
	}
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
