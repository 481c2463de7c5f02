// Package gp fits a Gaussian process with an FM kernel and conditions it on data.
// Targets are standardised, points are encoded, and nothing here knows what they
// stand for.
//
// The model is y = Mean + g(x) + noise, g ~ GP(0, Scale·k/c̄), noise ~ N(0, Noise),
// with c̄ the mean over vertices of k(x, x) at distance 0, so that Scale is the
// prior variance of g whatever α, β and θ are. Notation:
//
//	K        n×n  covariance of y: Scale·k(xs, xs)/c̄ + Noise·I
//	L        n×n  lower Cholesky factor of K
//	weights  n    K⁻¹(y - Mean)
//
// Hyperparameters are found by maximum a posteriori, or sampled from their
// posterior. The default priors are log-normal with the density taken over the
// logarithm: smooth, and without the singularity at zero that makes the mode of
// a horseshoe prior meaningless. Those of the paper's implementation are
// NewReferencePrior, to be used with ReferenceStarts starts.
package gp
