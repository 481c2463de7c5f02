package cachedrdb_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// A row that nobody can read is an error that says where it is, and no panic.
func TestBrokenRows(t *testing.T) {
	for _, test := range []struct {
		statement string
		want      []string
	}{
		{"UPDATE trial_params SET param_value = 7", []string{`parameter "kind"`, "no choice 7"}},
		{"UPDATE trial_params SET param_value = -1", []string{`parameter "kind"`, "no choice -1"}},
		{`UPDATE trial_params SET distribution_json = '{"na'`, []string{`parameter "kind"`, "JSON"}},
		{`UPDATE trial_params SET distribution_json = '{"name":"Normal"}'`, []string{`parameter "kind"`, goptuna.ErrUnknownDistribution.Error()}},
		{"UPDATE trials SET state = 'DONE'", []string{`"DONE"`}},
	} {
		db := openSQLite(t)
		storage := cachedrdb.NewStorage(db)
		study := newStudy(t, storage, "study")
		id, err := storage.CreateNewTrial(study)
		check(t, err)
		check(t, storage.SetTrialParam(id, "kind", 2, categorical(3)))
		check(t, storage.SetTrialState(id, goptuna.TrialStateComplete))
		check(t, db.Exec(test.statement).Error)
		for name, read := range map[string]func() error{
			"GetAllTrials":         func() error { _, err := storage.GetAllTrials(study); return err },
			"GetBestTrial":         func() error { _, err := storage.GetBestTrial(study); return err },
			"GetTrial":             func() error { _, err := storage.GetTrial(id); return err },
			"GetTrialParams":       func() error { _, err := storage.GetTrialParams(id); return err },
			"GetAllStudySummaries": func() error { _, err := storage.GetAllStudySummaries(); return err },
		} {
			err := read()
			for _, want := range append(test.want, fmt.Sprint("trial with id ", id)) {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s after %s: error %v, want %q", name, test.statement, err, want)
				}
			}
		}
	}
}
