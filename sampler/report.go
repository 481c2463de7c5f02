package sampler

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
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
	// which, and of values to which, each parameter is varied.
	importanceBases  = 16
	importanceValues = 6
)

// report writes what a new fit knows to the study's user attributes: four
// writes. What goes wrong with it is logged once and changes nothing else.
func (t *task) report(kernel *fmkernel.Kernel, post *gp.Predictor, targets []float64, best float64, next fmkernel.Point) {
	defer func() {
		if r := recover(); r != nil {
			t.warn(t.study, "cannot report on the model", r)
		}
	}()
	mean, variance := post.Predict(next)
	for _, attr := range [][2]string{
		{modelAttr, fmt.Sprintf("%v kernel on %d continuous and %d discrete parameters, fitted to %d trials",
			kernel, len(t.space.Dims()), len(t.space.Vertices()), len(targets))},
		{predictionAttr, predictionText(post, targets)},
		{importanceAttr, t.importanceText(post)},
		{improvementAttr, t.improvementText(targets, acquisition.LogEI(best, mean, variance))},
	} {
		text := attr[1]
		if len(text) > maxAttr {
			text = strings.ToValidUTF8(text[:maxAttr], "") + " …"
		}
		err := t.study.SetUserAttr(attr[0], text)
		if err != nil { // two processes may have written it first
			err = t.study.SetUserAttr(attr[0], text)
		}
		if err != nil {
			t.warn(t.study, "cannot write the study's attributes", err)
			return
		}
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
func (t *task) importanceText(post *gp.Predictor) string {
	rng := rand.New(rand.NewPCG(t.seed, qmc.Mix(uint64(t.trial.Number), 1))) // not t.rng: suggestions do not depend on reports
	bases := make([]fmkernel.Point, importanceBases)
	for i := range bases {
		bases[i] = t.xs[rng.IntN(len(t.xs))]
	}
	type share struct {
		name string
		of   float64
	}
	var shares []share
	sum := 0.0
	means := make([]float64, importanceValues)
	for _, param := range t.space.Params() {
		total := 0.0
		for _, base := range bases {
			if !t.space.Has(base, param) {
				continue
			}
			xs := make([]fmkernel.Point, importanceValues)
			for i := range xs {
				xs[i] = base.Clone()
				value := param.FromUnit((float64(i) + rng.Float64()) / importanceValues)
				t.space.Set(xs[i], param, value)
			}
			post.PredictMeans(means, xs)
			total += stat.PopVariance(means, nil)
		}
		shares = append(shares, share{param.Name, total})
		sum += total
	}
	if sum == 0 {
		return "no parameter matters yet"
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.of, a.of) })
	var texts []string
	for _, s := range shares {
		texts = append(texts, fmt.Sprintf("%s %.0f %%", s.name, 100*s.of/sum))
	}
	return strings.Join(texts, ", ")
}

// improvementText tells what the next trial is expected to gain, in units of
// the objective: below the median, where an improvement lies, targets are
// linear in it.
func (t *task) improvementText(targets []float64, logEI float64) string {
	order := make([]int, len(t.ys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(t.ys[i], t.ys[j]) })
	best := order[0]
	for _, i := range order[1 : 1+len(order)/2] {
		if rise := targets[i] - targets[best]; rise > 0 {
			unit := (t.ys[i] - t.ys[best]) / rise
			return fmt.Sprintf("%.2g in units of the objective, by trial %d", math.Exp(logEI)*unit, t.trial.Number)
		}
	}
	return "none: the best values are the same"
}
