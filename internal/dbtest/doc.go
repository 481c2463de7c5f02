// Package dbtest gives tests the databases that studies are shared through:
// SQLite in a temporary directory, and private MariaDB and PostgreSQL servers.
//
// It is a module of its own, since it needs drivers, and has the tests that use
// it, each in the directory named after the package that it tests.
//
// A server is started for the first test of a binary that wants it, if its
// programs are on the PATH or where Debian puts them. Its data are in a
// temporary directory, in memory where there is room, it listens on a port of
// the loopback interface only, and it is stopped and its directory removed when
// the test binary ends, however it ends. Run by root, the servers run as the
// users postgres, mysql or nobody.
//
// The variables FM_TEST_MYSQL_DSN and FM_TEST_POSTGRES_DSN name servers to use
// instead; each test creates a database there and drops it. Without either, a
// test is skipped, with a message that says so.
package dbtest
