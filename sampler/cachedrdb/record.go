package cachedrdb

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/c-bata/goptuna"
)

// trialRow is a row of the table of trials.
type trialRow struct {
	id, number, studyID int
	state               goptuna.TrialState
	value               float64
	start, complete     time.Time
}

// sameTrial reports whether two rows with one id are of the same trial: number
// and start do not change after its creation.
func (r trialRow) sameTrial(other trialRow) bool {
	return r.id == other.id && r.studyID == other.studyID && r.number == other.number && r.start.Equal(other.start)
}

func (r trialRow) equal(other trialRow) bool {
	return r.sameTrial(other) && r.state == other.state && r.complete.Equal(other.complete) &&
		math.Float64bits(r.value) == math.Float64bits(other.value) // NaN equals itself
}

// record is a trial in less space than a goptuna.FrozenTrial, whose maps take
// three times as much.
type record struct {
	trialRow
	params       []param
	values       []intermediate
	user, system []attribute
}

type param struct {
	name         string
	internal     float64
	external     any
	distribution any
}

type intermediate struct {
	step  int
	value float64
}

type attribute struct{ key, value string }

func (r *record) addParam(name string, internal float64, distributionJSON string, d *distributions) error {
	p, err := d.decode(name, distributionJSON)
	if err != nil {
		return err
	}
	value, err := external(p.distribution, internal)
	if err != nil {
		return err
	}
	r.params = append(r.params, param{p.name, internal, value, p.distribution})
	return nil
}

// external returns the value as the objective sees it. Goptuna itself panics where
// there is no such choice.
func external(distribution any, internal float64) (any, error) {
	if d, ok := distribution.(goptuna.CategoricalDistribution); ok && !d.Contains(internal) {
		return nil, fmt.Errorf("no choice %v among %d, counted from 0", internal, len(d.Choices))
	}
	return goptuna.ToExternalRepresentation(distribution, internal)
}

// clip gives back the memory that the slices reserved while they grew.
func (r *record) clip() {
	r.params = slices.Clone(r.params)
	r.values = slices.Clone(r.values)
	r.user = slices.Clone(r.user)
	r.system = slices.Clone(r.system)
}

// frozen returns the trial as Goptuna knows it. The maps are new: Goptuna itself
// deletes from one of them (goptuna.IntersectionSearchSpace).
func (r *record) frozen() goptuna.FrozenTrial {
	t := goptuna.FrozenTrial{
		ID:                 r.id,
		StudyID:            r.studyID,
		Number:             r.number,
		State:              r.state,
		Value:              r.value,
		IntermediateValues: make(map[int]float64, len(r.values)),
		DatetimeStart:      r.start,
		DatetimeComplete:   r.complete,
		InternalParams:     make(map[string]float64, len(r.params)),
		Params:             make(map[string]interface{}, len(r.params)),
		Distributions:      make(map[string]interface{}, len(r.params)),
		UserAttrs:          make(map[string]string, len(r.user)),
		SystemAttrs:        make(map[string]string, len(r.system)),
	}
	for _, p := range r.params {
		t.InternalParams[p.name] = p.internal
		t.Params[p.name] = p.external
		t.Distributions[p.name] = p.distribution
	}
	for _, v := range r.values {
		t.IntermediateValues[v.step] = v.value
	}
	for _, a := range r.user {
		t.UserAttrs[a.key] = a.value
	}
	for _, a := range r.system {
		t.SystemAttrs[a.key] = a.value
	}
	return t
}
