// Package report writes what is known of a study as a page, or as text for a terminal: what was found, what matters, which
// configuration to use, and whether to go on. The page is one HTML file, which has no script and names no other file or
// address. What is predicted comes from package insight. It only reads, and works for studies of any sampler. See
// docs/report.md.
package report

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// minColumns is the least width of a text.
const minColumns = 40

// A Report is what is known of a study at one time.
type Report struct{ document *document }

// New reads a study, and fits the model of package insight to it, for which the options are. A study without a model, such as
// one in which all trials have failed, has a shorter report. Errors are those of the storage.
func New(study *goptuna.Study, options ...insight.Option) (r *Report, err error) {
	defer func() { // numerical libraries panic on data that nobody expected
		if p := recover(); p != nil {
			err = fmt.Errorf("fm: the report of the study: %v", p)
		}
	}()
	s, err := readStudy(study, options...)
	if err != nil {
		return nil, err
	}
	return &Report{s.document()}, nil
}

// WriteFile writes the report of a study to an HTML file. One that is there is replaced at once, and never
// half written, where its directory takes another file.
func WriteFile(name string, study *goptuna.Study, options ...insight.Option) error {
	r, err := New(study, options...)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := r.WriteHTML(&page); err != nil {
		return err
	}
	return replaceFile(name, page.Bytes())
}

// replaceFile writes a file beside the one that it replaces, which is lost only when the new one is whole.
func replaceFile(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	if old, err := os.Stat(name); err == nil {
		if mode = old.Mode(); !mode.IsRegular() { // such as a pipe
			return os.WriteFile(name, data, mode)
		}
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if dir, err := os.MkdirTemp(filepath.Dir(name), ".report-"); err == nil {
		defer os.RemoveAll(dir)
		whole := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(whole, data, mode); err != nil {
			return err
		}
		if os.Rename(whole, name) == nil {
			return nil
		}
	}
	// The directory takes no other file, or the file cannot be replaced, as one that is mounted.
	return os.WriteFile(name, data, mode)
}

// WriteHTML writes the report as an HTML page.
func (r *Report) WriteHTML(out io.Writer) error { return r.document.writePage(out) }

// WriteText writes the report for a terminal of that many columns, at least 40.
func (r *Report) WriteText(out io.Writer, columns int) error {
	return r.document.writeText(out, max(minColumns, columns))
}
