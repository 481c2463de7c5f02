package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

const (
	// maxMaps is the number of interactions that are shown, and minShare what each has to have of the variation.
	maxMaps, minShare = 3, 0.01
)

// interactions shows the predicted value against the pairs of parameters that do most together.
func (s *study) interactions() *section {
	if s.model == nil || len(s.model.Params()) < 2 || s.model.Importance()[0].Overall == 0 {
		return nil
	}
	section := &section{ID: "interactions", Title: "Interactions of two parameters"}
	for _, pair := range s.model.Interactions(maxMaps) {
		if !(pair.Share >= minShare) {
			continue
		}
		d, err := s.model.PartialDependence2(pair.X, pair.Y)
		if err != nil {
			continue
		}
		if f, ok := s.heatMap(d); ok {
			f.Title = pair.X + " and " + pair.Y
			f.Caption = fmt.Sprintf("%.1f %% of the variation is due to the two together.", 100*pair.Share)
			section.Figures = append(section.Figures, f)
		}
	}
	if len(section.Figures) == 0 {
		section.Text = []string{"No two parameters do much together: each can be chosen by itself."}
		switch {
		case s.limited():
			section.Text = []string{"No two parameters do much together for the value. For the limits they may."}
		case s.model.Skill().R2 < 0.8: // as for importances
			section.Text = []string{"No two parameters do much together, as far as the model can tell yet."}
		}
		return section
	}
	section.Text = []string{"The predicted value for the pairs with the strongest interactions, averaged over all other parameters. The brighter, the better. " +
		"Dots are trials."}
	return section
}

// heatMap draws the value against two parameters, choices upwards if one of them has some. It reports false if nothing is
// known.
func (s *study) heatMap(d *insight.Dependence2) (f figure, ok bool) {
	x, y, at := d.X, d.Y, func(i, j int) insight.Prediction { return d.At[j][i] }
	if x.Scale == insight.Choices && y.Scale != insight.Choices {
		x, y, at = d.Y, d.X, func(i, j int) insight.Prediction { return d.At[i][j] }
	}
	known := slices.DeleteFunc(slices.Concat(d.At...), func(p insight.Prediction) bool { return math.IsNaN(p.Value) })
	if len(known) == 0 {
		return f, false
	}
	byGrade := func(a, b insight.Prediction) int { return cmp.Compare(s.grade(a), s.grade(b)) }
	best, worst := slices.MinFunc(known, byGrade), slices.MaxFunc(known, byGrade)
	f.Better, f.Worst = chart.Number(best.Value), chart.Number(worst.Value)
	shades := chart.Scale{Low: s.grade(best), High: s.grade(worst)}
	c := &chart.Chart{Title: "Predicted value against " + x.Param + " and " + y.Param, X: axis(x), Y: axis(y)}
	c.X.Low, _ = edges(x, 0)
	_, c.X.High = edges(x, len(x.Values)-1)
	c.Y.Low, _ = edges(y, 0)
	_, c.Y.High = edges(y, len(y.Values)-1)
	boxes := chart.Boxes{Entry: chart.Entry{Style: chart.Heat}}
	for i, xv := range x.Values {
		for j, yv := range y.Values {
			p := at(i, j)
			if math.IsNaN(p.Value) {
				continue
			}
			b := chart.Box{
				Shade: 1 - shades.At(s.grade(p)),
				Title: fmt.Sprintf("%s = %s, %s = %s: %s, 90 %%: %s to %s", x.Param, brief(xv), y.Param, brief(yv),
					chart.Number(p.Value), chart.Number(p.Low), chart.Number(p.High)),
			}
			b.X0, b.X1 = edges(x, i)
			b.Y0, b.Y1 = edges(y, j)
			boxes.Boxes = append(boxes.Boxes, b)
		}
	}
	c.Marks = []chart.Mark{boxes, s.tried(x, y)}
	f.Chart = c
	return f, true
}

// grade returns a predicted value to be minimised, on the scale of the objective's axis.
func (s *study) grade(p insight.Prediction) float64 {
	if s.all.Kind == chart.Log {
		return s.sign * math.Log(math.Max(p.Value, s.all.Low))
	}
	return s.sign * p.Value
}

// tried returns the trials that have both parameters and a value.
func (s *study) tried(x, y insight.Axis) chart.Points {
	points := chart.Points{Entry: chart.Entry{Style: chart.Tried}}
	for _, t := range s.trials {
		xv, hasX := s.model.Value(x.Param, t.Params)
		yv, hasY := s.model.Value(y.Param, t.Params)
		px, py := position(x, xv), position(y, yv)
		if hasX && hasY && hasValue(t) && !math.IsNaN(px+py) {
			points.Add(px+aside(x, t.Number, math.Phi), py+aside(y, t.Number, math.Sqrt2), describe(t))
		}
	}
	return points
}

// aside is how far a trial is drawn from the middle of its choice, so that not all lie on one another: multiples of an
// irrational number fill the place evenly.
func aside(a insight.Axis, number int, irrational float64) float64 {
	if a.Scale != insight.Choices {
		return 0
	}
	return halfBar * (2*math.Mod(float64(number)*irrational, 1) - 1)
}

// edges returns the ends of the part of the axis that is nearest to a value.
func edges(a insight.Axis, i int) (lo, hi float64) {
	at := position(a, a.Values[i])
	lo, hi = at, at
	if a.Scale == insight.Choices {
		return at - 0.5, at + 0.5
	}
	between := func(x, y float64) float64 {
		if a.Scale == insight.Log {
			return math.Sqrt(x) * math.Sqrt(y)
		}
		return x/2 + y/2
	}
	n := len(a.Values)
	if _, whole := a.Values[i].(int); whole && n > 1 { // those at the ends are as wide as the others
		first, last := position(a, a.Values[0]), position(a, a.Values[n-1])
		half := (last - first) / float64(n-1) / 2
		lo, hi = lo-half, hi+half
	}
	if i > 0 {
		lo = between(position(a, a.Values[i-1]), at)
	}
	if i+1 < len(a.Values) {
		hi = between(at, position(a, a.Values[i+1]))
	}
	return lo, hi
}
