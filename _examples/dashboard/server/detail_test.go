//go:build develop

package main

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

func TestDescribe(t *testing.T) {
	complete := func(attrs map[string]string, distributions map[string]any) goptuna.FrozenTrial {
		return goptuna.FrozenTrial{State: goptuna.TrialStateComplete, UserAttrs: attrs, Distributions: distributions}
	}
	got := describe([]goptuna.FrozenTrial{
		complete(map[string]string{"accuracy": "0.9", "note": "good"}, map[string]any{
			"rate":      goptuna.LogUniformDistribution{Low: 0.1, High: 1},
			"optimiser": goptuna.CategoricalDistribution{Choices: []string{"sgd", "adam"}},
		}),
		complete(map[string]string{"accuracy": "1e-3"}, map[string]any{
			"rate":   goptuna.LogUniformDistribution{Low: 0.01, High: 0.5},
			"layers": goptuna.StepIntUniformDistribution{Low: 2, High: 8, Step: 2},
		}),
		{State: goptuna.TrialStateRunning, IntermediateValues: map[int]float64{1: 2}, Distributions: map[string]any{
			"ignored": goptuna.UniformDistribution{High: 1},
		}},
	})
	rate := parameter{"rate", interval{Type: "FloatDistribution", Low: 0.01, High: 1, Log: true}}
	want := description{
		union: []parameter{
			{"layers", interval{Type: "IntDistribution", Low: 2, High: 8, Step: 2}},
			{"optimiser", choice{Type: "CategoricalDistribution", Choices: []option{{"str", "sgd"}, {"str", "adam"}}}},
			rate,
		},
		intersection: []parameter{rate},
		attributes:   []attribute{{"accuracy", true}, {"note", false}},
		intermediate: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// Trials of every state, one of them without a value that JSON has, are all in the answer.
func TestHandler(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "study.db")
	makeStudy(t, path)
	page := filepath.Join(dir, "public", "bundle.js")
	if err := os.Mkdir(filepath.Dir(page), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	storage, err := openStorage("sqlite://" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer storage.Close()
	handler, err := newHandler(storage, page)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()

	var list struct {
		Studies []struct {
			Name string `json:"study_name"`
		} `json:"study_summaries"`
	}
	get(t, server.URL+"/api/studies", http.StatusOK, &list)
	if len(list.Studies) != 1 || list.Studies[0].Name != "s" {
		t.Errorf("studies: %+v", list)
	}

	var detail struct {
		Trials []struct{ State string }
		Union  []parameter `json:"union_search_space"`
		Common []parameter `json:"intersection_search_space"`
	}
	get(t, server.URL+"/api/studies/1", http.StatusOK, &detail)
	var states []string
	for _, trial := range detail.Trials {
		states = append(states, trial.State)
	}
	if want := []string{"Complete", "Fail", "Fail", "Waiting"}; !reflect.DeepEqual(states, want) {
		t.Errorf("states %q, want %q: the second is infinite", states, want)
	}
	if len(detail.Union) != 1 || len(detail.Common) != 1 || detail.Union[0].Name != "x" {
		t.Errorf("search space %+v, %+v, want x in both", detail.Union, detail.Common)
	}

	get(t, server.URL+"/api/studies/2", http.StatusNotFound, nil)
	var script int
	get(t, server.URL+"/static/bundle.js", http.StatusOK, &script)

	request, err := http.NewRequest(http.MethodDelete, server.URL+"/api/studies/1", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := http.DefaultClient.Do(request); err != nil {
		t.Fatal(err)
	}
	get(t, server.URL+"/api/studies/1", http.StatusNotFound, nil)
	db, err := storage.DB()
	if err != nil {
		t.Fatal(err)
	}
	var left int
	if err := db.QueryRow("SELECT COUNT(*) FROM trials").Scan(&left); err != nil || left != 0 {
		t.Errorf("a study that was deleted left %d trials (%v)", left, err)
	}
}

// makeStudy makes a study of a complete, an infinite, a failed and a waiting trial.
func makeStudy(t *testing.T, path string) {
	t.Helper()
	storage, err := cachedrdb.OpenSQLite(path, sqlite.Open)
	if err != nil {
		t.Fatal(err)
	}
	defer storage.Close()
	study, err := goptuna.CreateStudy("s", goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLogger(nil), goptuna.StudyOptionIgnoreError(true))
	if err != nil {
		t.Fatal(err)
	}
	values := []float64{1, math.Inf(-1), 0}
	objective := func(trial goptuna.Trial) (float64, error) {
		if _, err := trial.SuggestFloat("x", 0, 1); err != nil {
			return 0, err
		}
		value := values[0]
		values = values[1:]
		if value == 0 {
			return 0, os.ErrInvalid
		}
		return value, nil
	}
	if err := study.Optimize(objective, len(values)); err != nil {
		t.Fatal(err)
	}
	if err := study.EnqueueTrial(map[string]float64{"x": 0.5}); err != nil {
		t.Fatal(err)
	}
}

// get asks for a URL and, unless value is nil, decodes the answer.
func get(t *testing.T, url string, status int, value any) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != status {
		t.Errorf("%s: %s, want %d", url, response.Status, status)
	}
	if value != nil {
		if err := json.NewDecoder(response.Body).Decode(value); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}
