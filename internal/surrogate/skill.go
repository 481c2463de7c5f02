package surrogate

import "math"

// maxSkill is the number of observations up to which Skill compares: more take long.
const maxSkill = 200

// Skill returns by how much, in nats, Model predicts the targets, each from all others
// (Rasmussen and Williams, Eq. 5.10), better than a standard normal distribution does,
// which is what they were transformed to. Negative where nothing was learned. Each
// target counts up to maxGain either way. Of more than maxSkill observations the skill is
// +Inf, and -Inf where they cannot be conditioned on.
func (s *Surrogate) Skill() float64 {
	if len(s.Targets) > maxSkill {
		return math.Inf(1)
	}
	model, err := s.fitting.observedModel(0, s.Model().Hyper(), s.conditions, s.cache)
	if err != nil {
		return math.Inf(-1)
	}
	skill := 0.0
	means, variances := model.LeaveOneOut()
	for i, y := range s.Targets {
		gain := (y*y - (y-means[i])*(y-means[i])/variances[i] - math.Log(variances[i])) / 2
		skill += min(maxGain, max(-maxGain, gain))
	}
	return skill
}
