package main

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each picture has ink on white, and stands in the document.
func TestPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks at every pixel")
	}
	dir := t.TempDir()
	if err := drawAll(dir, "../.."); err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("../../docs/how-it-works.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		file, err := os.Open(filepath.Join(dir, p.name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(file)
		if file.Close(); err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		ink, size := 0, picture.Bounds()
		for x := range size.Dx() {
			for y := range size.Dy() {
				r, g, b, a := picture.At(x, y).RGBA()
				if a != 0xffff {
					t.Fatalf("%s is transparent at %d, %d", p.name, x, y)
				}
				if r+g+b < 3*0xffff {
					ink++
				}
			}
		}
		if share := float64(ink) / float64(size.Dx()*size.Dy()); share < 0.01 || share > 0.5 {
			t.Errorf("%s: ink on %.2f of the picture", p.name, share)
		}
		if !strings.Contains(string(document), "images/"+p.name+".png") {
			t.Errorf("docs/how-it-works.md does not show %s", p.name)
		}
	}
}

// The badges of the README say what go.mod and the licence do.
func TestBadges(t *testing.T) {
	all, err := badges("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		if got, err := os.ReadFile("../../docs/images/badges/" + b.name + ".svg"); err != nil || string(got) != b.svg() {
			t.Errorf("the badge %s is not as drawn, error %v: go run ./_examples/pictures -out docs/images", b.name, err)
		}
	}
	licence, err := os.ReadFile("../../LICENSE")
	if err != nil || !strings.HasPrefix(string(licence), "MIT License") {
		t.Errorf("the licence is not MIT's: %.40q, error %v", licence, err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil || !strings.Contains(string(readme), all[0].left+" "+all[0].right) {
		t.Errorf("the README does not say %s %s, error %v", all[0].left, all[0].right, err)
	}
}

// The trial of the picture improves on the best one, and the process is surer of
// it afterwards in the other choices, too.
func TestPosterior(t *testing.T) {
	before, after, found, err := posteriors()
	if err != nil {
		t.Fatal(err)
	}
	if y := toy(found.x, found.choice); y >= before.lowest || after.lowest != y {
		t.Errorf("a trial of %v, the best before is %v and after it %v", y, before.lowest, after.lowest)
	}
	for choice := range choices {
		_, wide, _ := before.at(trial{found.x, choice})
		_, narrow, _ := after.at(trial{found.x, choice})
		if narrow >= 0.95*wide {
			t.Errorf("choice %s: a standard deviation of %v, before %v", choices[choice], narrow, wide)
		}
	}
}
