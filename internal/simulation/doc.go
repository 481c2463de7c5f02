// Package simulation runs random studies against the sampler, beside a model of
// what a study may see.
//
// A seed decides about everything: the parameters, their distributions with all
// extremes, the conditions between them, how the space is edited in mid-study,
// what is imported and enqueued, which trials fail or are pruned, when a worker
// restarts, and in which order several workers go on. After every question the
// model is asked:
//
//   - The value is finite and lies in the distribution.
//   - Nothing panics. An error has the prefix "fm:" and follows from an input that
//     makes no sense.
//   - An enqueued value that lies in its distribution is the trial's value.
//   - No configuration is repeated while others remain, and the log says that none
//     remain only when that is so. This holds where it is defined: see exactness.
//
// Two runs of one seed give the same trials, whatever the number of restarts:
// Result.Trace is there to be compared.
//
// An error names the seed and the step. The package is for tests of any storage.
package simulation
