package surrogate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// Cache saves time only: what the last fit of a study computed and the next one
// extends. Its zero value is empty.
type Cache struct {
	covariances []keyedCovariance // by slot: one per sample of the hyperparameters, and then one for linear targets
	samples     keyedSamples
	linear      keyedSamples // one, for linear targets
}

// keyedCovariance is a covariance, and the kernel, space, hyperparameters and
// number of points of the fit that it belongs to.
type keyedCovariance struct {
	key string
	*gp.Covariance
}

// keyedSamples are hyperparameters drawn from their posterior, and what they
// depend on.
type keyedSamples struct {
	key    string
	xs     []fmkernel.Point
	ys     []float64
	hypers []gp.Hyper
}

// get returns the samples, drawn when they depend on something else.
func (s *keyedSamples) get(key string, xs []fmkernel.Point, ys []float64, draw func() []gp.Hyper) []gp.Hyper {
	if s.key != key || !slices.EqualFunc(xs, s.xs, fmkernel.Point.Equal) || !slices.Equal(ys, s.ys) {
		*s = keyedSamples{key, slices.Clone(xs), slices.Clone(ys), draw()}
	}
	return s.hypers
}

// covariance returns the factorised covariance of the observations, which the cache
// keeps in a slot. While the hyperparameters stand, it is that of the base, extended by
// the later ones: in O(n²) where the last suggestion left one to extend, and with the
// same bits where there is none.
func (f fitting) covariance(slot int, hyper gp.Hyper, data Observations) (*gp.Covariance, error) {
	key := f.cacheKey(fmt.Sprint(data.base), hyper)
	for len(f.cache.covariances) <= slot {
		f.cache.covariances = append(f.cache.covariances, keyedCovariance{})
	}
	last := &f.cache.covariances[slot]
	if last.Covariance == nil || last.key != key || !isPrefix(last.Points(), data.X) {
		c, err := gp.NewCovariance(f.kernel, hyper, data.X[:data.base])
		if err != nil {
			return nil, err
		}
		*last = keyedCovariance{key, c}
	}
	c, err := last.Extended(data.X[len(last.Points()):])
	if err != nil {
		return gp.NewCovariance(f.kernel, hyper, data.X)
	}
	last.Covariance = c
	return c, nil
}

// sampleKey tells apart what hyperparameters for a transform depend on, beside the
// observations: the prior follows what is open to the trial, and what does nothing.
func (f fitting) sampleKey(transform string, fitted gp.Hyper) string {
	return f.cacheKey(fmt.Sprint(transform, f.prior), fitted)
}

// cacheKey tells kernels, spaces and hyperparameters apart.
func (f fitting) cacheKey(more string, hyper gp.Hyper) string {
	var b strings.Builder
	fmt.Fprint(&b, f.kernel, more, hyper)
	for _, p := range f.problem.Space.Params() {
		fmt.Fprintf(&b, "%q%s", p.Name, p.Fingerprint)
		if p.Open != nil {
			fmt.Fprintf(&b, "%p", p.Graph) // depends on earlier distributions
		}
	}
	fmt.Fprintf(&b, "%q", f.problem.Space.Groups())
	return b.String()
}

// isPrefix reports whether xs are the first of ys.
func isPrefix(xs, ys []fmkernel.Point) bool {
	return len(xs) <= len(ys) && slices.EqualFunc(xs, ys[:len(xs)], fmkernel.Point.Equal)
}
