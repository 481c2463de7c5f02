// Package repeats models which configurations have exactly the same objective value:
// where a parameter does nothing, or an objective is piecewise constant, a trial repeats
// what another has measured.
package repeats
