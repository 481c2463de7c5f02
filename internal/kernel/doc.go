// Package kernel computes the kernels that package fmkernel defines, row by
// row: what the model needs and a user does not.
//
// The type Kernel of fmkernel has the same fields as [Kernel] here and other
// methods: those for users. The packages of this module convert, which no other
// module can:
//
//	e := kernel.NewEvaluator((*kernel.Kernel)(k), params)
//
// An [Evaluator] is a Kernel at fixed Params with scratch space: one per
// goroutine. Its parts:
//
//	Form        how the graphs and the distance make a kernel: Eq. (5), a product or a sum
//	Modulation  the frequency modulating function: which factor a graph has
//	distance    ‖c-c'‖²_θ, another sum over the dimensions, or u - k_H(c, c')
//	factor      the kernel of one graph, modulated by the distance
//
// For f_Lap, Eq. (9), a factor is an entry of the resolvent
// ((1+t) I + β L)⁻¹. Complete graphs, paths and cycles have closed forms whose
// cost does not depend on the number of vertices; small graphs are ratios of
// polynomials with non-negative coefficients (the matrix forest theorem), which
// lose no digits; other graphs, and other f, use the spectrum with equal
// eigenvalues merged. f_Dif has a closed form on complete graphs.
package kernel
