package sampler

import (
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// Study user attributes, which Goptuna's dashboard shows beside the plots.
const (
	modelAttr       = "fm: model"
	predictionAttr  = "fm: prediction"
	importanceAttr  = "fm: importance"
	improvementAttr = "fm: expected improvement"

	// maxAttr bounds the length of an attribute, below every database's limit.
	maxAttr = 1000
	// maxImportances is the number of parameters beyond which importances would need
	// more predictions than package insight spends with a suggestion.
	maxImportances = 96
)

// writeAttributes writes what a new fit knows to the study's user attributes: four
// writes at most. What goes wrong with it is logged once and changes nothing else.
func writeAttributes(p *observe.Problem, s *surrogate.Surrogate, next proposal, seed uint64, log logger) {
	var attrs [][2]string
	if err := guard(func() (err error) {
		attrs, err = attributes(p, s, next, seed, log)
		return err
	}); err != nil {
		log.warn("cannot report on the model", err)
		return
	}
	for _, attr := range attrs {
		text := attr[1]
		if len(text) > maxAttr {
			text = strings.ToValidUTF8(text[:maxAttr], "") + " …"
		}
		err := log.study.SetUserAttr(attr[0], text)
		if err != nil { // two processes may have written it first
			err = log.study.SetUserAttr(attr[0], text)
		}
		if err != nil {
			log.warn("cannot write the study's attributes", err)
			return
		}
	}
}

// attributes returns what a new fit knows, by the names of attributes. That more trials are
// hardly worth their cost is logged, too: not by the first model of a study that another sampler
// has begun, since no trial has gone yet where it looks.
func attributes(p *observe.Problem, s *surrogate.Surrogate, next proposal, seed uint64, log logger) ([][2]string, error) {
	model, err := insight.Of(p, s, seed, next.x)
	if err != nil {
		return nil, err
	}
	advice := model.Advice()
	expected := advice.String()
	if advice.Stop {
		afterwards := "most further trials search away from the best one"
		if next.exhausted {
			afterwards = "further trials repeat the best ones"
		}
		if !s.First || next.exhausted {
			log.info("more trials are hardly worth their cost", advice.Reason+"; "+afterwards+" (insight.StopWhenAdvised would stop here)")
		}
		expected += "; " + afterwards
	}
	attrs := [][2]string{
		{modelAttr, model.String()},
		{predictionAttr, model.Skill().String()},
		{improvementAttr, expected},
	}
	if len(p.Space.Params()) <= maxImportances {
		attrs = append(attrs, [2]string{importanceAttr, model.ImportanceSummary()})
	}
	return attrs, nil
}
