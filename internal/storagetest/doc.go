// Package storagetest has no code: its test runs those of the module
// internal/dbtest, which open databases and need drivers for that. go test ./...
// does not look into other modules, and is to run every test all the same.
package storagetest
