// Package fmtest is what the tests of the sampler share: its own, which keep
// their studies in memory, and those of the module internal/dbtest, which keep
// them in databases.
package fmtest
