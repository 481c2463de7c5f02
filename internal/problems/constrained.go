package problems

import "math"

// Constrained is a function to be minimised where constraints hold. It is immutable and safe
// for concurrent use.
type Constrained struct {
	Name   string
	Params Space

	// Best is a feasible point with the smallest value that is known, Optimum, up to rounding.
	// Optimum is NaN if there is none.
	Best    []float64
	Optimum float64

	// Eval returns the value at a point, and by how much each constraint is violated: one that
	// is at most 0 holds. The point is as [Space.Numbers] returns it.
	Eval func(x []float64) (y float64, violations []float64)
}

// AllConstrained returns the problems with constraints, in a fixed order.
func AllConstrained() []*Constrained {
	vessel, reducer := PressureVessel(), SpeedReducer()
	return []*Constrained{
		gardner(), gramacy(), constrained("vessel", vessel, pressureVessel), spring(), beam(),
		constrained("reducer", reducer, func(x []float64) (float64, []float64) {
			violations := speedReducerConstraints([7]float64(x))
			return speedReducerWeight([7]float64(x)), violations[:]
		}),
		server(),
	}
}

// constrained returns a problem with the constraints of eval.
func constrained(name string, p *Problem, eval func(x []float64) (float64, []float64)) *Constrained {
	return &Constrained{Name: name, Params: p.Params, Best: p.Params.Numbers(p.BestC, p.BestV), Optimum: p.Optimum, Eval: eval}
}

// gardner is the first simulation of Gardner, Kusner, Xu, Weinberger and Cunningham, "Bayesian
// optimization with inequality constraints", ICML 2014.
func gardner() *Constrained {
	return &Constrained{
		Name: "gardner", Params: Space{Float("x", 0, 6), Float("y", 0, 6)},
		Best: []float64{1.5 * math.Pi, 0}, Optimum: -2,
		Eval: func(x []float64) (float64, []float64) {
			return math.Cos(2*x[0])*math.Cos(x[1]) + math.Sin(x[0]),
				[]float64{math.Cos(x[0])*math.Cos(x[1]) - math.Sin(x[0])*math.Sin(x[1]) - 0.5}
		},
	}
}

// gramacy is the toy problem of Gramacy et al., "Modeling an augmented Lagrangian for blackbox
// constrained optimization", Technometrics 58, 2016.
func gramacy() *Constrained {
	return &Constrained{
		Name: "gramacy", Params: Space{Float("x", 0, 1), Float("y", 0, 1)},
		Best: []float64{0.19512269, 0.40466537}, Optimum: 0.59978805,
		Eval: func(x []float64) (float64, []float64) {
			return x[0] + x[1], []float64{
				1.5 - x[0] - 2*x[1] - 0.5*math.Sin(2*math.Pi*(x[0]*x[0]-2*x[1])),
				x[0]*x[0] + x[1]*x[1] - 1.5,
			}
		},
	}
}

// spring is the weight of a coil spring with the diameters d of its wire and D of the coil and
// n coils, here whole ones (Arora, "Introduction to optimum design", 1989; the ranges are
// those of Coello, "Use of a self-adaptive penalty approach for engineering optimization
// problems", 2000).
func spring() *Constrained {
	return &Constrained{
		Name: "spring", Params: Space{Float("d", 0.05, 2), Float("D", 0.25, 1.3), Int("n", 2, 15)},
		Best: []float64{0.05189733, 0.36174884, 11}, Optimum: 0.012666021,
		Eval: func(x []float64) (float64, []float64) {
			d, coil, n := x[0], x[1], x[2]
			d2 := d * d
			return (n + 2) * coil * d2, []float64{
				1 - coil*coil*coil*n/(71785*d2*d2),                               // deflection
				(4*coil*coil-d*coil)/(12566*(coil*d2*d-d2*d2)) + 1/(5108*d2) - 1, // shear
				1 - 140.45*d/(coil*coil*n),                                       // frequency
				(d+coil)/1.5 - 1,
			}
		},
	}
}

// beam is the cost of a beam, t high and b wide, that is welded to a wall, with h and l the
// height and the length of the weld (Ragsdell and Phillips, "Optimal design of a class of
// welded structures using geometric programming", 1976; the formulas and ranges are those of
// Coello, 2000, as for the spring).
func beam() *Constrained {
	return &Constrained{
		Name: "beam", Params: Space{Float("h", 0.1, 2), Float("l", 0.1, 10), Float("t", 0.1, 10), Float("b", 0.1, 2)},
		Best: []float64{0.20572964, 3.47048872, 9.03662391, 0.20572964}, Optimum: 1.7248523,
		Eval: func(x []float64) (float64, []float64) {
			const load, length, young, shear = 6000.0, 14.0, 30e6, 12e6
			h, l, t, b := x[0], x[1], x[2], x[3]
			radius2 := l*l/4 + sq((h+t)/2)
			direct := load / (math.Sqrt2 * h * l)
			bent := load * (length + l/2) * math.Sqrt(radius2) / (2 * math.Sqrt2 * h * l * (l*l/12 + sq((h+t)/2)))
			stress := math.Sqrt(direct*direct + direct*bent*l/math.Sqrt(radius2) + bent*bent)
			buckling := 4.013 * young * t * b * b * b / (6 * length * length) * (1 - t/(2*length)*math.Sqrt(young/(4*shear)))
			cost := 0.04811 * t * b * (length + l)
			return 1.10471*h*h*l + cost, []float64{
				stress - 13600,
				6*load*length/(b*t*t) - 30000,
				h - b,
				0.10471*h*h + cost - 5,
				0.125 - h,
				4*load*length*length*length/(young*t*t*t*b) - 0.25,
				load - buckling,
			}
		},
	}
}

// server was made for this package: what a number of machines with a cache cost. A request
// must take at most 20 ms, and four in five are to be found in the cache.
func server() *Constrained {
	return &Constrained{
		Name: "server", Params: Space{
			Int("machines", 1, 40), Int("threads", 1, 64), LogFloat("cache_mb", 16, 65536),
			Choice("collector", "serial", "parallel", "concurrent", "none"), Choice("codec", "none", "lz4", "zstd"), Int("batch", 1, 256),
		},
		Best: []float64{12, 16, 7280.8, 2, 1, 39}, Optimum: 196.78964,
		Eval: func(x []float64) (float64, []float64) {
			machines, threads, cache, collector, codec, batch := x[0], x[1], x[2], int(x[3]), int(x[4]), x[5]
			pause, memory := [4]float64{30, 12, 3, 0}[collector], [4]float64{1, 1.3, 1.8, 3}[collector]
			cpu, size := [3]float64{1, 1.15, 1.3}[codec], [3]float64{1, 0.6, 0.45}[codec]
			hits := 1 - math.Exp(-math.Sqrt(cache/size/4096))
			work := 400 * cpu * (1 + 3*(1-hits)) / (1 + 0.5*math.Log(batch))
			capacity := 32 * machines * math.Min(1, threads/16) / (1 + sq(math.Max(0, threads-24)/24))
			latency := (4+0.05*batch)/math.Max(0.02, 1-work/capacity) + pause
			return machines * (10 + cache/2048*memory), []float64{latency - 20, 0.8 - hits}
		},
	}
}
