// Pictures draws the pictures of docs/how-it-works.md from the packages that the
// sampler is made of:
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
	flag.Parse()
	if err := drawAll(*out); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func drawAll(dir string) error {
	for _, p := range pictures {
		s, err := p.draw()
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := s.save(filepath.Join(dir, p.name+".png")); err != nil {
			return err
		}
	}
	return nil
}
