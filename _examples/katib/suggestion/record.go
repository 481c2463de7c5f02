package suggestion

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

const (
	// DatabaseFile is the file of a Recorder, in its directory.
	DatabaseFile = "katib.db"
	// nameAttr is the user attribute that holds the name of a trial in Katib.
	nameAttr = "katib_trial"
	// maxLocked is how long a request waits for a file that another program has locked:
	// the controller waits for the answer, for a minute at most.
	maxLocked = 2 * time.Second
)

// Recorder copies experiments to studies of Goptuna's in an SQLite file, for
// programs that read these. No suggestion depends on what it has written.
type Recorder struct {
	storage *cachedrdb.Storage
}

// NewRecorder returns a recorder that writes to a file in the directory.
func NewRecorder(dir string) (*Recorder, error) {
	storage, err := cachedrdb.OpenSQLite(filepath.Join(dir, DatabaseFile), sqlite.Open)
	if err != nil {
		return nil, err
	}
	db, err := storage.DB()
	if err == nil {
		db.SetMaxOpenConns(1) // the one that is set here
		_, err = db.Exec(fmt.Sprintf("PRAGMA busy_timeout = %d", maxLocked.Milliseconds()))
	}
	if err != nil {
		return nil, errors.Join(err, storage.Close())
	}
	return &Recorder{storage}, nil
}

// Close closes the file.
func (r *Recorder) Close() error { return r.storage.Close() }

// write brings the study of the experiment up to date. isFirst says that the request is
// the first one for the experiment.
func (r *Recorder) write(s *study, trials []trial, isFirst bool) error {
	id, recorded, err := r.study(s, isFirst)
	if err != nil {
		return err
	}
	byName := make(map[string]goptuna.FrozenTrial, len(recorded))
	for _, t := range recorded {
		byName[t.UserAttrs[nameAttr]] = t
	}
	for _, t := range trials {
		name := cmp.Or(t.name, strconv.Itoa(t.number))
		known, ok := byName[name]
		switch {
		case !ok:
			_, err = r.storage.CloneTrial(id, s.shown(t, name))
		case !known.State.IsFinished() && t.state.IsFinished():
			err = r.finish(known.ID, t)
		}
		if err != nil {
			return err
		}
	}
	return r.writeAttributes(id, s)
}

// study returns the id of the experiment's study and the trials in it. It creates the study
// if it has to: if there is none, or if the volume is that of an earlier experiment of the
// same name, of which the first request for this one finds trials that have ended.
func (r *Recorder) study(s *study, isFirst bool) (id int, recorded []goptuna.FrozenTrial, err error) {
	experiment := cmp.Or(s.name, "unnamed")
	name, last := experiment, 0
	for n := 2; ; n++ {
		id, err = r.storage.GetStudyIDFromName(name)
		if errors.Is(err, gorm.ErrRecordNotFound) {
			break
		}
		if err != nil {
			return 0, nil, err
		}
		name, last = fmt.Sprintf("%s #%d", experiment, n), id // no experiment has such a name
	}
	if last != 0 {
		recorded, err = r.storage.GetAllTrials(last)
		ended := func(t goptuna.FrozenTrial) bool { return t.State.IsFinished() }
		if err != nil || !isFirst || !slices.ContainsFunc(recorded, ended) {
			return last, recorded, err
		}
	}
	if id, err = r.storage.CreateNewStudy(name); err != nil {
		return 0, nil, err
	}
	return id, nil, r.storage.SetStudyDirection(id, s.direction)
}

// shown returns a trial as people see it, with the values that Katib has.
func (s *study) shown(t trial, name string) goptuna.FrozenTrial {
	start := t.start
	if start.IsZero() {
		start = time.Now()
	}
	frozen := goptuna.FrozenTrial{
		State: t.state, Value: t.value, DatetimeStart: start, DatetimeComplete: t.end,
		InternalParams: map[string]float64{}, Distributions: map[string]any{},
		UserAttrs: map[string]string{nameAttr: name},
	}
	for _, p := range s.params {
		frozen.InternalParams[p.name], frozen.Distributions[p.name] = p.shownValue(t.numbers[p.name]), p.shown
	}
	return frozen
}

// finish writes the end of a trial.
func (r *Recorder) finish(id int, t trial) error {
	if t.state != goptuna.TrialStateFail {
		if err := r.storage.SetTrialValue(id, t.value); err != nil {
			return err
		}
	}
	return r.storage.SetTrialState(id, t.state)
}

// writeAttributes copies what the sampler says about the study.
func (r *Recorder) writeAttributes(id int, s *study) error {
	attrs, err := s.storage.GetStudyUserAttrs(s.study.ID)
	if err != nil {
		return err
	}
	for name, value := range attrs {
		if err := r.storage.SetStudyUserAttr(id, name, value); err != nil {
			return err
		}
	}
	return nil
}
