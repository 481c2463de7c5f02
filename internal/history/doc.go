// Package history reads the trials of a study from Goptuna's storage, sorts out
// what can be learned from each, and turns objective values into targets that a
// Gaussian process can fit.
package history
