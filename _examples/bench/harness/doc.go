// Package harness is what the programs that measure samplers share: runs of a
// [Method] on a [Problem], several at once and resumable, and reports on them.
//
// A [Plan] lists problems, methods and seeds, and returns a [Run] for each
// combination: those that a [Store] has are read from it, the others are made. A
// [Comparison] is a plan with the flags of a program that compares methods.
// Reports are tables of a row per [Sample] of runs, composed of columns, and
// pictures of [Line]s.
//
// Objectives are minimised.
package harness
