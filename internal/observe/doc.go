// Package observe is the first step of a suggestion: from the history of a study,
// a trial and what it has asked for, it makes the [Problem] that the trial is to
// solve. Nothing in it draws random numbers or learns from objective values.
package observe
