package cachedrdb

import (
	"errors"
	"fmt"
	"slices"

	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"
)

// lastTable is the one that rdb.RunAutoMigrate creates last.
const lastTable = "trial_values"

// columns tell Goptuna's tables from those of others. Optuna's have the same names, and
// the older ones most of these columns; attributes have others, there and in Goptuna's
// first package, rdb.
var columns = []struct{ table, column string }{
	{"studies", "direction"},
	{"trials", "value"},
	{"trial_system_attributes", "value"},
	{lastTable, "step"},
}

// hasTables reports whether all tables are there. It is an error if one of them is not
// Goptuna's: rdb.RunAutoMigrate would add columns to it.
func hasTables(db *gorm.DB) (bool, error) {
	tables, err := db.Migrator().GetTables()
	if err != nil {
		return false, err
	}
	for _, c := range columns {
		if !slices.Contains(tables, c.table) {
			continue
		}
		names, err := columnsOf(db, c.table)
		if err != nil {
			return false, err
		}
		if !slices.Contains(names, c.column) {
			return false, invalid(fmt.Sprintf("its table %s has no column %s: it is not Goptuna's (rdb.v2), but another program's, such as Optuna's; "+
				"give the study a database of its own", c.table, c.column))
		}
	}
	return slices.Contains(tables, lastTable), nil
}

func columnsOf(db *gorm.DB, table string) ([]string, error) {
	rows, err := db.Raw("SELECT * FROM " + table + " WHERE 1 = 0").Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rows.Columns()
}

// migrate creates the tables of rdb.v2 if they are missing. Of several that do at
// the same time one creates them, and the others wait: rdb.RunAutoMigrate alone
// looks whether a table is there and creates it later, when another may have.
func migrate(db *gorm.DB) error {
	create := func(tx *gorm.DB) error {
		if ok, err := hasTables(tx); ok || err != nil {
			return err
		}
		return rdb.RunAutoMigrate(tx)
	}
	// Not where they are: a migration takes locks that running trials would wait
	// for.
	if ok, err := hasTables(db); ok || err != nil {
		return err
	}
	switch db.Name() {
	case "mysql":
		// Tables are created outside of transactions. A named lock belongs to a
		// connection, and ends with it.
		return db.Connection(func(tx *gorm.DB) error { return locked(tx, create) })
	case "postgres":
		return db.Transaction(func(tx *gorm.DB) error {
			if err := tx.Exec("SELECT pg_advisory_xact_lock(?)", migrationLock).Error; err != nil {
				return err
			}
			return create(tx)
		})
	}
	return db.Transaction(create) // in SQLite, with a lock on the file
}

// migrationLock is the number of PostgreSQL's lock: any that nobody else uses.
const migrationLock int64 = 0x676f7074756e61 // "goptuna"

// locked calls create while the connection holds a lock of MySQL, one for each
// database of the server. The names of such locks have 64 characters at most.
func locked(tx *gorm.DB, create func(*gorm.DB) error) error {
	const name = "CONCAT('goptuna ', SHA1(DATABASE()))"
	var got int
	if err := tx.Raw("SELECT GET_LOCK(" + name + ", 60)").Scan(&got).Error; err != nil {
		return err
	}
	if got != 1 {
		return errors.New("another process has been creating the tables for a minute")
	}
	err := create(tx)
	return errors.Join(err, tx.Exec("DO RELEASE_LOCK("+name+")").Error)
}
