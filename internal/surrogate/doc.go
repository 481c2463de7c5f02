// Package surrogate is the second step of a suggestion: it learns from the
// observations of a problem. A [Surrogate] predicts targets, transformed objective
// values, and says where trials are feasible; what it consists of, one Gaussian
// process or several, the search for the next trial does not see.
package surrogate
