// Package acquisition maximises the expected improvement of a posterior over a
// mixed space: continuous dimensions on [0, 1], some of them on a grid, and one
// vertex in each of several graphs.
//
// The search follows Supp. §4.1 of the paper: start points from a space-filling
// set and from sprays around good observations, then quasi-Newton steps on the
// continuous part in turn with greedy moves to graph neighbours, until neither
// improves. A small finite space is enumerated instead.
package acquisition
