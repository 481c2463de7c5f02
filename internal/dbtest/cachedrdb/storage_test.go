package cachedrdb_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// Every method does on a study what rdb.Storage does on another one: the same
// calls leave the same transcript.
func TestDatabaseMethods(t *testing.T) {
	fmtest.Sequential(t)
	dbtest.Each(t, func(t *testing.T, database *dbtest.Database) {
		db := database.OpenDB(t)
		want := transcribe(t, "plain", rdb.NewStorage(db))
		got := transcribe(t, "cached", cachedrdb.NewStorage(db))
		if len(want) < 100 {
			t.Errorf("%d lines in the transcript, want more than 100", len(want))
		}
		for i := range max(len(want), len(got)) {
			if i >= len(want) || i >= len(got) || want[i] != got[i] {
				t.Fatalf("line %d:\nplain  %s\ncached %s", i, slices.Concat(want, []string{"nothing"})[i], slices.Concat(got, []string{"nothing"})[i])
			}
		}
	})
}

// transcript is what a storage answers, without ids and times, which differ
// between two studies.
type transcript struct {
	storage goptuna.Storage
	name    string // of the study
	study   int
	trials  []int // ids
	lines   []string
}

func (tr *transcript) log(method string, result any, err error) {
	class := "other error"
	for _, known := range []error{nil, gorm.ErrRecordNotFound, goptuna.ErrTrialCannotBeUpdated, goptuna.ErrInvalidTrialID} {
		if err == known { // as Goptuna compares
			class = fmt.Sprint(known)
		}
	}
	tr.lines = append(tr.lines, fmt.Sprintf("%s: %v, %s", method, result, class))
}

// withoutIDs returns a trial with the place of its id among the known ones, and
// with years in place of times.
func (tr *transcript) withoutIDs(trial goptuna.FrozenTrial) goptuna.FrozenTrial {
	trial.ID = slices.Index(tr.trials, trial.ID)
	if trial.StudyID == tr.study {
		trial.StudyID = -1
	}
	trial.DatetimeStart = trial.DatetimeStart.Truncate(24 * time.Hour).UTC()
	trial.DatetimeComplete = trial.DatetimeComplete.Truncate(24 * time.Hour).UTC()
	return trial
}

func (tr *transcript) read() {
	s := tr.storage
	all, err := s.GetAllTrials(tr.study)
	for i := range all {
		all[i] = tr.withoutIDs(all[i])
	}
	tr.log("GetAllTrials", fmt.Sprintf("%#v", all), err)
	best, err := s.GetBestTrial(tr.study)
	tr.log("GetBestTrial", tr.withoutIDs(best), err)
	for _, id := range append([]int{1 << 30}, tr.trials...) {
		trial, err := s.GetTrial(id)
		tr.log("GetTrial", fmt.Sprintf("%#v", tr.withoutIDs(trial)), err)
		number, err := s.GetTrialNumberFromID(id)
		tr.log("GetTrialNumberFromID", number, err)
		params, err := s.GetTrialParams(id)
		tr.log("GetTrialParams", fmt.Sprintf("%#v", params), err)
		value, err := s.GetTrialParam(id, "x")
		tr.log("GetTrialParam", value, err)
		user, err := s.GetTrialUserAttrs(id)
		tr.log("GetTrialUserAttrs", user, err)
		system, err := s.GetTrialSystemAttrs(id)
		tr.log("GetTrialSystemAttrs", system, err)
		study, err := s.GetStudyIDFromTrialID(id)
		tr.log("GetStudyIDFromTrialID", study == tr.study, err)
	}
	direction, err := s.GetStudyDirection(tr.study)
	tr.log("GetStudyDirection", direction, err)
	user, err := s.GetStudyUserAttrs(tr.study)
	tr.log("GetStudyUserAttrs", user, err)
	system, err := s.GetStudySystemAttrs(tr.study)
	tr.log("GetStudySystemAttrs", system, err)
	id, err := s.GetStudyIDFromName(tr.name)
	tr.log("GetStudyIDFromName", id == tr.study, err)
	name, err := s.GetStudyNameFromID(tr.study)
	tr.log("GetStudyNameFromID", name == tr.name, err)
	summaries, err := s.GetAllStudySummaries()
	i := slices.IndexFunc(summaries, func(s goptuna.StudySummary) bool { return s.ID == tr.study })
	tr.log("GetAllStudySummaries", i >= 0, err)
	if i >= 0 {
		tr.log("GetAllStudySummaries", tr.withoutIDs(summaries[i].BestTrial), err)
	}
}

// write does to a trial all that can be done to it.
func (tr *transcript) write(trialID int) {
	s := tr.storage
	for name, distribution := range distributions {
		tr.log("SetTrialParam", nil, s.SetTrialParam(trialID, name, 2, distribution))
	}
	tr.log("SetTrialParam", nil, s.SetTrialParam(trialID, "x", 2, distributions["x"])) // again
	tr.log("SetTrialParam", nil, s.SetTrialParam(trialID, "?", 2, nil))
	tr.log("SetTrialIntermediateValue", nil, s.SetTrialIntermediateValue(trialID, 3, 0.5))
	tr.log("SetTrialIntermediateValue", nil, s.SetTrialIntermediateValue(trialID, 3, 0.6)) // again
	tr.log("SetTrialIntermediateValue", nil, s.SetTrialIntermediateValue(trialID, 0, -0.6))
	tr.log("SetTrialUserAttr", nil, s.SetTrialUserAttr(trialID, "key", "value"))
	tr.log("SetTrialUserAttr", nil, s.SetTrialUserAttr(trialID, "key", fmt.Sprint("'quoted' \"ü\" value ", len(tr.lines)%7)))
	tr.log("SetTrialSystemAttr", nil, s.SetTrialSystemAttr(trialID, "fm:plan:0", fmt.Sprint("{}", len(tr.lines)%7)))
	tr.log("SetTrialValue", nil, s.SetTrialValue(trialID, float64(len(tr.trials)*3%7)/3))
}

// distributions are one of each kind. Their values all include 2.
var distributions = map[string]any{
	"x":           goptuna.UniformDistribution{Low: -1, High: 2.5},
	"log":         goptuna.LogUniformDistribution{Low: 0.1, High: 10},
	"int":         goptuna.IntUniformDistribution{Low: 0, High: 2},
	"step":        goptuna.StepIntUniformDistribution{Low: 0, High: 6, Step: 2},
	"discrete":    goptuna.DiscreteUniformDistribution{Low: 0, High: 3, Q: 0.25},
	"categorical": goptuna.CategoricalDistribution{Choices: []string{"a", "b", "ç"}},
}

func transcribe(t *testing.T, name string, s goptuna.Storage) []string {
	t.Helper()
	tr := &transcript{storage: s, name: name}
	var err error
	tr.study, err = s.CreateNewStudy(tr.name)
	check(t, err)
	_, err = s.CreateNewStudy(tr.name)
	tr.log("CreateNewStudy", nil, err)
	tr.read()
	tr.log("SetStudyDirection", nil, s.SetStudyDirection(tr.study, goptuna.StudyDirectionMaximize))
	tr.log("SetStudyUserAttr", nil, s.SetStudyUserAttr(tr.study, "key", "value"))
	tr.log("SetStudySystemAttr", nil, s.SetStudySystemAttr(tr.study, "key", "value"))
	_, err = s.CreateNewTrial(1 << 30)
	tr.log("CreateNewTrial", nil, err)
	states := []goptuna.TrialState{goptuna.TrialStateComplete, goptuna.TrialStatePruned, goptuna.TrialStateFail, goptuna.TrialStateWaiting, goptuna.TrialStateRunning}
	for _, state := range states {
		id, err := s.CreateNewTrial(tr.study)
		check(t, err)
		tr.trials = append(tr.trials, id)
		tr.read()
		tr.write(id)
		tr.read()
		tr.log("SetTrialState", nil, s.SetTrialState(id, state))
		tr.log("SetTrialState", nil, s.SetTrialState(id, state)) // again
		tr.read()
		// A finished trial takes some of it, and the storage must show that.
		tr.log("SetTrialParam", nil, s.SetTrialParam(id, "late", 2, distributions["int"]))
		tr.write(id)
		tr.read()
	}
	for _, id := range slices.Clone(tr.trials) {
		base, err := s.GetTrial(id)
		check(t, err)
		base.Value += 0.1 // PostgreSQL takes any of equal values for the first
		clone, err := s.CloneTrial(tr.study, base)
		check(t, err)
		tr.trials = append(tr.trials, clone)
	}
	tr.read()
	tr.log("SetTrialState", nil, s.SetTrialState(1<<30, goptuna.TrialStateComplete))
	tr.write(1 << 30)
	tr.log("DeleteStudy", nil, s.DeleteStudy(tr.study))
	tr.read()
	tr.log("DeleteStudy", nil, s.DeleteStudy(tr.study))
	return tr.lines
}
