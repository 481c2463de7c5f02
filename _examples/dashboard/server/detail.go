//go:build develop

package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"
)

// serveDetail answers for one study. Goptuna v0.9.0 leaves what it says of the parameters and the attributes of trials empty,
// and with it all plots of the page Analytics and most columns of the table of trials. This fills it in.
func serveDetail(w http.ResponseWriter, r *http.Request, goptunas http.Handler, storage goptuna.Storage) {
	recorder := httptest.NewRecorder()
	goptunas.ServeHTTP(recorder, r)
	body := recorder.Body.Bytes()
	if recorder.Code == http.StatusOK {
		var err error
		if body, err = fillIn(body, r.PathValue("id"), storage); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(recorder.Code)
	w.Write(body)
}

// fillIn returns the answer for a study with what Goptuna leaves empty.
func fillIn(body []byte, studyID string, storage goptuna.Storage) ([]byte, error) {
	var detail map[string]any
	if err := json.Unmarshal(body, &detail); err != nil {
		return nil, err
	}
	id, err := strconv.Atoi(studyID)
	if err != nil {
		return nil, err
	}
	trials, err := storage.GetAllTrials(id)
	if err != nil {
		return nil, err
	}
	maps.Copy(detail, describe(trials).fields())
	return json.Marshal(detail)
}

// A description is what all trials of a study together have.
type description struct {
	union, intersection []parameter // the parameters of any finished trial and of every one, by name
	attributes          []attribute // of any trial, by key
	intermediate        bool        // whether any trial has intermediate values
}

func (d description) fields() map[string]any {
	return map[string]any{
		"union_search_space":        d.union,
		"intersection_search_space": d.intersection,
		"union_user_attrs":          d.attributes,
		"has_intermediate_values":   d.intermediate,
	}
}

// A parameter is a name and a distribution as the page wants them.
type parameter struct {
	Name         string `json:"name"`
	Distribution any    `json:"distribution"` // an interval or a choice
}

type interval struct {
	Type string  `json:"type"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Step float64 `json:"step"`
	Log  bool    `json:"log"`
}

type choice struct {
	Type    string   `json:"type"`
	Choices []option `json:"choices"`
}

type option struct {
	Type  string `json:"pytype"`
	Value string `json:"value"`
}

type attribute struct {
	Key      string `json:"key"`
	Sortable bool   `json:"sortable"` // as numbers; only these can be plotted
}

// describe looks through the trials.
func describe(trials []goptuna.FrozenTrial) description {
	finished := 0
	count := make(map[string]int)
	distributions := make(map[string]any)
	sortable := make(map[string]bool)
	d := description{union: []parameter{}, intersection: []parameter{}, attributes: []attribute{}}
	for _, trial := range trials {
		for key, value := range trial.UserAttrs {
			_, err := strconv.ParseFloat(value, 64)
			was, known := sortable[key]
			sortable[key] = err == nil && (was || !known)
		}
		d.intermediate = d.intermediate || len(trial.IntermediateValues) > 0
		if trial.State != goptuna.TrialStateComplete && trial.State != goptuna.TrialStatePruned {
			continue // the plots leave it out
		}
		finished++
		for name, distribution := range trial.Distributions {
			count[name]++
			distributions[name] = merge(distributions[name], convert(distribution))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		p := parameter{name, distributions[name]}
		d.union = append(d.union, p)
		if count[name] == finished {
			d.intersection = append(d.intersection, p)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(sortable)) {
		d.attributes = append(d.attributes, attribute{key, sortable[key]})
	}
	return d
}

// convert returns one of Goptuna's distributions as the page wants it.
func convert(distribution any) any {
	const float, integer = "FloatDistribution", "IntDistribution"
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		return interval{Type: float, Low: d.Low, High: d.High}
	case goptuna.LogUniformDistribution:
		return interval{Type: float, Low: d.Low, High: d.High, Log: true}
	case goptuna.DiscreteUniformDistribution:
		return interval{Type: float, Low: d.Low, High: d.High, Step: d.Q}
	case goptuna.IntUniformDistribution:
		return interval{Type: integer, Low: float64(d.Low), High: float64(d.High), Step: 1}
	case goptuna.StepIntUniformDistribution:
		return interval{Type: integer, Low: float64(d.Low), High: float64(d.High), Step: float64(d.Step)}
	case goptuna.CategoricalDistribution:
		c := choice{Type: "CategoricalDistribution", Choices: []option{}}
		for _, value := range d.Choices {
			c.Choices = append(c.Choices, option{Type: "str", Value: value})
		}
		return c
	}
	return interval{Type: float, High: 1} // Goptuna has no others
}

// merge returns a distribution that covers both: of a study whose ranges were changed, the page shows the whole.
func merge(a, b any) any {
	if a == nil || reflect.DeepEqual(a, b) {
		return b
	}
	x, ok := a.(interval)
	y, ok2 := b.(interval)
	if !ok || !ok2 {
		return a // choices can't change
	}
	x.Low, x.High = min(x.Low, y.Low), max(x.High, y.High)
	return x
}
