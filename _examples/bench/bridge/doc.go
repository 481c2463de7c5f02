// Package bridge asks another process, a worker, for answers: how an objective
// in Python, or in any other language, joins a study in Go.
//
// A worker reads JSON from its standard input and writes JSON to its standard
// output, a line per message. The first line it reads is the setup, every
// further line a request. It writes one line for each:
//
//	{"result": ...}                 anything; what it means is up to the two
//	{"error": "..."}                the request failed; the worker goes on
//	{"error": "...", "install": "..."}
//	                                something is not installed; the command gets it
//
// The end of its input tells the worker to end. What it writes to its standard
// error is passed on. README.md shows a worker in full.
package bridge
