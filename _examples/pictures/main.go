// Pictures draws the pictures of docs/how-it-works.md, from the packages that the
// sampler is made of, and the badges of the README. In the repository:
//
//	go run ./_examples/pictures -out docs/images
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// pictures are the names of the files, and what draws them.
var pictures = []struct {
	name string
	draw func() (*sheet, error)
}{
	{"graph", drawGraphs},
	{"modulation", drawModulation},
	{"posterior", drawPosterior},
	{"tree", drawTree},
}

func main() {
	out := flag.String("out", ".", "`directory` for the pictures")
	root := flag.String("root", ".", "`directory` of the repository")
	flag.Parse()
	if err := drawAll(*out, *root); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func drawAll(dir, root string) error {
	if err := os.MkdirAll(filepath.Join(dir, "badges"), 0o777); err != nil {
		return err
	}
	for _, p := range pictures {
		s, err := p.draw()
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := s.save(filepath.Join(dir, p.name+".png")); err != nil {
			return err
		}
	}
	all, err := badges(root)
	if err != nil {
		return err
	}
	for _, b := range all {
		if err := os.WriteFile(filepath.Join(dir, "badges", b.name+".svg"), []byte(b.svg()), 0o666); err != nil {
			return err
		}
	}
	return nil
}
