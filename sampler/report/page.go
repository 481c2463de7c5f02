package report

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string

	page = template.Must(template.New("page").Funcs(template.FuncMap{
		"style":    func() template.CSS { return template.CSS(pageCSS) },
		"svg":      (*chart.Chart).SVG,
		"together": together,
	}).Parse(pageHTML))
)

// joint is a space at which no line ends.
const joint = '\u00a0'

// together keeps a number and its per cent on one line.
func together(text string) string { return strings.ReplaceAll(text, " %", string(joint)+"%") }

// writePage writes the report as a page: one file that names no other.
func (d *document) writePage(out io.Writer) error {
	var b strings.Builder
	if err := page.Execute(&b, d); err != nil {
		return err
	}
	_, err := io.WriteString(out, printable(b.String()))
	return err
}
