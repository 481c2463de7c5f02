package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"
)

// Config says how to start a worker.
type Config struct {
	Command []string // program and arguments
	Install string   // what to do if there is no such program
	Env     []string // added to this process's environment, as KEY=value
	Files   []fs.FS  // unpacked into a directory of the worker's own, where it runs

	// Setup is what the worker reads first. It is encoded at every start, so that
	// a worker with a memory can be given it back.
	Setup any

	// Timeout ends a call that takes longer, and the process with it; 0 means never. Unlike with
	// a deadline of the context, the time in which a process starts does not count: where a call
	// was too slow, the next one starts another.
	Timeout time.Duration

	// Stderr receives what the worker writes to its standard error. Several
	// workers write to it at once; nil means os.Stderr.
	Stderr io.Writer
}

// Worker is a process that answers one request at a time. It is started by the
// first call, and again by the first call after a crash. A Worker is safe for
// concurrent use: calls wait for each other.
type Worker struct {
	config  Config
	mu      sync.Mutex
	process *process // nil when there is none
	info    json.RawMessage
}

// New returns a worker that is not started.
func New(config Config) *Worker { return &Worker{config: config} }

// MissingError says that a worker cannot run here, and how to change that.
type MissingError struct {
	What    string // what is missing
	Install string // what to do: a command, mostly
}

// Error returns both fields.
func (e *MissingError) Error() string { return fmt.Sprintf("%s; to have it: %s", e.What, e.Install) }

// answer is what a worker writes to a message.
type answer struct {
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Install string          `json:"install"`
}

// Start starts the process, if there is none, and stores in info, unless it is
// nil, the worker's answer to the setup. The error is a *MissingError where
// something is not installed.
func (w *Worker) Start(ctx context.Context, info any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.start(ctx); err != nil {
		return err
	}
	return decode(w.info, info)
}

// Call sends a request and stores the worker's result in result, which may be
// nil. The end of ctx kills the process. After an error the worker can be
// called again: a process that crashed is replaced.
func (w *Worker) Call(ctx context.Context, request, result any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.start(ctx); err != nil {
		return err
	}
	if w.config.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.config.Timeout)
		defer cancel()
	}
	raw, err := w.exchange(ctx, request)
	if err != nil {
		return err
	}
	return decode(raw, result)
}

// Close ends the process, if there is one, and waits for it. The worker can
// be called again.
func (w *Worker) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.process == nil {
		return nil
	}
	err := w.process.end()
	w.process = nil
	return err
}

func (w *Worker) start(ctx context.Context) error {
	if w.process != nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	p, err := startProcess(w.config)
	if err != nil {
		return err
	}
	w.process = p
	if w.info, err = w.exchange(ctx, w.config.Setup); err != nil && w.process != nil {
		w.process.end() // it could not be set up: the error says why
		w.process = nil
	}
	return err
}

// exchange sends a message and returns the result. When the connection fails,
// there is no process any more.
func (w *Worker) exchange(ctx context.Context, message any) (json.RawMessage, error) {
	line, err := json.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("bridge: message to %s: %w", w.config.Command[0], err)
	}
	stop := context.AfterFunc(ctx, w.process.kill)
	defer stop()
	a, err := w.process.exchange(append(line, '\n'))
	if err != nil {
		err = w.process.explain(err)
		w.process = nil
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	switch {
	case a.Install != "":
		return nil, &MissingError{What: a.Error, Install: a.Install}
	case a.Error != "":
		return nil, errors.New(a.Error)
	}
	return a.Result, nil
}

func decode(raw json.RawMessage, to any) error {
	if to == nil {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("bridge: the worker's result %.100q: %w", raw, err)
	}
	return nil
}
