module github.com/goptuna-fm/goptuna-fm

go 1.24.0

require (
	github.com/c-bata/goptuna v0.9.0
	gonum.org/v1/gonum v0.17.0
)
