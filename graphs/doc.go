// Package graphs provides the weighted, undirected, connected graphs over
// which discrete variables vary, together with their spectra.
//
// A variable with n values lives on the vertices 0, …, n-1, and edges say which
// values resemble each other. Unordered values form a complete graph, ordered
// values a path, and anything in between is given by its edges or its adjacency
// matrix.
//
//	G       Graph      weights w_uv = w_vu > 0 on the edges
//	L       Laplacian  D - A, with D = diag(Σ_v w_uv); not normalised
//	U, Λ    Spectrum   L = U Λ Uᵀ
//
// Eigenvectors of a repeated eigenvalue are not unique, but the projector on
// their span is, and it is all that a kernel on the graph needs. The columns of
// U therefore stay inside this package, and [Spectrum.Coef] returns entries of
// the projectors instead.
//
// Complete graphs, paths and cycles with unit weights are stored as a number
// and a shape, and their spectra are closed forms: a kernel on them takes some bytes
// a vertex. Any other graph costs a dense eigendecomposition when
// its spectrum is first asked for, which takes O(n³) time and O(n²) memory.
package graphs
