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
// coordinate, too: see Space. Which parameters are active with which values is
// learned from the trials: see Space.Regions.
package space
