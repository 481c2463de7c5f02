//go:build tools

// Package tools keeps go.mod complete. The examples lie in a directory that go
// mod tidy does not look into; without this file, which no build includes, it
// would drop the modules that only they need.
package tools

import (
	_ "github.com/c-bata/goptuna/dashboard"
	_ "github.com/glebarez/sqlite"
	_ "github.com/mattn/go-isatty"
	_ "github.com/schollz/progressbar/v3"
	_ "gonum.org/v1/plot"
	_ "gonum.org/v1/plot/plotter"
	_ "gonum.org/v1/plot/vg/vgimg"
	_ "gorm.io/gorm"
)
