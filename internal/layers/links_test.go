package layers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fenced   = regexp.MustCompile("(?ms)^```.*?^```")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	linkText = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)
	noAnchor = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
)

// Links between the documents lead to a file that there is, and to a heading.
func TestLinks(t *testing.T) {
	root := repositoryRoot(t)
	command := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md")
	command.Dir = root
	list, err := command.Output()
	if err != nil {
		t.Skip("not in a clone:", err)
	}
	texts := map[string]string{}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		path := filepath.Join(root, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = fenced.ReplaceAllString(string(text), "")
	}
	links := 0
	for path, text := range texts {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(match[1], "#")
			to := path
			if file != "" {
				to = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", path, err)
			} else if document, ok := texts[to]; anchor != "" && ok && !anchors(document)[anchor] {
				t.Errorf("%s: %s has no heading for #%s", path, to, anchor)
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links; want more", links)
	}
}

// anchors returns what GitHub calls the headings of a document.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		words := linkText.ReplaceAllString(match[1], "$1")
		names[strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(words), ""), " ", "-")] = true
	}
	return names
}
