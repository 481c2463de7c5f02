package bridge

import (
	"context"
	"errors"
)

// Pool is a number of equal workers, for calls that do not depend on earlier
// ones. It is safe for concurrent use.
type Pool struct {
	workers []*Worker
	idle    chan *Worker
}

// NewPool returns n workers, none of which is started.
func NewPool(n int, config Config) *Pool {
	p := &Pool{idle: make(chan *Worker, n)}
	for range n {
		w := New(config)
		p.workers = append(p.workers, w)
		p.idle <- w
	}
	return p
}

// Start starts one worker, so that what is wrong shows before the first call;
// see [Worker.Start].
func (p *Pool) Start(ctx context.Context, info any) error { return p.workers[0].Start(ctx, info) }

// Call gives a request to a worker, when one is free; see [Worker.Call].
func (p *Pool) Call(ctx context.Context, request, result any) error {
	select {
	case w := <-p.idle:
		defer func() { p.idle <- w }()
		return w.Call(ctx, request, result)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close closes all workers.
func (p *Pool) Close() error {
	errs := make([]error, len(p.workers))
	for i, w := range p.workers {
		errs[i] = w.Close()
	}
	return errors.Join(errs...)
}
