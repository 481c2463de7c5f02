package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/c-bata/goptuna"
)

// settings are those of the simulated service: a cache in front of a pool of threads that ask a slow backend.
type settings struct {
	threads     int
	timeout     float64 // seconds that a request waits for a thread
	cacheMB     int
	ttl         float64 // seconds that an answer in the cache is good for
	eviction    string
	compression string
}

// objective asks for settings and returns what they cost: a stand-in for a load test that takes an hour.
func objective(ctx context.Context, trial goptuna.Trial, requests int) (float64, error) {
	s, err := suggest(trial)
	if err != nil {
		return 0, err
	}
	m, err := simulate(ctx, s, requests)
	if err != nil {
		return 0, err
	}
	for name, value := range map[string]float64{"latency, ms": m.latency, "failed, %": m.failed, "stale, %": m.stale, "hits, %": m.hits} {
		if err := trial.SetUserAttr(name, fmt.Sprintf("%.2f", value)); err != nil {
			return 0, err
		}
	}
	return m.cost(s), nil
}

func suggest(trial goptuna.Trial) (s settings, err error) {
	if s.threads, err = trial.SuggestInt("threads", 1, 64); err != nil {
		return s, err
	}
	if s.timeout, err = trial.SuggestLogFloat("timeout", 0.005, 2); err != nil {
		return s, err
	}
	if s.cacheMB, err = trial.SuggestStepInt("cache_mb", 16, 528, 16); err != nil { // up to 512
		return s, err
	}
	if s.ttl, err = trial.SuggestLogFloat("ttl", 1, 1000); err != nil {
		return s, err
	}
	if s.eviction, err = trial.SuggestCategorical("eviction", []string{"fifo", "lru", "random"}); err != nil {
		return s, err
	}
	s.compression, err = trial.SuggestCategorical("compression", []string{"none", "fast", "best"})
	return s, err
}

// measured is what a load test finds.
type measured struct {
	latency             float64 // mean, in milliseconds
	failed, stale, hits float64 // percent of all requests
}

// cost weighs what the users feel against what the machine costs.
func (m measured) cost(s settings) float64 {
	return m.latency + 3*m.failed + 0.5*m.stale + 0.1*float64(s.threads) + 0.01*float64(s.cacheMB)
}

const (
	arrivalRate = 1000   // requests per second, on average
	keys        = 50_000 // that requests ask for, a few far more often than others
	perMB       = 40     // answers in a megabyte, before compression
	backendTime = 0.010  // seconds, on average
	freshness   = 200    // seconds after which most answers have changed
)

// simulate runs the service on requests that are always the same.
func simulate(ctx context.Context, s settings, requests int) (m measured, err error) {
	ratio := map[string]float64{"none": 1, "fast": 1.7, "best": 2.3}[s.compression]
	work := map[string]float64{"none": 0, "fast": 0.0001, "best": 0.0008}[s.compression] // seconds per answer
	rng := rand.New(rand.NewPCG(1, 2))
	popularity := rand.NewZipf(rng, 1.1, 20, keys-1)
	cache := newCache(int(float64(s.cacheMB)*perMB*ratio), s.eviction)
	free := make([]float64, s.threads) // when each thread will be free
	slowdown := 1 + 0.02*float64(s.threads)

	now, answered := 0.0, 0
	for i := range requests {
		if i%1000 == 0 && ctx.Err() != nil {
			return m, ctx.Err() // which makes it a failed trial
		}
		now += rng.ExpFloat64() / (arrivalRate * (1 + 0.8*math.Sin(now/5))) // waves of load
		key, service := popularity.Uint64(), backendTime*rng.ExpFloat64()*slowdown
		if age, ok := cache.get(key, now); ok && age < s.ttl {
			m.hits++
			m.stale += 1 - math.Exp(-age/freshness)
			m.latency += 0.0002 + work
			answered++
			continue
		}
		first := 0
		for j := range free {
			if free[j] < free[first] {
				first = j
			}
		}
		wait := max(0, free[first]-now)
		if wait > s.timeout {
			m.failed++
			continue
		}
		free[first] = now + wait + service + work
		m.latency += wait + service + work
		answered++
		cache.put(key, now)
	}
	m.latency *= 1000 / max(1, float64(answered))
	for _, share := range []*float64{&m.failed, &m.stale, &m.hits} {
		*share *= 100 / float64(requests)
	}
	return m, nil
}
