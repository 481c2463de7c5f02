package sampler

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// Study user attributes, which Goptuna's dashboard shows beside the plots.
const (
	modelAttr       = "fm: model"
	predictionAttr  = "fm: prediction"
	importanceAttr  = "fm: importance"
	improvementAttr = "fm: expected improvement"

	// maxAttr bounds the length of an attribute, below every database's limit.
	maxAttr = 1000
	// importanceBases and importanceValues are the number of observations at
	// which, and of values to which, each parameter is varied; the first is less
	// where importancePoints predictions are not enough for that.
	importanceBases  = 16
	importanceValues = 6
	importancePoints = 2048
)

// report writes what a new fit knows to the study's user attributes: four
// writes. What goes wrong with it is logged once and changes nothing else.
func report(study *goptuna.Study, p *observe.Problem, s *surrogate.Surrogate, next proposal, random stream.Trial, log logger) {
	var attrs [][2]string
	if err := guard(func() error {
		attrs = attributes(p, s, next, random)
		return nil
	}); err != nil {
		log.warn("cannot report on the model", err)
		return
	}
	for _, attr := range attrs {
		text := attr[1]
		if len(text) > maxAttr {
			text = strings.ToValidUTF8(text[:maxAttr], "") + " …"
		}
		err := study.SetUserAttr(attr[0], text)
		if err != nil { // two processes may have written it first
			err = study.SetUserAttr(attr[0], text)
		}
		if err != nil {
			log.warn("cannot write the study's attributes", err)
			return
		}
	}
}

// attributes returns names and texts.
func attributes(p *observe.Problem, s *surrogate.Surrogate, next proposal, random stream.Trial) [][2]string {
	post := s.Model().Predictor()
	mean, variance := post.Predict(next.x)
	return [][2]string{
		{modelAttr, fmt.Sprintf("%v kernel on %d continuous and %d discrete parameters, fitted to %d trials",
			s.Kernel, len(p.Space.Dims()), len(p.Space.Vertices()), len(s.Targets))},
		{predictionAttr, predictionText(post, s.Targets)},
		{importanceAttr, importanceText(p, s, random)},
		{improvementAttr, improvementText(p, s, acquisition.LogEI(next.best, mean, variance))},
	}
}

// predictionText tells how well each trial is predicted from the others.
func predictionText(post *gp.Predictor, targets []float64) string {
	means, variances := post.LeaveOneOut()
	var residual float64
	within := 0
	for i, y := range targets {
		diff := y - means[i]
		residual += diff * diff
		if diff*diff <= 4*variances[i] {
			within++
		}
	}
	n := float64(len(targets))
	total := n * stat.PopVariance(targets, nil)
	if total == 0 {
		return "all values are the same"
	}
	return fmt.Sprintf("leaving one trial out: R² = %.2f, %.0f %% of the trials within two standard deviations", 1-residual/total, 100*float64(within)/n)
}

// importanceText tells how much each parameter moves the prediction: the
// variance of the mean while it alone varies, averaged over the observations,
// as shares of the sum over the parameters.
func importanceText(p *observe.Problem, s *surrogate.Surrogate, random stream.Trial) string {
	rng := random.Rand("importance")
	params := p.Space.Params()
	bases := make([]fmkernel.Point, min(max(1, importancePoints/(importanceValues*len(params))), importanceBases))
	for i := range bases {
		bases[i] = s.X[rng.IntN(len(s.X))]
	}
	type share struct {
		name string
		of   float64
	}
	var xs []fmkernel.Point // importanceValues for each parameter at each base where it is active
	for _, param := range params {
		for _, base := range bases {
			if !p.Space.Active(base, param) {
				continue
			}
			for i := range importanceValues {
				x := base.Clone()
				p.Space.Set(x, param, param.FromUnit((float64(i)+rng.Float64())/importanceValues))
				xs = append(xs, x)
			}
		}
	}
	means := s.Means(xs)
	var shares []share
	sum := 0.0
	for _, param := range params {
		total := 0.0
		for _, base := range bases {
			if p.Space.Active(base, param) {
				total += stat.PopVariance(means[:importanceValues], nil)
				means = means[importanceValues:]
			}
		}
		shares = append(shares, share{param.Name, total})
		sum += total
	}
	if sum == 0 {
		return "no parameter matters yet"
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.of, a.of) })
	var texts []string
	for _, share := range shares {
		texts = append(texts, fmt.Sprintf("%s %.0f %%", share.name, 100*share.of/sum))
	}
	return strings.Join(texts, ", ")
}

// improvementText tells what the next trial is expected to gain, in units of
// the objective: below the median, where an improvement lies, targets are
// linear in it.
func improvementText(p *observe.Problem, s *surrogate.Surrogate, logEI float64) string {
	order := make([]int, len(s.Y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.Y[i], s.Y[j]) })
	best := order[0]
	for _, i := range order[1 : 1+len(order)/2] {
		if rise := s.Targets[i] - s.Targets[best]; rise > 0 {
			unit := (s.Y[i] - s.Y[best]) / rise
			return fmt.Sprintf("%.2g in units of the objective, by trial %d", math.Exp(logEI)*unit, p.Number)
		}
	}
	return "none: the best values are the same"
}
