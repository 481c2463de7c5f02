package dbtest

import (
	"os"

	"github.com/go-sql-driver/mysql"
)

const mysqlVariable = "FM_TEST_MYSQL_DSN"

// startMySQL returns the server that the environment names, or starts MariaDB.
func startMySQL() (*server, error) {
	if dsn := os.Getenv(mysqlVariable); dsn != "" {
		return newMySQL(dsn)
	}
	install, program := find("mariadb-install-db", "/usr/bin"), find("mariadbd", "/usr/sbin", "/usr/libexec")
	if install == "" || program == "" {
		return nil, missingError{"MariaDB server", mysqlVariable, "user:password@tcp(127.0.0.1:3306)/"}
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s, err := newMySQL("root@tcp(127.0.0.1:" + port + ")/mysql")
	if err != nil {
		return nil, err
	}
	return s, s.launch([]string{"mysql", "nobody"},
		func(dir string) []string {
			return []string{install, "--no-defaults", "--datadir=" + dir + "/data",
				"--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve"}
		},
		func(dir string) []string {
			return []string{program, "--no-defaults", "--datadir=" + dir + "/data",
				"--bind-address=127.0.0.1", "--port=" + port, "--socket=" + dir + "/socket", "--pid-file=" + dir + "/pid",
				"--skip-name-resolve", "--max-connections=200", "--innodb-buffer-pool-size=64M",
				"--innodb-flush-log-at-trx-commit=2", // what is committed outlives the server, if not the machine
			}
		})
}

func newMySQL(dsn string) (*server, error) {
	config, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	config.ParseTime = true // Goptuna reads times
	return &server{
		kind: MySQL, admin: config.FormatDSN(), crash: "KILL",
		database: func(name string) string {
			c := config.Clone()
			c.DBName = name
			return c.FormatDSN()
		},
	}, nil
}
