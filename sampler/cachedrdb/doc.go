// Package cachedrdb is a Goptuna storage on a relational database that reads
// each finished trial once.
//
// Goptuna's own storage, package rdb.v2, reads every table of a study whenever
// it is asked for the trials: Goptuna asks once per trial, its TPE once more per
// parameter. The storage here reads only what may have changed, the trials that
// are not finished and the new ones. Use it with any sampler where a study has
// hundreds of trials or more:
//
//	if err := rdb.RunAutoMigrate(db); err != nil { ... }
//	study, err := goptuna.CreateStudy("tune",
//		goptuna.StudyOptionStorage(cachedrdb.NewStorage(db)),
//		goptuna.StudyOptionSampler(fm.NewSampler()),
//	)
//
// With a handful of trials there is nothing to gain. A program that reads a
// study once, such as a report, may as well use rdb.v2.
//
// # One database, several writers
//
// The tables are those of rdb.v2, and every write goes through it. Processes
// with either storage, and Goptuna's dashboard, can work on one study at the
// same time. No answer is older than its question: each one rests on a query
// made after the call began, and is what rdb.v2 would have answered. (NULL reads
// as 0, too, which is what becomes of NaN on SQLite. Where that matters, DB gives
// access to the database.)
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
