package cachedrdb_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// A file that may only be read can be looked at, with either journal, and whether or not
// another program has it open. What cannot be made is said to be so.
func TestReadOnly(t *testing.T) {
	for name, driver := range sqliteDrivers {
		drivers := cachedrdb.Drivers{"sqlite": driver}
		top := t.TempDir()
		makeStudy := func(dir, journal string) *cachedrdb.Storage {
			t.Helper()
			dir = filepath.Join(top, dir)
			check(t, os.Mkdir(dir, 0o755))
			storage, err := cachedrdb.OpenSQLite(filepath.Join(dir, "study%20#.db"), driver)
			check(t, err)
			newStudy(t, storage, dir)
			setting(t, storage, "journal_mode = "+journal)
			return storage
		}
		check(t, makeStudy("rollback", "DELETE").Close())
		check(t, makeStudy("closed", "WAL").Close())
		defer makeStudy("open", "WAL").Close()
		withoutWrite(t, top, func() {
			for _, dir := range []string{"rollback", "closed", "open"} {
				dir = filepath.Join(top, dir)
				path := filepath.Join(dir, "study%20#.db")
				storage, err := cachedrdb.OpenExisting("sqlite:"+path, drivers)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				studies, err := storage.GetAllStudySummaries()
				if len(studies) != 1 || studies[0].Name != dir || err != nil {
					t.Errorf("%s: %s: studies %v, error %v", name, dir, studies, err)
				}
				if _, err := storage.CreateNewStudy("other"); err == nil || !strings.Contains(err.Error(), "readonly") {
					t.Errorf("%s: %s: error of a write: %v", name, dir, err)
				}
				check(t, storage.Close())
			}
			for _, file := range []string{"new.db", "study%20#.db"} {
				storage, err := cachedrdb.OpenSQLite(filepath.Join(top, "closed", file), driver)
				if err == nil {
					storage.Close()
				}
				if !errors.Is(err, cachedrdb.ErrInvalid) || !strings.Contains(err.Error(), "no file can be made in the directory") {
					t.Errorf("%s: %s: error %v", name, file, err)
				}
			}
		})
	}
}

// withoutWrite calls f without the right to write below a directory.
func withoutWrite(t *testing.T, top string, f func()) {
	t.Helper()
	mode := func(dir, file fs.FileMode) {
		check(t, filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				return os.Chmod(path, dir)
			}
			return errors.Join(err, os.Chmod(path, file))
		}))
	}
	mode(0o555, 0o444)
	defer mode(0o755, 0o644)
	if os.Geteuid() == 0 { // whom no mode keeps from writing: let this thread be nobody
		check(t, os.Chmod(filepath.Dir(top), 0o755)) // t.TempDir's, which only its owner may enter
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		check(t, syscall.Setfsuid(65534))
		defer syscall.Setfsuid(0)
	}
	f()
}
