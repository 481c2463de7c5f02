package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// permanent are the errors about our request, rather than about the connection: another attempt would not change them.
var permanent = []error{goptuna.ErrTrialCannotBeUpdated, goptuna.ErrInvalidTrialID, cachedrdb.ErrInvalid}

// retry calls f until it succeeds, returns one of the errors that end it, or has failed for as long as the patience is. The
// pauses double, and are drawn at random so that workers that lost one server do not come back all at once.
func retry(ctx context.Context, c config, what string, f func() error, end ...error) error {
	pause, longest := c.firstPause, c.longestPause
	if pause == 0 {
		pause, longest = 500*time.Millisecond, 30*time.Second
	}
	for begin := time.Now(); ; pause = min(2*pause, longest) {
		err := f()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case slices.ContainsFunc(end, func(target error) bool { return errors.Is(err, target) }):
			return err
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
