// Package layers has no code: its test holds the table of which package of this
// module may import what, and fails where the sources disagree.
package layers
