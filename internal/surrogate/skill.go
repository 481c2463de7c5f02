package surrogate

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// maxSkill is the number of observations up to which Skill compares: more take long.
const maxSkill = 200

// Skill returns by how much, in nats, Model predicts the targets, each from all others
// (Rasmussen and Williams, Eq. 5.10), better than a standard normal distribution does,
// which is what they were transformed to. Negative where nothing was learned. Each
// target counts up to maxGain either way. One that is alone with a value of a choice does
// not count: the others say nothing of that value, and what the search asks about are
// values that were seen. Nor does one that others have exactly, where that is not by
// chance: to know what repeats is no skill. Of more than maxSkill observations the skill
// is +Inf, and -Inf where they cannot be conditioned on.
func (s *Surrogate) Skill() float64 {
	if len(s.Targets) > maxSkill {
		return math.Inf(1)
	}
	model, err := s.fitting.observedModel(0, s.Model().Hyper(), s.conditions)
	if err != nil {
		return math.Inf(-1)
	}
	skill := 0.0
	alone, repeated := s.alone(), s.repeated()
	means, variances := model.LeaveOneOut(len(s.Targets))
	for i, y := range s.Targets {
		if alone[i] || repeated[s.Y[i]] {
			continue
		}
		gain := (y*y - (y-means[i])*(y-means[i])/variances[i] - math.Log(variances[i])) / 2
		skill += min(maxGain, max(-maxGain, gain))
	}
	return skill
}

// alone returns which observations have a value of a choice that no other has.
func (s *Surrogate) alone() []bool {
	alone, space := make([]bool, len(s.X)), s.fitting.problem.Space
	for g, param := range space.Graphs() {
		if param.Graph.Shape() != graphs.ShapeComplete || len(s.fitting.idle.V) > g && s.fitting.idle.V[g] {
			continue // neighbours tell something, or any other value does
		}
		having := map[int][]int{}
		for i, x := range s.X {
			if space.Active(x, param) {
				having[x.V[g]] = append(having[x.V[g]], i)
			}
		}
		for _, observations := range having {
			if len(observations) == 1 {
				alone[observations[0]] = true
			}
		}
	}
	return alone
}
