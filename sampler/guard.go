package sampler

import (
	"fmt"
	"runtime/debug"
)

// guard turns a panic into an error with its stack: numerical libraries panic on
// data that nobody expected, and that must not end the user's program.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("fm: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}
