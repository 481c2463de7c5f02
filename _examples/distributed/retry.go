package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// permanentError is one that another attempt would not change.
type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

// permanent marks what is said about our request, rather than about the connection.
func permanent(err error) error {
	for _, target := range []error{goptuna.ErrTrialCannotBeUpdated, goptuna.ErrInvalidTrialID, cachedrdb.ErrInvalid} {
		if errors.Is(err, target) {
			return permanentError{err}
		}
	}
	return err
}

// retry calls f until it succeeds, fails for good, or has failed for as long as the patience is. The pauses double, and
// are drawn at random so that workers that lost one server do not come back all at once.
func retry(ctx context.Context, c config, what string, f func() error) error {
	pause, last := c.firstPause, c.last
	if pause == 0 {
		pause, last = 500*time.Millisecond, 30*time.Second
	}
	for begin := time.Now(); ; pause = min(2*pause, last) {
		err := f()
		var stop permanentError
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &stop):
			return stop.error // as Goptuna's callers compare it
		case time.Since(begin) > c.patience:
			return fmt.Errorf("cannot %s: %w", what, err)
		}
		wait := pause/2 + rand.N(pause)
		fmt.Fprintf(os.Stderr, "cannot %s; trying again in %v: %v\n", what, wait.Round(time.Millisecond), err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
