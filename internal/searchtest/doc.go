// Package searchtest has no code: its tests are of what the sampler finds. Each runs
// tens of studies, too many for the time that go test gives the package of the
// sampler's other tests.
package searchtest
