// Package space maps Goptuna's distributions to the coordinates of a kernel,
// graphs and continuous dimensions, and back.
//
//	distribution                                coordinate
//	UniformDistribution                         dimension, linear on [0, 1]
//	LogUniformDistribution                      dimension, linear in the logarithm
//	IntUniform, StepInt, DiscreteUniform
//	  with at most MaxPathOrder values          path graph over the grid
//	  with more                                 dimension on a grid
//	Categorical                                 complete graph
//	Categorical whose choices read as numbers   path graph in their order, edges
//	                                            weighted by the gaps; with more than
//	                                            MaxPathOrder choices a dimension
//	these, with a graph of the user             that graph
//	one value only                              nothing
//
// A parameter that not every trial asks for is absent from the others, which is a
// coordinate, too: see Space. The optional parameters of a configuration are its
// Activity. Which are active with which values is learned from the trials: see
// Space.Regions.
//
// What a parameter may have can depend on the value of another one, its parent:
// whether it is active, or which distribution it has. The distributions with
// different values of the parent are its Forms, and it has the values of all of
// them. A region then has Parts, in each of which every parameter has one form.
package space
