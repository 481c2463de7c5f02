//go:build cgo

package cachedrdb_test

import "gorm.io/driver/sqlite"

func init() { sqliteDrivers["mattn"] = sqlite.Open }
