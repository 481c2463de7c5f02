package insight

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// LimitImportance is how much of the variance of a quantity with a limit is due to each
// parameter, on a scale on which what is far beyond the limit does not hide the rest.
type LimitImportance struct {
	Limit  string       // the name of the quantity
	Shares []Importance // the largest first; Good is Overall
	// R2 is the share of the variance that is explained where each trial is predicted from
	// the others, as that of Skill.
	R2 float64
}

// LimitImportance returns what each quantity with a limit depends on, by the model that the search
// has of it, in the order of names.
func (m *Model) LimitImportance() []LimitImportance { return slices.Clone(m.limits()) }

// LimitsOf is LimitImportance of a study that was read, for package report: also where no trial
// is within all limits, and Fit returns ErrNoValue.
func LimitsOf(h *history.History, options ...Option) (limits []LimitImportance, err error) {
	defer recovered(&err)
	c := newConfig(options)
	p, err := c.observe(h)
	if err != nil {
		return nil, err
	}
	m, err := c.fitTo(p)
	if err != nil {
		return nil, err
	}
	return m.LimitImportance(), nil
}

func (m *Model) computeLimits() (all []LimitImportance) {
	for _, c := range m.surrogate.Constraints {
		slack := func(xs []fmkernel.Point) []float64 {
			values := make([]float64, len(xs))
			c.Predictor().PredictMeans(values, xs)
			return values
		}
		all = append(all, LimitImportance{c.Name, m.importanceOf(response{slack, math.Inf(1)}), explained(c, m.effort.leftOut)})
	}
	return all
}

// explained returns the R² of at most so many of the latest trials.
func explained(c surrogate.Constraint, most int) float64 {
	n := min(most, len(c.Targets))
	targets := c.Targets[len(c.Targets)-n:]
	means, _ := c.LeaveOneOut(n)
	residual := 0.0
	for i, target := range targets {
		residual += (target - means[i]) * (target - means[i])
	}
	return 1 - residual/(float64(n)*stat.PopVariance(targets, nil))
}

// String names the parameters that have at least 1 %, with their shares, and says where these are
// uncertain.
func (l LimitImportance) String() string {
	var texts []string
	for _, share := range l.Shares {
		if share.Overall >= 0.01 && len(texts) < maxNamed {
			texts = append(texts, fmt.Sprintf("%s %.0f %%", share.Param, 100*share.Overall))
		}
	}
	if len(texts) == 0 || math.IsNaN(l.R2) || math.IsInf(l.R2, 0) { // no trial differs
		return "no parameter, as far as is known"
	}
	text := strings.Join(texts, ", ")
	if l.R2 < trusted {
		text += fmt.Sprintf("; uncertain: R² = %.2f", l.R2)
	}
	return text
}
