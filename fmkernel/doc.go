// Package fmkernel implements the frequency modulated (FM) kernels of Oh,
// Gavves and Welling, "Mixed Variable Bayesian Optimization with Frequency
// Modulated Kernels" (UAI 2021), on points (c, v) with continuous coordinates c
// in R^D and one vertex v_p in each of P graphs.
//
// The kernel is the product over graphs of Eq. (5),
//
//	k((c,v),(c',v')) = Π_p Σ_i [U_p]_{v_p,i} f(λ_i, α_p ‖c-c'‖²_θ | β_p) [U_p]_{v'_p,i}
//	‖c-c'‖²_θ        = Σ_d (c_d - c'_d)² / θ_d²
//
// where L(G_p) = U_p Λ_p U_pᵀ is the graph Laplacian and f a frequency
// modulating function (Def. 3.1), here a Modulator: Laplacian (9), Diffusion
// (10), Family (6), Kernelized (7), or one's own. With no graph the product
// is taken over one graph of a single vertex and α = 1, so the kernel is
// f(0, ‖c-c'‖²_θ); with no continuous dimension the distance is 0 and the
// kernel is the graph kernel of Eq. (1).
//
// Notation, used throughout the module:
//
//	paper        meaning                          Go
//	(c, v)       point                            Point{C, V}
//	D, P         numbers of dimensions, graphs    k.Dims()
//	α_p          modulation strength              Params.Alpha
//	β_p          spectral decay                   Params.Beta
//	θ_d          lengthscale (larger: smoother)   Params.Theta
//	‖c-c'‖²_θ    squared scaled distance          d2
//	α‖c-c'‖²_θ   second argument of f             t
//	f            modulating function              Modulator
//	λ_i          eigenvalues of the Laplacian     lambda
//
// Beside it there are the product and sum kernels that the paper compares with;
// for their definitions see [NewProdLap] and [NewAddLap]. A constructor is the choice
// of a kernel: all take the number of dimensions and the graphs.
//
// Kernels have values ([Kernel.Eval], [Kernel.CrossTo], [Kernel.GramTo]) and
// gradients: in a point ([Kernel.CrossGradTo]) and in the hyperparameters
// ([Kernel.ParamGradTo]), which is what Gaussian process regression needs. With
// f_Lap the cost of a pair does not grow with the number of vertices of complete
// graphs, paths and cycles.
package fmkernel
