package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// A file has the page of the report, and replaces one that was there; a file that cannot be made is an error.
func TestWriteFile(t *testing.T) {
	s := newStudy(t, example{name: "file", objective: mixed, trials: 12, workers: 1})
	r, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "report.html")
	if err := os.WriteFile(name, []byte(strings.Repeat("old ", maxSize/4)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, s); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != page.String() || !strings.Contains(string(got), "<h1>file</h1>") {
		t.Errorf("the file has %d bytes, the page %d; %v", len(got), page.Len(), err)
	}
	if err := WriteFile(filepath.Join(dir, "none", "report.html"), s); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// The old file stays until the new one is whole, and nothing else does; a link stays one, and who may read the file.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "report.html"), filepath.Join(dir, "latest.html")
	if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.Symlink("report.html", link)); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(file) // one who has begun to read
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := replaceFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	before, _ := io.ReadAll(reader)
	after, _ := os.ReadFile(file)
	info, err := os.Stat(file)
	if string(before) != "old" || string(after) != "new" || err != nil || info.Mode() != 0o600 {
		t.Errorf("before %q, after %q, mode %v, %v", before, after, info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 2 || entries[0].Type() != fs.ModeSymlink {
		t.Errorf("%v, %v", entries, err)
	}
	if err := replaceFile(os.DevNull, nil); err != nil {
		t.Error(err)
	}
}

// An unreadable storage has lost its connection.
type unreadable struct {
	goptuna.Storage
	name, trials error
}

var errLost = errors.New("connection lost")

func (s unreadable) GetStudyNameFromID(id int) (string, error) {
	if s.name != nil {
		return "", s.name
	}
	return s.Storage.GetStudyNameFromID(id)
}

func (s unreadable) GetAllTrials(id int) ([]goptuna.FrozenTrial, error) {
	if s.trials != nil {
		return nil, s.trials
	}
	return s.Storage.GetAllTrials(id)
}

// What the storage returns is returned, and no file is written.
func TestStorageErrors(t *testing.T) {
	for _, storage := range []unreadable{{name: errLost}, {trials: errLost}} {
		s := newStudy(t, example{name: "lost", objective: mixed, trials: 2, workers: 1})
		storage.Storage = s.Storage
		s.Storage = storage
		name := filepath.Join(t.TempDir(), "report.html")
		if err := WriteFile(name, s); !errors.Is(err, errLost) || !strings.HasPrefix(err.Error(), "fm: ") {
			t.Errorf("error %v", err)
		}
		if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("there is a file: %v", err)
		}
	}
}

func TestNoStudy(t *testing.T) {
	if _, err := New(nil); err == nil || !strings.HasPrefix(err.Error(), "fm: the study is nil") {
		t.Errorf("error %v", err)
	}
}

// A report can be made while the study runs, in memory, too, where the maps of a trial change as it runs.
func TestWhileItRuns(t *testing.T) {
	s := newStudy(t, example{name: "running", objective: mixed, trials: 0, workers: 4})
	changing := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		value, err := mixed(ctx, trial)
		for i := range 100 {
			time.Sleep(100 * time.Microsecond)
			err = errors.Join(err, trial.SetSystemAttr("step", fmt.Sprint(i)))
		}
		return value, err
	}
	done := make(chan error, 1)
	go func() {
		done <- fm.Optimize(context.Background(), s, changing, 60, fm.OptimizeOptionWorkers(4))
	}()
	for running := true; running; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		default:
		}
		r, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		var page strings.Builder
		if err := r.WriteHTML(&page); err != nil || !strings.Contains(page.String(), "<h1>running</h1>") {
			t.Errorf("the page has %d bytes; %v", page.Len(), err)
		}
	}
}

// A growing storage gets a trial, better than all others, whenever it was read.
type growing struct{ goptuna.Storage }

func (s growing) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := s.Storage.GetAllTrials(studyID)
	id, createErr := s.Storage.CreateNewTrial(studyID)
	return trials, errors.Join(err, createErr,
		s.Storage.SetTrialParam(id, "x", 0.3, goptuna.UniformDistribution{High: 1}),
		s.Storage.SetTrialValue(id, -1-float64(len(trials))), s.Storage.SetTrialState(id, goptuna.TrialStateComplete))
}

// What is predicted is of the trials that are shown: those that end while the report is made are in neither.
func TestTrialsAreReadOnce(t *testing.T) {
	s := newStudy(t, example{name: "growing", trials: 12, workers: 1, objective: ask(func(a *asker) float64 { return a.float("x", 0, 1) })})
	s.Storage = growing{s.Storage}
	r := read(t, s)
	if best, _ := r.best(); len(r.trials) != 12 || r.model.Trials() != 12 || r.recommended.Best != best.Number {
		t.Errorf("%d trials with the best in %d; the model has %d trials, with the best in %d", len(r.trials), best.Number, r.model.Trials(), r.recommended.Best)
	}
}
