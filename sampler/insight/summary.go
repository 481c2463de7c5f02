package insight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

const (
	// maxNamed is the number of parameters that a sentence names.
	maxNamed = 8
	// trusted is the R² below which importances may be those of the model rather than
	// of the objective.
	trusted = 0.8
	// A parameter is named for what is good where it has goodShare of that, and goodFactor
	// times its share of the whole.
	goodShare, goodFactor = 0.1, 2
)

// ImportanceSummary returns in a sentence which parameters matter, near which value the
// most important one is best, that of the recommendation, and which matter more for the best
// quarter of the space. Where the R² is below 0.8, it says so; and with constraints, that they
// have no part in this.
func (m *Model) ImportanceSummary() string {
	all := m.importance()
	var texts, good []string
	doubt := ""
	for _, share := range all {
		if share.Good >= goodShare && share.Good >= goodFactor*share.Overall && len(good) < maxNamed {
			good = append(good, fmt.Sprintf("%s %.0f %%", share.Param, 100*share.Good))
		}
	}
	for i, share := range all {
		if others := len(all) - maxNamed; i == maxNamed && others > 1 {
			texts = append(texts, fmt.Sprintf("each of %d others %.0f %% at most", others, 100*share.Overall))
			break
		}
		text := fmt.Sprintf("%s %.0f %%", share.Param, 100*share.Overall)
		if i == 0 {
			text = fmt.Sprintf("%s explains %.0f %% of the variation", share.Param, 100*share.Overall)
			if share.Overall == 0 {
				return "no parameter matters yet"
			}
			if value, active := m.Value(share.Param, m.bestNear()); active {
				text += fmt.Sprintf(" (best near %s)", words.Value(value))
			}
			if r2 := m.Skill().R2; r2 < trusted {
				doubt = fmt.Sprintf("; these shares are uncertain: the R² of the predictions is %.2f", r2)
			}
		}
		if share.Active < 1 {
			text += fmt.Sprintf(" (%.0f %% where it is active)", 100*share.Total)
		}
		texts = append(texts, text)
	}
	text := strings.Join(texts, ", ")
	if len(good) > 0 {
		text += "; of what makes the best quarter better: " + strings.Join(good, ", ")
	}
	if len(m.problem.Constraints()) > 0 {
		doubt += "; these are shares of the value alone: a parameter may matter for the limits all the same"
	}
	return text + doubt
}

// bestPredicted returns the parameters of the trial with the best prediction, of those
// whose configurations are still possible, or of all.
func (m *Model) bestPredicted() map[string]any {
	order, _ := m.order()
	at := max(0, slices.IndexFunc(order, func(i int) bool { return m.possible(m.surrogate.X[i]) }))
	return m.surrogate.Trials[order[at]].Params
}

// NoiseSummary returns in a sentence how much noise there is. It is empty where the user says
// that there is none, or where all values are the same.
func (m *Model) NoiseSummary() string {
	if m.surrogate.Deterministic() || slices.Min(m.surrogate.Y) == slices.Max(m.surrogate.Y) {
		return ""
	}
	noise := m.Noise()
	if _, _, most := m.noiseOnTargets(); m.noiseOf(m.grade, most) < gainLimit*m.spread() {
		return fmt.Sprintf("near the best value there is hardly any noise, of less than %s of the way from there to the median", percent(gainLimit))
	}
	return fmt.Sprintf("near the best value the noise of a trial has a standard deviation of about %s (90 %%: %s to %s)",
		words.Number(noise.Value, 2), words.Number(noise.Low, 2), words.Number(noise.High, 2))
}

// Summary returns what the model says, a sentence a line: what it is fitted to, how
// well it predicts and how much noise there is, which parameters matter, what each limited quantity
// depends on, the recommendation and the advice.
func (m *Model) Summary() string {
	lines := []string{m.String(), m.Skill().String(), m.NoiseSummary(), m.ImportanceSummary()}
	for _, l := range m.LimitImportance() {
		lines = append(lines, fmt.Sprintf("%s depends on %v", l.Limit, l))
	}
	lines = append(lines, m.Recommend().String(), m.Advice().String())
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// configuration prints parameters by name.
func configuration(params map[string]any) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		texts = append(texts, name+" = "+words.Value(params[name]))
	}
	return strings.Join(texts, ", ")
}
