package cachedrdb

import (
	"sync"
	"sync/atomic"
)

// cache is what is known of one study. Two locks let writes pass while the database
// is being read.
type cache struct {
	studyID int

	// reading is held while the study is read. started counts the readings
	// begun.
	reading sync.Mutex
	started atomic.Uint64

	mu      sync.Mutex       // guards what follows
	snap    snapshot         // the result of the last reading that succeeded
	ended   uint64           // the number of that reading, counted from 1
	pending bool             // a reading is under way
	stale   map[int]struct{} // ids of trials to open before the next reading
}

// current returns a snapshot that was begun after the call: it has everything
// that was committed before. Callers that wait for a reading to end share the
// next one, so that none waits for more than two.
func (c *cache) current(r *reader) (snapshot, error) {
	before := c.started.Load()
	c.reading.Lock()
	defer c.reading.Unlock()
	if snap, number := c.last(); number > before {
		return snap, nil
	}
	number := c.started.Add(1)
	snap, err := r.advance(c.studyID, c.begin())
	c.end(snap, number, err)
	return snap, err
}

// last returns the result of the last reading, and its number.
func (c *cache) last() (snapshot, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.snap, c.ended
}

// begin returns the snapshot to start the next reading from.
func (c *cache) begin() snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.snap = c.snap.opened(c.stale)
	c.stale = nil
	c.pending = true
	return c.snap
}

func (c *cache) end(snap snapshot, number uint64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending = false
	if err == nil {
		c.snap, c.ended = snap, number
	}
}

// written notes that a trial, of this study or another, was written to. A trial
// that is open is read again anyway. While a reading is under way, it may have
// the trial from before the write and be about to close it.
func (c *cache) written(trialID int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending || c.snap.closed(trialID) != nil {
		if c.stale == nil {
			c.stale = map[int]struct{}{}
		}
		c.stale[trialID] = struct{}{}
	}
}

// closed returns the record of a finished trial that was not written to since it
// was read, or nil.
func (c *cache) closed(trialID int) *record {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.stale[trialID]; ok {
		return nil
	}
	return c.snap.closed(trialID)
}
