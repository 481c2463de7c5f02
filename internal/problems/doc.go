// Package problems holds mixed-variable test functions with known optima, for
// tests, examples and benchmarks of the sampler. All are minimised and free of
// noise.
//
// A point of a problem is a pair (c, v): c holds the values of the continuous
// parameters and v the level numbers 0, 1, ... of the discrete ones, each in
// the order in which the parameters are listed. An ordinal parameter's level l
// stands for the grid value Low + l·(High-Low)/(Levels-1); what a nominal
// parameter's level stands for, only the function knows.
//
//	problem               continuous  ordinal  nominal       optimum
//	Func2C                2           -        3, 5          -0.2063
//	Func3C                2           -        3, 5, 4       -0.7221
//	Ackley5C              1           -        5 × 17        0
//	Ackley5C-permuted     1           -        5 × 17        0
//	Ackley20C             -           -        20 × 11       0
//	Ackley53-shifted      3           -        50 × 2        0
//	Levy20C               -           -        20 × 11       2.3510
//	Levy6-mixed           3           -        3 × 11        0.3067
//	Rosenbrock10-scaled   4           6 × 4    -             10.6991
//	Hartmann6-mixed       2           2×3 2×10 -             -2.5548
//	G-mixed               3           -        3 × 5         0.0069
//	PressureVessel        2           2 × 100  -             5850.383   infeasible points are errors
//	SpeedReducer          6           12       -             2996.348   infeasible points pay a penalty
//	Func2C-halfspace      2           -        3, 5          -0.2063    a third of the space fails, as in the next three
//	Func3C-category       2           -        3, 5, 4       -0.4610    the level of the optimum fails
//	Ackley5C-levels       1           -        5 × 17        0
//	Hartmann6-mixed-edge  2           2×3 2×10 -             -2.5380    the optimum is on the edge
//	Noisy-plateau         2           8        4, 2          0.5        half of the space is flat, at 1
//	Wide-plateau          2           8        4, 2          0.5        three quarters are
//	Time-limit            3           -        3, 2          0          all but a sixteenth is flat
//	Cells                 4           6        3             -0.2200    piecewise constant
//	Branin-choice         2           -        4             0.3979
//	Hartmann6             6           -        -             -3.3224
//	Rosenbrock4           4           -        -             0
//	Quadratic-mixed       3           21       4, 3          0
//	Knobs                 -           11 to 18 -             0          eight of them
//
// The values of these are distorted; [Problem.Plain] undoes it.
//
//	Hartmann6-mixed-huge     from 1e-8 to 1e12
//	Func3C-reward            negative, with a heavy tail towards the best
//	Hartmann6-mixed-plateau  all that is worse than -0.3 has this value
//	Func3C-outliers          one point in 20 is off by 1e3 to 1e6
//
// Constrained problems have limits beside the value, [AllConstrained]; constrained.go says where
// each is from.
//
//	problem   continuous  ordinal  nominal  constraints  feasible  optimum
//	gardner   2           -        -        1            66 %      -2
//	gramacy   2           -        -        2            46 %      0.5998
//	vessel    2           2 × 100  -        3            41 %      5850.383
//	spring    2           14       -        4            0.7 %     0.0127
//	beam      4           -        -        7            2.6 %     1.7249
//	reducer   6           12       -        11           0.2 %     2996.348
//	server    1           3        4, 3     2            5.5 %     196.79
//
// Conditional problems are written as a user of Goptuna would: what a trial asks
// for depends on what it was given before.
//
//	problem   leaves  depth  parameters  of which a trial asks for  optimum
//	Jenatton  4       2      9           4                          0.1
//	Pipeline  3       1      14          6 to 8                     0.1
//	Nested    8       3      17          3 to 9                     0
//	Solvers   10      2      5           4 or 5                     0       distributions follow from the solver
//	Tree12    12      2      30          6                          0
package problems
