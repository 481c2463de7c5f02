// Report writes what is known of a study to a page that can be opened, printed and sent: one file, which needs no network,
// no script and no server.
//
//	go run ./_examples/report -storage quickstart.db -out report.html
//	go run ./_examples/report -storage quickstart.db -text
//
// See docs/report.md.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
	"github.com/goptuna-fm/goptuna-fm/sampler/report"
)

// drivers are those of the databases that the report can be made from.
var drivers = cachedrdb.Drivers{"sqlite": sqlite.Open, "mysql": mysql.Open, "postgres": postgres.Open}

func main() {
	var c config
	flag.StringVar(&c.storage, "storage", os.Getenv("STORAGE"),
		"SQLite file, or sqlite:FILE, mysql://user:password@host/database, postgres://...; or set STORAGE, which ps does not show")
	flag.StringVar(&c.study, "study", "", "name of the study; not needed if the database has one only")
	flag.StringVar(&c.out, "out", "report.html", "file to write; - is standard output")
	flag.BoolVar(&c.text, "text", false, "print the report to the terminal instead")
	flag.IntVar(&c.columns, "columns", 80, "width of the terminal")
	flag.Parse()
	if err := run(c, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

// A config is what the flags say.
type config struct {
	storage, study, out string
	text                bool
	columns             int
}

// run writes the report of a study.
func run(c config, stdout io.Writer) (err error) {
	storage, err := openStorage(c.storage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, storage.Close()) }()
	name, err := chooseStudy(storage, c.study)
	if err != nil {
		return err
	}
	study, err := goptuna.LoadStudy(name, goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return fmt.Errorf("cannot read the study %q: %w", name, err)
	}
	r, err := report.New(study)
	if err != nil {
		return err
	}
	if c.text {
		return r.WriteText(stdout, c.columns)
	}
	if c.out == "-" {
		return r.WriteHTML(stdout)
	}
	var page bytes.Buffer
	if err := r.WriteHTML(&page); err != nil {
		return err
	}
	if err := os.WriteFile(c.out, page.Bytes(), 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "The report of %q, %d KB, is in %s.\n", name, (page.Len()+1023)/1024, c.out)
	return err
}

// openStorage opens the database that the URL names, which may be the path of a SQLite file.
func openStorage(url string) (*cachedrdb.Storage, error) {
	if url == "" {
		return nil, errors.New("no study to report on: add -storage FILE, or a URL that begins with mysql:// or postgres://")
	}
	if !strings.Contains(url, "://") && !strings.HasPrefix(url, "sqlite:") {
		url = "sqlite:" + url
	}
	return cachedrdb.OpenExisting(url, drivers)
}

// chooseStudy returns the name of the study, or that of the only one.
func chooseStudy(storage goptuna.Storage, name string) (string, error) {
	studies, err := storage.GetAllStudySummaries()
	if err != nil {
		return "", fmt.Errorf("cannot read the studies: %w", err)
	}
	var names []string
	for _, s := range studies {
		if s.Name == name || name == "" && len(studies) == 1 {
			return s.Name, nil
		}
		names = append(names, fmt.Sprintf("%q", s.Name))
	}
	switch {
	case len(names) == 0:
		return "", errors.New("the database has no study")
	case name == "":
		return "", fmt.Errorf("the database has several studies: add -study with one of %s", strings.Join(names, ", "))
	}
	return "", fmt.Errorf("there is no study %q; there are %s", name, strings.Join(names, ", "))
}
