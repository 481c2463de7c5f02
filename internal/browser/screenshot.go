package browser

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Screenshot saves what is to be seen, in 256 colours, and fails if that is nothing.
func (p *Page) Screenshot(path string) {
	p.T.Helper()
	var shot struct{ Data string }
	p.Call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		p.T.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		p.T.Fatal(err)
	}
	reduced, colours := reduce(img)
	if colours < 10 {
		p.T.Errorf("%s has %d colours: the page is blank", filepath.Base(path), colours)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, reduced); err != nil {
		p.T.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		p.T.Fatal(err)
	}
}

// reduce returns the image in 256 colours, and the number of those that it had: first of colours that are unlike, then of all,
// those that it has most of. Pages are flat: what gets another colour is a part of the edge of a letter.
func reduce(img image.Image) (reduced *image.Paletted, colours int) {
	bounds := img.Bounds()
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	ranked := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	const unlike, most = 40, 128
	for _, c := range ranked {
		if len(palette) == 0 || len(palette) < most && distance(c, palette.Convert(c).(color.RGBA)) > unlike {
			palette = append(palette, c)
		}
	}
	for _, c := range ranked {
		if len(palette) < 256 && palette.Convert(c) != color.Color(c) {
			palette = append(palette, c)
		}
	}
	nearest := make(map[color.RGBA]uint8, len(count))
	for c := range count {
		nearest[c] = uint8(palette.Index(c))
	}
	reduced = image.NewPaletted(bounds, palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			reduced.SetColorIndex(x, y, nearest[at(x, y)])
		}
	}
	return reduced, len(count)
}

// distance returns how far two colours are apart: the sum over red, green and blue.
func distance(a, b color.RGBA) int {
	of := func(x, y uint8) int { return max(int(x), int(y)) - min(int(x), int(y)) }
	return of(a.R, b.R) + of(a.G, b.G) + of(a.B, b.B)
}
