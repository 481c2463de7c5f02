package sampler

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// stackAttr is the user attribute in which a trial says where a panic was.
const stackAttr = "fm: stack"

// outcome is how a trial has ended.
type outcome struct {
	state         goptuna.TrialState
	value         float64 // of a complete trial
	reason, stack string  // of a failed one
	interrupted   bool
	infeasible    bool
}

// evaluate calls the objective, in a goroutine of its own, which it may end, and says
// how the trial has ended.
func evaluate(ctx context.Context, objective Objective, trial goptuna.Trial) outcome {
	ended := make(chan outcome, 1)
	go func() {
		o := outcome{state: goptuna.TrialStateFail, reason: "the objective ended its goroutine, as t.FailNow and runtime.Goexit do: return an error"}
		defer func() {
			if r := recover(); r != nil {
				stack := panicStack()
				o = outcome{state: goptuna.TrialStateFail, reason: fmt.Sprintf("panic: %v%s", r, placeIn(stack)), stack: stack}
			}
			ended <- o
		}()
		o = answer(ctx, objective, trial)
	}()
	return <-ended
}

// answer calls the objective and says what its answer means.
func answer(ctx context.Context, objective Objective, trial goptuna.Trial) outcome {
	// Goptuna panics here, too, where a space has choices and was not declared.
	if err := trial.CallRelativeSampler(); err != nil {
		return outcome{state: goptuna.TrialStateFail, reason: err.Error()}
	}
	value, err := objective(ctx, trial)
	return outcomeOf(trial, value, err, ctx.Err() != nil)
}

// outcomeOf says what the answer of an objective means; interrupted, that an error is not the
// trial's own.
func outcomeOf(trial goptuna.Trial, value float64, err error, interrupted bool) outcome {
	if err == nil {
		err = infeasibility(trial)
	}
	switch {
	case errors.Is(err, goptuna.ErrTrialPruned):
		return outcome{state: goptuna.TrialStatePruned}
	case errors.Is(err, ErrInfeasible):
		return outcome{state: goptuna.TrialStateFail, reason: err.Error(), infeasible: true}
	case err != nil:
		return outcome{state: goptuna.TrialStateFail, reason: err.Error(), interrupted: interrupted || errors.Is(err, ErrNotRun)}
	case !isFinite(value):
		return outcome{state: goptuna.TrialStateFail, reason: fmt.Sprintf("the objective returned %v", value)}
	}
	return outcome{state: goptuna.TrialStateComplete, value: value}
}

// panicStack returns the stack of the panic that is being recovered, without the
// frames of the recovery.
func panicStack() string {
	stack := string(debug.Stack())
	if _, after, ok := strings.Cut(stack, "\npanic("); ok {
		_, after, _ = strings.Cut(after, "\n") // the rest of panic's own line,
		_, after, _ = strings.Cut(after, "\n") // and where it is
		return after
	}
	return stack
}

// placeIn returns the file and line where a stack leaves the runtime, as ", at main.go:12".
func placeIn(stack string) string {
	lines := strings.Split(stack, "\n") // of each frame the function, and then where it is
	for i := 0; i+1 < len(lines); i += 2 {
		if !strings.HasPrefix(lines[i], "runtime.") {
			at, _, _ := strings.Cut(filepath.Base(lines[i+1]), " ")
			return ", at " + at
		}
	}
	return ""
}

// failure returns the kind of a failure: the first line of its reason, without words that have
// a digit, such as values and addresses. It is empty where the trial has not failed, or by a limit.
func (o outcome) failure() string {
	if o.state != goptuna.TrialStateFail || o.infeasible {
		return ""
	}
	line, _, _ := strings.Cut(o.reason, "\n")
	hasDigit := func(word string) bool { return strings.ContainsAny(word, "0123456789") }
	return "failed: " + strings.Join(slices.DeleteFunc(strings.Fields(line), hasDigit), " ")
}

// explain stores why a trial has failed.
func (o outcome) explain(storage goptuna.Storage, trialID int) error {
	err := storage.SetTrialUserAttr(trialID, history.ErrorAttr, storable(o.reason))
	if o.stack != "" {
		err = errors.Join(err, storage.SetTrialUserAttr(trialID, stackAttr, storable(o.stack)))
	}
	if o.interrupted {
		err = errors.Join(err, storage.SetTrialSystemAttr(trialID, history.InterruptedAttr, "true"))
	}
	return err
}

// store ends a trial with its value, if it has one.
func (o outcome) store(storage goptuna.Storage, trialID int) error {
	if o.state != goptuna.TrialStateFail && isFinite(o.value) {
		if err := storage.SetTrialValue(trialID, o.value); err != nil {
			return fmt.Errorf("fm: storing the value %v of trial %d: %w", o.value, trialID, err)
		}
	}
	if err := storage.SetTrialState(trialID, o.state); err != nil {
		return fmt.Errorf("fm: ending trial %d: %w", trialID, err)
	}
	return nil
}

// storable returns the beginning of a text that every database takes.
func storable(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if runes := []rune(text); len(runes) > history.SafeText {
		return string(runes[:history.SafeText])
	}
	return text
}
