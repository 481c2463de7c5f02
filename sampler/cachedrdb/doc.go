// Package cachedrdb is a Goptuna storage in SQLite, MySQL, MariaDB or PostgreSQL
// that one call opens, for any number of goroutines and processes, and that reads
// each finished trial once:
//
//	import "github.com/glebarez/sqlite" // needs no C compiler
//
//	storage, err := cachedrdb.OpenSQLite("study.db", sqlite.Open)
//	if err != nil { ... }
//	defer storage.Close()
//	study, err := goptuna.CreateStudy("tune",
//		goptuna.StudyOptionStorage(storage),
//		goptuna.StudyOptionLoadIfExists(true),
//		goptuna.StudyOptionSampler(fm.NewSampler()),
//	)
//
// Open does the same for a URL that names a file or a server. The drivers are the
// caller's imports; this module has none.
//
// # Why not a GORM connection and package rdb.v2
//
// NewStorage takes a connection of yours. A plain one, as in
// gorm.Open(sqlite.Open("study.db")), goes wrong in these ways:
//
//   - Four goroutines, or processes, that work on one SQLite file: most of them soon
//     end with "database is locked". OpenSQLite has them wait for each other, and
//     begins each transaction with the lock to write.
//   - Two processes that create the tables at the same moment: one ends with "table
//     studies already exists". Here one creates them and the others wait.
//   - Two processes that create a study at the same moment, with
//     StudyOptionLoadIfExists: one ends with "UNIQUE constraint failed". Here it
//     gets the study of the other.
//   - Two goroutines that set one attribute at the same moment: one gets an error. An
//     attribute that is set to "" keeps the value that it had. Here neither happens.
//   - GORM prints "record not found" wherever a study or an attribute is looked for.
//   - A study that is deleted from SQLite leaves its trials in the file. OpenSQLite
//     turns foreign keys on, which take them along.
//   - NaN becomes NULL in SQLite, which rdb.v2 reads as 0: a perfect value for many
//     objectives, and a good step to a pruner. Here it reads as NaN. MySQL and MariaDB
//     refuse NaN and infinities, and the trial stays running. Optimize of package
//     sampler stores neither as the value of a trial.
//   - Goptuna's own storage reads every table of a study whenever it is asked for the
//     trials: Goptuna asks once per trial, its TPE once more per parameter. The
//     storage here reads only what may have changed, the trials that are not
//     finished and the new ones. With a handful of trials there is nothing to gain.
//
// A SQLite file must not lie on a network share, where locks do not work, and a
// program must not open it with two drivers at a time: each would undo the other's
// locks.
//
// # One database, several writers
//
// The tables are those of rdb.v2, and so is every write but that of an attribute.
// Processes with either storage, and Goptuna's dashboard, can work on one study at
// the same time. No answer is older than its question: each one rests on a query
// made after the call began, and is what rdb.v2 would have answered. There is one
// exception: NaN that SQLite has stored is NaN in the trials that are returned, and
// never the best value. rdb.v2, and so GetTrialParam, reads 0.
//
// # What is relied upon
//
//   - A finished trial does not change, as Goptuna's interface has it. rdb.v2
//     enforces this for state and values only. An attribute or a parameter that
//     is set on a finished trial is seen at once if it is set through the same
//     Storage; set elsewhere, GetTrial, GetAllTrials and GetBestTrial of a
//     Storage that has read the trial may miss it. GetTrialUserAttrs,
//     GetTrialSystemAttrs and GetTrialParam always ask the database.
//   - Rows come and go by rdb.v2, that is, by the creation of trials and the
//     deletion of studies. Rows deleted by hand are noticed too, unless as many
//     others are put in their place in one go under ids of their own choice.
//
// # What it costs
//
// Memory: a finished trial with 10 parameters takes about 1 KB plus its
// attributes, from when GetAllTrials or GetBestTrial first reads it until the
// study is deleted through the Storage, or the Storage is dropped.
//
// Time: every call builds the trials it returns each time, so that their maps are the
// caller's own: about 3 µs for a trial with 10 parameters. (The choices of
// categorical distributions are shared. Don't write to them.) The trials that
// are not finished are read each time, those of workers that died included.
package cachedrdb
