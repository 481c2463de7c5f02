package surrogate

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

const (
	// maxSkill is the number of observations up to which Skill compares: more take long. Of so many
	// with the values that are left the others have nothing to add.
	maxSkill = 200
	// minSkill is the number of observations with the values that are left from which they
	// alone count.
	minSkill = 4
)

// Skill returns by how much, in nats, Model predicts the targets, each from all others
// (Rasmussen and Williams, Eq. 5.10), better than a normal distribution with their mean and
// variance does. Negative where nothing was learned. Where a parameter has one value left, only
// the observations with that count: that others are predicted well says nothing of them. Each
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
	counted, mean, variance := s.counted()
	alone, repeated := s.alone(), s.repeated()
	means, variances := model.LeaveOneOut(len(s.Targets))
	for _, i := range counted {
		if alone[i] || repeated[s.Y[i]] {
			continue
		}
		y := s.Targets[i]
		gain := ((y-mean)*(y-mean)/variance - (y-means[i])*(y-means[i])/variances[i] - math.Log(variances[i]/variance)) / 2
		skill += min(maxGain, max(-maxGain, gain))
	}
	return skill
}

// counted returns the observations with the values that are left, by index, all where these
// are few, with mean and variance of their targets.
func (s *Surrogate) counted() (indices []int, mean, variance float64) {
	withLeft := s.withLeft()
	for i := range s.X {
		indices = append(indices, i)
	}
	if len(withLeft) < minSkill || len(withLeft) == len(indices) {
		return indices, 0, 1 // what all were transformed to
	}
	if mean, variance = stat.PopMeanVariance(pick(s.Targets, withLeft), nil); variance == 0 {
		return indices, 0, 1
	}
	return withLeft, mean, variance
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
