package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// systems are what tuned programs do, in simple formulas.
var systems = []family{
	{"sizes16", "sixteen sizes up to 1e6 with diminishing returns, of which six matter", func(r *rand.Rand) drawn {
		half, weight := draws(16, decades(r, 2, 5)), draws(16, func() float64 { return 0.02 })
		for _, i := range r.Perm(16)[:6] {
			weight[i] = between(r, 0.3, 1.3)()
		}
		return drawn{space: ints(16, 1, 1e6), value: func(x []float64) float64 {
			y := 1.0
			for i, n := range x {
				y += weight[i] * (half[i]/(n+half[i]) + n/2e6)
			}
			return y
		}}
	}},
	{"scaling8", "throughput of eight ints, with saturation and contention", func(r *rand.Rand) drawn {
		half, contention := draws(8, decades(r, 0.3, 2.3)), draws(8, decades(r, -5, -3))
		return drawn{space: ints(8, 1, 1024), value: func(x []float64) float64 {
			y := -1000.0
			for i, n := range x {
				y *= n / (n + half[i]) / (1 + contention[i]*n)
			}
			return y
		}}
	}},
	{"swap6", "four memories, threads and a codec; beyond the machine's memory all is slow", func(r *rand.Rand) drawn {
		const memory = 8192
		weight, half := draws(4, between(r, 0.3, 1.3)), draws(4, decades(r, 1.5, 3.5))
		space := append(ints(4, 16, 6000), problems.Int("threads", 1, 64), choice("codec", 4))
		return drawn{space: space, value: func(x []float64) float64 {
			threads := x[4]
			y, used := 2.4/threads+0.01*threads, 40*threads
			for i := range weight {
				used += x[i]
				y += weight[i] * half[i] / (x[i] + half[i])
			}
			y *= []float64{1, 0.93, 0.97, 1.2}[int(x[5])]
			if used > memory {
				y = 5*y + 5*(used-memory)/memory
			}
			return y
		}}
	}},
	{"memory7", "throughput of training grows up to the memory, beyond which trials fail", func(r *rand.Rand) drawn {
		grows, gain := draws(3, between(r, 0.3, 1.3)), draws(2, between(r, 0.3, 1.3))
		limit := between(r, 0.55, 0.85)() * (grows[0]*5.5 + grows[1]*6.9 + grows[2]*2.5)
		rate := between(r, 0.25, 1)()
		space := problems.Space{
			problems.Int("batch", 1, 512), problems.Int("width", 16, 2048), problems.Int("depth", 1, 24),
			choice("precision", 3), choice("checkpoint", 2), problems.Int("workers", 1, 16), problems.LogFloat("rate", 1e-5, 1e-1),
		}
		return drawn{space: space, value: func(x []float64) float64 {
			batch, width, depth := math.Log(x[0]), math.Log(x[1]), math.Log(x[2])
			halved, checkpoint := math.Min(x[3], 1), x[4]
			if grows[0]*batch+grows[1]*width+grows[2]*depth-0.5*halved-0.8*checkpoint > limit {
				return math.NaN()
			}
			return -0.5*batch - 0.4*gain[0]*width - 0.3*gain[1]*depth + 0.2*checkpoint - 0.2*halved +
				0.02*sq(x[5]-8) + 1.5*sq(math.Log10(x[6])/4+rate)
		}}
	}},
	{"tiles5", "three sizes of tiles, fast where powers of two divide them, and how a loop is unrolled", func(r *rand.Rand) drawn {
		optimum, misfit := draws(3, between(r, 0, 8)), draws(3, between(r, 0, 0.3))
		unroll, vector := 4*float64(r.IntN(5)), float64(r.IntN(4))
		space := append(ints(3, 1, 256), problems.Int("unroll", 0, 16), choice("vector", 4))
		return drawn{space: space, value: func(x []float64) float64 {
			y := 0.02 * math.Abs(x[3]-unroll)
			if x[4] != vector {
				y += 0.2
			}
			for i := range optimum {
				y += 0.05 * sq(math.Log2(x[i])-optimum[i])
				for _, power := range []float64{8, 16, 32} {
					if math.Mod(x[i], power) != 0 {
						y += misfit[i]
					}
				}
			}
			return math.Exp(y)
		}}
	}},
	{"stages7", "the slowest of six stages decides, and they share 64 cores", func(r *rand.Rand) drawn {
		work := draws(6, func() float64 { return math.Exp(1.2 * r.NormFloat64()) })
		space := append(ints(6, 1, 32), problems.Int("queue", 1, 1000))
		return drawn{space: space, value: func(x []float64) float64 {
			cores, slowest := 0.0, 0.0
			for i, w := range work {
				cores += x[i]
				slowest = math.Max(slowest, w/x[i])
			}
			return slowest*math.Max(1, cores/64)*(1+1/math.Sqrt(x[6])) + 1e-5*x[6]
		}}
	}},
	{"diverge6", "training diverges beyond a learning rate, and is best just below it", func(r *rand.Rand) drawn {
		edge, optimum := between(r, 0.45, 0.75)(), draws(3, r.Float64)
		space := problems.Space{
			problems.LogFloat("rate", 1e-6, 1), problems.Int("logbatch", 3, 10), problems.Float("momentum", 0, 0.99),
			problems.LogFloat("decay", 1e-6, 1e-1), problems.Int("warmup", 0, 20), choice("optimizer", 3),
		}
		return drawn{space: space, value: func(x []float64) float64 {
			warmup := x[4] / 20
			rate := 1 + math.Log10(x[0])/6 - (x[1]-3)/30 - 0.15*math.Log10(1-x[2]) + []float64{-0.2, 0, 0.1}[int(x[5])] - 0.1*warmup
			if rate > edge {
				return 10 + 20*math.Abs(math.Sin(1000*rate))
			}
			return 0.2 + 4*(edge-rate) + sq(math.Log10(x[3])/5+1.2-optimum[0]) + 0.5*sq(warmup-optimum[1]) + 0.5*sq(x[2]-optimum[2]) +
				[]float64{0.1, 0, 0.05}[int(x[5])]
		}}
	}},
	{"service6", "the cheapest service that meets a latency; what misses it pays by how much", func(r *rand.Rand) drawn {
		return service(r, func(cost, over float64) float64 { return cost + 3*math.Log(over) })
	}},
	{"strict6", "the cheapest service that meets a latency; what misses it fails", func(r *rand.Rand) drawn {
		return service(r, func(float64, float64) float64 { return math.NaN() })
	}},
	{"chance7", "mixed7, where seven tenths of the space are as bad as chance", func(r *rand.Rand) drawn {
		d := mixed(r)
		var ys []float64
		for range 2000 {
			ys = append(ys, d.value(d.space.At(draws(len(d.space), r.Float64))))
		}
		chance := slices.Sorted(slices.Values(ys))[len(ys)*3/10]
		return d.then(func(y float64) float64 { return math.Min(y, chance) })
	}},
}

// service is a queue before replicas with a working set. Where its latency is over times the
// limit, the value is what missed says.
func service(r *rand.Rand, missed func(cost, over float64) float64) drawn {
	load, limit, working := between(r, 20, 220)(), between(r, 0.05, 0.25)(), math.Pow(2, between(r, 8, 14)())
	byCPU, byMemory, batches := between(r, 0.3, 0.9)(), between(r, 0.1, 0.6)(), 1+float64(r.IntN(3))
	collectors := r.Perm(3)
	space := problems.Space{
		problems.Int("replicas", 1, 40), problems.Float("cpu", 0.25, 8), problems.LogFloat("memory", 128, 65536),
		problems.Int("connections", 1, 200), problems.Int("batch", 1, 64), choice("collector", 3),
	}
	return drawn{space: space, value: func(x []float64) float64 {
		replicas, cpu, memory, connections, batch := x[0], x[1], x[2], x[3], x[4]
		rate := 25 * replicas * math.Pow(cpu, byCPU) * math.Pow(math.Min(1, memory/working), byMemory) * (1 - math.Exp(-connections/15)) *
			[]float64{1, 1.15, 1.05}[collectors[int(x[5])]] * (1 + 0.2*math.Log(batch)/batches)
		cost := math.Log(replicas*(0.04*cpu+memory/1024*0.005) + 0.0005*connections)
		latency := 10 + load/rate
		if load < rate {
			latency = 0.004*batch*(1+connections/300) + 0.02/(1-load/rate)
		}
		if latency > limit {
			return missed(cost, latency/limit)
		}
		return cost
	}}
}
