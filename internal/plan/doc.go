// Package plan keeps the plan of a trial, the values of all its parameters, and
// the fit behind them in the trial's system attributes, where a restarted process
// and other workers find them.
package plan
