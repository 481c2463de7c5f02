// Package kernel computes the kernels that package fmkernel defines, row by
// row: what the model needs and a user does not.
//
// [fmkernel.Kernel] is [Kernel] under another name, with the methods that users
// have. The packages of this module convert:
//
//	e := kernel.NewEvaluator((*kernel.Kernel)(k), params)
//
// An [Evaluator] is a Kernel at fixed Params with scratch space: one per
// goroutine. Its parts:
//
//	Form        how the graphs and the distance make a kernel: Eq. (5), a product or a sum
//	Modulation  the frequency modulating function: which factor a graph has
//	factor      the kernel of one graph, modulated by the distance
//
// For f_Lap, Eq. (9), a factor is an entry of the resolvent
// ((1+t) I + β L)⁻¹. Complete graphs, paths and cycles have closed forms whose
// cost does not depend on the number of vertices; small graphs are ratios of
// polynomials with non-negative coefficients (the matrix forest theorem), which
// lose no digits; other graphs, and other f, use the spectrum with equal
// eigenvalues merged. f_Dif has a closed form on complete graphs.
//
// [fmkernel.Kernel]: https://pkg.go.dev/github.com/goptuna-fm/goptuna-fm/fmkernel#Kernel
package kernel
