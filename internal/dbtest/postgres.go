package dbtest

import (
	"net/url"
	"os"
	"strings"
)

const postgresVariable = "FM_TEST_POSTGRES_DSN"

// startPostgres returns the server that the environment names, or starts one.
func startPostgres() (*server, error) {
	if dsn := os.Getenv(postgresVariable); dsn != "" {
		return newPostgres(dsn), nil
	}
	directories := []string{"/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin"}
	initdb, program := find("initdb", directories...), find("postgres", directories...)
	if initdb == "" || program == "" {
		return nil, missingError{"PostgreSQL server", postgresVariable, "host=127.0.0.1 user=... password=... dbname=postgres"}
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := newPostgres("host=127.0.0.1 port=" + port + " user=fm dbname=postgres sslmode=disable")
	return s, s.launch([]string{"postgres", "nobody"},
		func(dir string) []string {
			return []string{initdb, "--pgdata=" + dir + "/data", "--username=fm", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"}
		},
		func(dir string) []string {
			return []string{program, "-D", dir + "/data", "-c", "listen_addresses=127.0.0.1", "-c", "port=" + port,
				"-c", "unix_socket_directories=", "-c", "max_connections=200",
				"-c", "dynamic_shared_memory_type=mmap", // which leaves nothing behind outside of the directory
				"-c", "fsync=off", // what is committed outlives the server, if not the machine
			}
		})
}

// newPostgres takes either form of a DSN: a URL, or keywords, where the last
// dbname counts. The signal QUIT is PostgreSQL's immediate shutdown: no farewell
// to the clients, and recovery at the next start.
func newPostgres(dsn string) *server {
	return &server{
		kind: Postgres, admin: dsn, crash: "QUIT",
		database: func(name string) string {
			if u, err := url.Parse(dsn); err == nil && strings.HasPrefix(u.Scheme, "postgres") {
				u.Path = "/" + name
				return u.String()
			}
			return dsn + " dbname=" + name
		},
	}
}
