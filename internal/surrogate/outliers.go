package surrogate

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

const (
	// minOutliers and maxOutliers are the numbers of observations from which, and up to
	// which, outliers are looked for. What was found stays out: of many observations a few
	// mislead little, and to fit all of them several times takes long.
	minOutliers, maxOutliers = 12, 200
	// outlierShare is the share of the observations that outliers may be.
	outlierShare = 0.25
	// A target may be an outlier if all others predict one that is smaller by
	// outlierDeviations standard deviations of the prediction, and by outlierExcess
	// standard deviations of all targets: what misleads nobody need not be left out.
	outlierDeviations = 2.5
	outlierExcess     = 1.0
	// outlierSearches is how often they are looked for. Without the first ones there
	// is less noise, and others stand out.
	outlierSearches = 3
	// outlierCost is what each of them costs, in nats: about as where a value in fifty is
	// one, anywhere in seven standard deviations. That there are any costs as much as two.
	outlierCost = 5.0
)

// mayHaveOutliers reports whether values may be none of the objective.
func (f fitting) mayHaveOutliers() bool { return !f.ReferenceFit && !f.Deterministic }

// searchesOutliers reports whether a new fit looks for such values.
func (f fitting) searchesOutliers() bool {
	n := len(f.problem.Y)
	return f.mayHaveOutliers() && minOutliers <= n && n <= maxOutliers
}

// knownOutliers returns those of the last fit, none where a new one looks for them.
func (f fitting) knownOutliers(from start) []int {
	if !f.mayHaveOutliers() || from.due && f.searchesOutliers() {
		return nil
	}
	return from.last.Outliers
}

// outliers returns the numbers of the trials whose values are none of the objective, as
// where something else ran beside a measurement, and the hyperparameters without them. One
// such value makes the model expect noise everywhere, or no effect that reaches far. They
// are trials that all others contradict, and without which the others are so much more
// probable that it pays to take some values for anything at all (Box and Tiao, A Bayesian
// approach to some outlier problems, 1968). All of their values are too large: one that is
// smaller than expected is what the search is for.
func (f fitting) outliers(all Observations, hyper gp.Hyper) (numbers []int, without gp.Hyper) {
	if !f.searchesOutliers() {
		return nil, hyper
	}
	most := int(outlierShare * float64(len(all.Y)))
	rest, without := all, hyper
	for range outlierSearches {
		found := f.contradicted(rest, without, most-len(numbers))
		if len(found) == 0 {
			break
		}
		for _, i := range found {
			numbers = append(numbers, rest.Trials[i].Number)
		}
		rest = rest.pick(others(len(rest.Y), found))
		without = f.refined(rest, without)
	}
	if len(numbers) == 0 {
		return nil, hyper
	}
	gain := f.logPredictive(rest, without, 0) - f.logPredictive(all, hyper, 0)
	if !(gain > outlierCost*float64(2+len(numbers))) {
		return nil, hyper
	}
	return numbers, without
}

// contradicted returns the indices of at most so many observations that may be outliers.
func (f fitting) contradicted(data Observations, hyper gp.Hyper, most int) []int {
	model, err := gp.Condition(f.kernel, hyper, data.X, data.Targets)
	if err != nil {
		return nil
	}
	return model.Contradicted(outlierDeviations, outlierExcess, most)
}

// others returns the indices below n that are none of the given ones.
func others(n int, indices []int) (others []int) {
	for i := range n {
		if !slices.Contains(indices, i) {
			others = append(others, i)
		}
	}
	return others
}
