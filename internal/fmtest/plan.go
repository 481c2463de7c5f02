package fmtest

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
)

// Wide is a space of 100 parameters whose names need many bytes, and more when
// they are escaped.
func Wide() []Param {
	distributions := Mixed()
	params := make([]Param, 100)
	for i := range params {
		name := fmt.Sprintf("参数 <%d> \"größe\" \\ \t 🦜🦜🦜 &\u2028 %s", i, strings.Repeat("長", 20))
		params[i] = Param{Name: name, Distribution: distributions[i%len(distributions)].Distribution}
	}
	return params
}

// WideValue is an objective of Wide.
func WideValue(x map[string]float64) (sum float64) {
	for _, p := range Wide() {
		if d, ok := p.Distribution.(goptuna.UniformDistribution); ok {
			sum += sq(x[p.Name] - d.Low)
		}
	}
	return sum
}

// PlanOf returns the attributes of a trial that hold its plan, and checks that
// every database takes them.
func PlanOf(t *testing.T, trial goptuna.FrozenTrial) map[string]string {
	t.Helper()
	plan := map[string]string{}
	for key, value := range trial.SystemAttrs {
		if key == "fixed_params" {
			continue
		}
		if !strings.HasPrefix(key, "fm:") {
			t.Errorf("attribute %q without the prefix fm:", key)
		}
		if len(value) >= 2046 {
			t.Errorf("attribute %q has %d characters; databases take fewer than 2046", key, len(value))
		}
		for i := range len(value) {
			if value[i] >= 0x80 {
				t.Errorf("attribute %q has a character outside of ASCII at %d", key, i)
				break
			}
		}
		plan[key] = value
	}
	return plan
}

// Attributes returns the system attributes of a trial after store has written some.
func Attributes(t testing.TB, store func(study *goptuna.Study, trialID int) error) map[string]string {
	t.Helper()
	study := NewStudy(t, goptuna.NewRandomSampler())
	id, err := study.Storage.CreateNewTrial(study.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := store(study, id); err != nil {
		t.Fatal(err)
	}
	attrs, err := study.Storage.GetTrialSystemAttrs(id)
	if err != nil {
		t.Fatal(err)
	}
	return maps.Clone(attrs)
}
