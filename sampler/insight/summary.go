package insight

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// configuration prints parameters by name.
func configuration(params map[string]any) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		texts = append(texts, name+" = "+short(params[name]))
	}
	return strings.Join(texts, ", ")
}

// String returns the importance as "x 61 %", with where the parameter is active if
// it is not everywhere.
func (i Importance) String() string {
	text := fmt.Sprintf("%s %.0f %%", i.Param, 100*i.Overall)
	if i.Active < 1 {
		text += fmt.Sprintf(" (%.0f %% where it is active)", 100*i.Total)
	}
	return text
}

// Summary returns what the model says, a sentence a line.
func (m *Model) Summary() string {
	var texts []string
	for _, i := range m.importance() {
		texts = append(texts, i.String())
	}
	return strings.Join([]string{
		m.String(),
		m.Skill().String(),
		"share in the variation: " + strings.Join(texts, ", "),
		m.Recommend().String(),
		m.Advice().String(),
	}, "\n")
}
