package harness

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
)

// Records is a CSV file that grows by a record at a time. It is safe for
// concurrent use; the nil Records has none and keeps none.
type Records struct {
	path   string
	header []string
	rows   [][]string

	mu   sync.Mutex
	file *os.File
}

// OpenRecords reads the file, or creates it with that header. A file that exists
// may have other columns: records are read and written by the names of its own.
// Without a path there are no records.
func OpenRecords(path string, header ...string) (*Records, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	r := &Records{path: path, file: file}
	rows, err := csv.NewReader(file).ReadAll()
	switch {
	case err == nil && len(rows) == 0:
		r.header = header
		err = r.write(header)
	case err == nil:
		r.header, r.rows = rows[0], rows[1:]
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return r, nil
}

// ReadRecords reads a file that is not to grow.
func ReadRecords(path string) (*Records, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err == nil && len(rows) == 0 {
		err = errors.New("it has no header")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Records{path: path, header: rows[0], rows: rows[1:]}, nil
}

// Scan calls each with the records of the file, by column. The file must have those
// columns, and may have others. An error is returned with the line.
func (r *Records) Scan(columns []string, each func(record map[string]string) error) error {
	if r == nil {
		return nil
	}
	for _, name := range columns {
		if !slices.Contains(r.header, name) {
			return fmt.Errorf("%s: there is no column %s", r.path, name)
		}
	}
	for i, row := range r.rows {
		record := map[string]string{}
		for j, name := range r.header {
			record[name] = row[j]
		}
		if err := each(record); err != nil {
			return fmt.Errorf("%s, line %d: %w", r.path, i+2, err)
		}
	}
	return nil
}

// Add appends a record to the file. Columns that the file does not have are left
// out.
func (r *Records) Add(record map[string]string) error {
	if r == nil {
		return nil
	}
	row := make([]string, len(r.header))
	for j, name := range r.header {
		row[j] = record[name]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.write(row)
}

// write appends a line by one call: a start that is killed leaves no half of it.
func (r *Records) write(row []string) error {
	var line bytes.Buffer
	w := csv.NewWriter(&line)
	if err := w.Write(row); err != nil {
		return err
	}
	w.Flush()
	_, err := r.file.Write(line.Bytes())
	return err
}

// Close closes the file.
func (r *Records) Close() error {
	if r == nil {
		return nil
	}
	return r.file.Close()
}

// WriteCSV writes a file of its own.
func WriteCSV(path string, rows [][]string) error {
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o666)
}

// Text returns a number for a CSV file, to 8 digits.
func Text(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }

// Floats parses columns of a record.
func Floats(record map[string]string, columns ...string) ([]float64, error) {
	xs := make([]float64, len(columns))
	var errs []error
	for i, name := range columns {
		var err error
		xs[i], err = strconv.ParseFloat(record[name], 64)
		errs = append(errs, err)
	}
	return xs, errors.Join(errs...)
}
