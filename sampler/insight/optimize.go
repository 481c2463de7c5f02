package insight

import "github.com/c-bata/goptuna"

// advisedPeriod is the number of trials between two looks at the advice.
const advisedPeriod = 5

// Optimize is study.Optimize that ends before evaluateMax trials when the advice is
// to stop, which it looks for after every fifth trial. It returns that advice, and
// nil where all trials were run. Several goroutines or processes may call it for
// the same study; evaluateMax counts the trials of this call. Errors are those of
// study.Optimize; a study without a model goes on.
func Optimize(study *goptuna.Study, objective goptuna.FuncObjective, evaluateMax int, options ...Option) (*Advice, error) {
	for done := 0; done < evaluateMax; done += advisedPeriod {
		if err := study.Optimize(objective, min(advisedPeriod, evaluateMax-done)); err != nil {
			return nil, err
		}
		m, err := Fit(study, options...)
		if err != nil {
			continue // nothing is known yet, or not any more
		}
		if advice := m.Advice(); advice.Stop {
			return advice, nil
		}
	}
	return nil, nil
}
