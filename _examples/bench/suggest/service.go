package main

import (
	"math"
	"strconv"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// service is the tuning of a network service: 4 durations on a log scale, 4
// ints with many values and with few, 5 choices by name and 2 by number.
func service() *space {
	return newSpace("service", problems.Space{
		problems.LogFloat("timeout_s", 0.005, 10),
		problems.LogFloat("cache_ttl_s", 1, 3600),
		problems.LogFloat("backoff_s", 0.0005, 1),
		problems.LogFloat("flush_s", 0.0001, 0.1),
		problems.Int("workers", 1, 64),
		problems.Int("connections", 1, 200),
		problems.Int("retries", 0, 5),
		problems.Int("replicas", 1, 8),
		problems.Choice("compression", "none", "lz4", "zstd", "gzip"),
		problems.Choice("balancer", "round-robin", "least-loaded", "random", "hashed"),
		problems.Choice("eviction", "fifo", "lru", "lfu"),
		problems.Choice("encoding", "json", "protobuf", "msgpack"),
		problems.Choice("transport", "http1", "http2", "quic", "tcp"),
		problems.Choice("batch", numerals(batchSizes)...),
		problems.Choice("heap_mb", numerals(heapSizes)...),
	}, serviceCost)
}

var (
	batchSizes = []float64{1, 2, 4, 8, 16, 32, 64, 128}
	heapSizes  = []float64{256, 512, 1024, 2048, 4096, 8192}
)

func numerals(xs []float64) []string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return texts
}

// serviceCost is the logarithm of a latency in milliseconds, and prices for
// failures, machines and stale answers. The service is made up, its parts are
// not: a queue at the processors, a cache in front of a backend with a limited
// number of connections, batches, retries that add to the load.
func serviceCost(x []float64) float64 {
	const (
		arrivals = 4000. // requests per second
		backend  = 0.012 // s per request to it
	)
	timeout, ttl, backoff, flush := x[0], x[1], x[2], x[3]
	workers, connections, retries, replicas := 1+x[4], 1+x[5], x[6], 1+x[7]
	compression, balancer, eviction, encoding, transport := int(x[8]), int(x[9]), int(x[10]), int(x[11]), int(x[12])
	batch, heap := batchSizes[int(x[13])], heapSizes[int(x[14])]

	// One request: kilobytes on the wire and seconds of a processor.
	size := [...]float64{24, 9, 13}[encoding] * [...]float64{1, 0.6, 0.35, 0.4}[compression]
	processor := 1e-3*[...]float64{0.9, 0.3, 0.45}[encoding] +
		1e-5*size*[...]float64{0, 1, 4, 9}[compression] +
		1e-3*[...]float64{1.1, 0.8, 1.3, 0.6}[transport]/math.Sqrt(batch)
	wire := 1e-4*size*[...]float64{1, 0.9, 0.7, 1.1}[transport] + 2e-3*[...]float64{1.5, 1, 0.6, 1}[transport]
	waiting := math.Min(flush, batch*replicas/arrivals) / 2

	// Workers contend and keep each other's caches cold (Gunther's universal scalability law).
	capacity := workers / (1 + 0.03*(workers-1) + 4e-4*workers*(workers-1))
	imbalance := 1 + [...]float64{0.1, 0.02, 0.25, 0.3}[balancer]*math.Log(replicas)

	hits := heap / (heap + [...]float64{2500, 1200, 900}[eviction]) * (1 - math.Exp(-ttl/200))
	if balancer == 3 { // the same keys go to the same replica
		hits = math.Pow(hits, 1/(1+0.2*replicas))
	}
	collector := 1e-3 * math.Pow(heap/1024, 0.7) * [...]float64{1.6, 0.7, 1}[encoding]

	var latency, failures float64
	load := 1.0 // of the processors, with the requests that are sent again
	for range 3 {
		busy := saturate(load * arrivals * imbalance * processor / (replicas * capacity))
		misses := load * arrivals * (1 - hits) / replicas
		taken := saturate(misses * backend / connections)
		latency = wire + waiting + collector + processor/(1-busy) +
			(1-hits)*backend*(1+1e-5*connections*connections)/(1-taken)
		late := math.Exp(-timeout / latency)
		failures = math.Pow(late, retries+1)
		load = 1 + math.Min(late*retries, 3)/(1+20*backoff)
		latency += late * math.Min(retries, 3) * (backoff + math.Min(timeout, 1))
	}
	price := replicas * (1 + heap/4096 + workers/64)
	return math.Log(1000*latency) + 4*failures + 0.06*price + 0.15*math.Log1p(ttl/600)
}

// saturate keeps a utilisation below 1, where queues are endless: smoothly, so
// that more overload still means longer queues.
func saturate(utilisation float64) float64 {
	return utilisation / math.Pow(1+math.Pow(utilisation, 4), 0.25)
}
