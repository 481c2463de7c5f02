// Package lookup reads measurements of configurations, a table, as a problem: a trial
// looks its value up.
package lookup
