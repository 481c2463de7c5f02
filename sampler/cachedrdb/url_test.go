package cachedrdb

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// MySQL's driver has a notation of its own; that of internal/dbtest reads it back.
func TestMySQLDSN(t *testing.T) {
	for _, test := range []struct{ url, want, why string }{
		{"mysql://u:p@db/fm", "u:p@tcp(db:3306)/fm?parseTime=true", "the usual port; times must be parsed"},
		{"mysql://u:p%40w%2Fd@db:3307/fm", "u:p@w/d@tcp(db:3307)/fm?parseTime=true", "the driver splits at the last @"},
		{"mysql://u@[::1]/fm", "u@tcp([::1]:3306)/fm?parseTime=true", "IPv6"},
		{"mysql://u@/fm?unix_socket=/run/mysqld.sock", "u@unix(/run/mysqld.sock)/fm?parseTime=true", "SQLAlchemy's parameter"},
		{"mysql://u@db/fm?tls=true&parseTime=false", "u@tcp(db:3306)/fm?parseTime=true&tls=true", "the driver's parameters, but for one"},
		{"mysql://db/a%20b", "tcp(db:3306)/a%20b?parseTime=true", "no user"},
	} {
		u, err := url.Parse(test.url)
		if err != nil {
			t.Fatal(err)
		}
		if got := mysqlDSN(u); got != test.want {
			t.Errorf("%s is %q, want %q: %s", test.url, got, test.want, test.why)
		}
	}
}

func TestSQLitePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("a.db", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	absolute := filepath.ToSlash(filepath.Join(dir, "a.db"))
	for _, test := range []struct{ rest, want, why string }{
		{"a.db", "a.db", "a path"},
		{absolute, absolute, "an absolute path"},
		{"//a.db", "a.db", "two slashes"},
		{"///a.db", "a.db", "three: relative, as in Goptuna's command"},
		{"///" + absolute, absolute, "four: absolute there"},
		{"//" + absolute, absolute, "three: absolute everywhere else"},
		{"///new.db", "new.db", "not there, in a directory that is"},
		{"//" + filepath.ToSlash(dir) + "/new.db", filepath.ToSlash(dir) + "/new.db", "the same, absolute"},
		{"///none/new.db", "none/new.db", "no such directory"},
	} {
		if got := sqlitePath(test.rest); got != test.want {
			t.Errorf("sqlite:%s is %q, want %q: %s", test.rest, got, test.want, test.why)
		}
	}
}
