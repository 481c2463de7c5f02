package dbtest

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// startTimeout is far more than a server needs on a busy machine.
const startTimeout = 90 * time.Second

// missingError says that there is no server, and how to provide one.
type missingError struct{ program, variable, example string }

func (e missingError) Error() string {
	return fmt.Sprintf("no %s found; install it, or set %s to the DSN of a server where databases may be created, like %q",
		e.program, e.variable, e.example)
}

// shared starts the servers, each once per test binary.
var shared = map[Kind]func() (*server, error){
	MySQL:    sync.OnceValues(startMySQL),
	Postgres: sync.OnceValues(startPostgres),
}

// server is one that databases can be created on.
type server struct {
	kind     Kind
	admin    string                   // DSN of the database to create others from
	database func(name string) string // DSN of another database
	crash    string                   // signal that breaks the server off

	guard   io.Writer // nil for a server that is not ours
	log     string
	created atomic.Int64
}

func (s *server) private() bool { return s.guard != nil }

// guardScript runs the server until its standard input ends, which is when the
// test binary does, and cleans up then. A line of input restarts the server:
// the signal that ends it, and the seconds to wait.
const guardScript = `
dir=$1 last=$2
shift 2
"$@" </dev/null >>"$dir/log" 2>&1 &
while read -r signal down; do
	kill -s "$signal" $!
	wait $!
	sleep "$down"
	"$@" </dev/null >>"$dir/log" 2>&1 &
done
kill -s "$last" $!
wait $!
cd /
rm -rf "$dir"
`

// launch runs a server in a directory that prepare has filled, as one of the
// users if the tests are run by root, and waits until it answers.
func (s *server) launch(users []string, prepare, command func(dir string) []string) error {
	dir, err := os.MkdirTemp(memoryDir(), "dbtest")
	if err != nil {
		return err
	}
	fail := func(err error) error {
		os.RemoveAll(dir)
		return fmt.Errorf("dbtest: starting %s: %w", s.kind, err)
	}
	if err := own(dir, users); err != nil {
		return fail(err)
	}
	run := func(args []string) *exec.Cmd {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "LC_ALL=C")
		become(cmd, users)
		return cmd
	}
	if output, err := run(prepare(dir)).CombinedOutput(); err != nil {
		return fail(fmt.Errorf("%w\n%s", err, output))
	}
	guard := run(append([]string{"sh", "-c", guardScript, "sh", dir, s.crash}, command(dir)...))
	// The pipe is closed in this process's children, so it ends with this process.
	if s.guard, err = guard.StdinPipe(); err != nil {
		return fail(err)
	}
	if err := guard.Start(); err != nil {
		return fail(err)
	}
	s.log = filepath.Join(dir, "log")
	return s.await()
}

// restart ends the server and starts it again after a while.
func (s *server) restart(down time.Duration) error {
	if _, err := fmt.Fprintf(s.guard, "%s %.3f\n", s.crash, down.Seconds()); err != nil {
		return fmt.Errorf("dbtest: restarting %s: %w", s.kind, err)
	}
	// Until the server has gone, it would answer.
	for begin := time.Now(); s.ping() == nil && time.Since(begin) < down; {
		time.Sleep(time.Millisecond)
	}
	return s.await()
}

// await waits until the server answers.
func (s *server) await() error {
	var err error
	for begin := time.Now(); time.Since(begin) < startTimeout; time.Sleep(20 * time.Millisecond) {
		if err = s.ping(); err == nil {
			return nil
		}
	}
	log, _ := os.ReadFile(s.log)
	return fmt.Errorf("dbtest: %s does not answer: %w\n%s", s.kind, err, log[max(0, len(log)-4000):])
}

func (s *server) ping() error {
	db, err := open(s.kind, s.admin) // which pings
	if err != nil {
		return err
	}
	closeDB(db)
	return nil
}

// create makes a database with a name of its own and returns its DSN.
func (s *server) create(t testing.TB) (string, error) {
	name := fmt.Sprintf("fm_test_%d_%d_%d", os.Getpid(), time.Now().UnixNano(), s.created.Add(1))
	if err := s.exec("CREATE DATABASE " + name + map[Kind]string{MySQL: " CHARACTER SET utf8mb4"}[s.kind]); err != nil {
		return "", err
	}
	t.Cleanup(func() {
		force := map[Kind]string{Postgres: " WITH (FORCE)"} // although killed workers may seem connected
		if err := s.exec("DROP DATABASE " + name + force[s.kind]); err != nil {
			t.Errorf("dbtest: dropping the database: %v", err)
		}
	})
	return s.database(name), nil
}

func (s *server) exec(statement string) error {
	db, err := open(s.kind, s.admin)
	if err != nil {
		return err
	}
	defer closeDB(db)
	return db.Exec(statement).Error
}

// find returns the path of a program on the PATH or in one of the directories,
// which may be patterns: the last match is the newest version's. It is "" if there is none.
func find(program string, directories ...string) string {
	if name, err := exec.LookPath(program); err == nil {
		if name, err = filepath.Abs(name); err == nil {
			return name
		}
	}
	for _, directory := range directories {
		matches, _ := filepath.Glob(filepath.Join(directory, program))
		slices.SortFunc(matches, func(a, b string) int { return len(a) - len(b) }) // 9 before 15
		if len(matches) > 0 {
			return matches[len(matches)-1]
		}
	}
	return ""
}

// freePort returns a port of the loopback interface that nobody listens on.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port), nil
}
