// Package history reads the trials of a study from Goptuna's storage and sorts out
// what can be learned from each.
package history
