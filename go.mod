module github.com/goptuna-fm/goptuna-fm

go 1.25.0

require (
	github.com/c-bata/goptuna v0.9.0
	gonum.org/v1/gonum v0.17.0
	gorm.io/gorm v1.31.2
)

require (
	github.com/google/uuid v1.3.1 // indirect
	github.com/jinzhu/inflection v1.0.0 // indirect
	github.com/jinzhu/now v1.1.5 // indirect
	golang.org/x/text v0.23.0 // indirect
)
