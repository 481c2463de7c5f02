package cachedrdb

import (
	"errors"

	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"
)

// lastTable is the one that rdb.RunAutoMigrate creates last.
const lastTable = "trial_values"

// migrate creates the tables of rdb.v2 if they are missing. Of several that do at
// the same time one creates them, and the others wait: rdb.RunAutoMigrate alone
// looks whether a table is there and creates it later, when another may have.
func migrate(db *gorm.DB) error {
	// Not where they are: a migration takes locks that running trials would wait
	// for.
	create := func(tx *gorm.DB) error {
		if tx.Migrator().HasTable(lastTable) {
			return nil
		}
		return rdb.RunAutoMigrate(tx)
	}
	if db.Migrator().HasTable(lastTable) {
		return nil
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
const migrationLock = 0x676f7074756e61 // "goptuna"

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
