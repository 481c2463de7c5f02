// Package layers has no code: its tests hold the table of which package of this
// module may import what, and fail where the sources disagree, or where a link
// between the documents leads nowhere.
package layers
