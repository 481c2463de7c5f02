package main

import (
	"container/list"
	"math/rand/v2"
)

// A cache knows which answers it has, and since when.
type cache struct {
	room     int
	eviction string
	rng      *rand.Rand
	at       map[uint64]*list.Element
	order    list.List // of entries, the next to go in front
	entries  []*list.Element
}

type entry struct {
	key   uint64
	since float64
	index int // in entries
}

func newCache(room int, eviction string) *cache {
	return &cache{room: room, eviction: eviction, rng: rand.New(rand.NewPCG(3, 4)), at: map[uint64]*list.Element{}}
}

// get returns the age of an answer.
func (c *cache) get(key uint64, now float64) (age float64, ok bool) {
	e, ok := c.at[key]
	if !ok {
		return 0, false
	}
	if c.eviction == "lru" {
		c.order.MoveToBack(e)
	}
	return now - e.Value.(*entry).since, true
}

// put stores an answer, or refreshes it, and evicts another if there is no room.
func (c *cache) put(key uint64, now float64) {
	if e, ok := c.at[key]; ok {
		e.Value.(*entry).since = now
		return
	}
	if len(c.entries) >= c.room {
		victim := c.order.Front()
		if c.eviction == "random" {
			victim = c.entries[c.rng.IntN(len(c.entries))]
		}
		c.evict(victim)
	}
	e := c.order.PushBack(&entry{key, now, len(c.entries)})
	c.at[key] = e
	c.entries = append(c.entries, e)
}

func (c *cache) evict(e *list.Element) {
	gone := c.order.Remove(e).(*entry)
	delete(c.at, gone.key)
	last := len(c.entries) - 1
	c.entries[gone.index] = c.entries[last]
	c.entries[gone.index].Value.(*entry).index = gone.index
	c.entries = c.entries[:last]
}
