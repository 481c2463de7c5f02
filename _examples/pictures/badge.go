package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// badge is two words on a small picture, in a file of the repository: it needs no
// server to be seen, and a test compares it with what it says.
type badge struct {
	name, left, right, ink string
}

// badges returns those of the README. The directory has the module's go.mod.
func badges(root string) ([]badge, error) {
	module, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(module)
	if version == nil {
		return nil, fmt.Errorf("%s/go.mod names no version of Go", root)
	}
	return []badge{
		{"go", "Go", string(version[1]) + " or later", "#0072b2"},
		{"licence", "licence", "MIT", "#00805c"},
		{"reference", "reference", "pkg.go.dev", "#b34f00"},
	}, nil
}

// svg returns the badge as a picture.
func (b badge) svg() string {
	const letter, height = 7, 20 // pixels
	left, right := 12+letter*len(b.left), 12+letter*len(b.right)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" role="img" aria-label="%[3]s: %[4]s">
<rect width="%[1]d" height="%[2]d" rx="3" fill="%[5]s"/>
<path d="M3 0h%[6]dv%[2]dh-%[6]da3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444444"/>
<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="%[7]d" y="14">%[3]s</text>
<text x="%[8]d" y="14">%[4]s</text>
</g>
</svg>
`, left+right, height, b.left, b.right, b.ink, left-3, left/2, left+right/2)
}
