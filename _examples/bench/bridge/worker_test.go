package bridge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
)

// The test binary, started with this variable set, is a worker.
const fakeWorker = "FAKE_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(fakeWorker) != "" {
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type setup struct {
	Target  float64
	Missing bool
	Broken  bool
	Starts  time.Duration // how long it takes to start
}

type request struct {
	X  float64
	Do string // something else than to answer (X - Target)²
}

type started struct {
	PID int
	Dir []string // names of the files where the worker runs
}

// serve is a worker without package bridge: the protocol by hand.
func serve() error {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	var s setup
	if err := in.Decode(&s); err != nil {
		return err
	}
	time.Sleep(s.Starts)
	switch {
	case s.Missing:
		return out.Encode(map[string]string{"error": "there is no abacus", "install": "buy abacus"})
	case s.Broken:
		return out.Encode(map[string]string{"error": "no data"})
	}
	files, err := filepath.Glob("*")
	if err != nil {
		return err
	}
	out.Encode(map[string]any{"result": started{os.Getpid(), files}})
	for {
		var r request
		if err := in.Decode(&r); err != nil {
			return nil // the end
		}
		switch r.Do {
		case "fail":
			out.Encode(map[string]string{"error": "X is odd"})
		case "crash":
			return errors.New("out of ink")
		case "leave":
			return nil
		case "babble":
			fmt.Println("progress: 50 %")
		case "hang":
			time.Sleep(time.Hour)
		case "large":
			out.Encode(map[string]string{"result": strings.Repeat("x", 1<<20)})
		default:
			out.Encode(map[string]float64{"result": (r.X - s.Target) * (r.X - s.Target)})
		}
	}
}

func fakeConfig(t *testing.T, s setup) bridge.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return bridge.Config{Command: []string{self}, Env: []string{fakeWorker + "=1"}, Setup: s, Stderr: &bytes.Buffer{}}
}

func newWorker(t *testing.T, config bridge.Config) *bridge.Worker {
	t.Helper()
	w := bridge.New(config)
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error("Close:", err)
		}
	})
	return w
}

// checkAnswers checks that the worker, with target 2, is there.
func checkAnswers(t *testing.T, w *bridge.Worker) {
	t.Helper()
	for x := range 4 {
		var got float64
		if err := w.Call(t.Context(), request{X: float64(x)}, &got); err != nil {
			t.Fatal(err)
		}
		if want := float64((x - 2) * (x - 2)); got != want {
			t.Errorf("x = %d: got %v, want %v", x, got, want)
		}
	}
}

func TestCall(t *testing.T) {
	w := newWorker(t, fakeConfig(t, setup{Target: 2}))
	checkAnswers(t, w)
	if err := w.Call(t.Context(), request{}, nil); err != nil {
		t.Errorf("a call whose result is of no interest: %v", err)
	}
	var text string
	if err := w.Call(t.Context(), request{Do: "large"}, &text); err != nil || len(text) != 1<<20 {
		t.Errorf("got %d bytes, %v; want 1 MiB", len(text), err)
	}
	if err := w.Call(t.Context(), request{}, &text); err == nil {
		t.Error("a number was stored in a string")
	}
	checkAnswers(t, w)
	if err := w.Call(t.Context(), func() {}, nil); err == nil {
		t.Error("a function was sent")
	}
	checkAnswers(t, w)
}

// A failure is that of one call. The process that reported it lives on, one
// that crashed is replaced.
func TestFailures(t *testing.T) {
	for _, test := range []struct {
		do, want string
		same     bool // process afterwards
	}{
		{"fail", "X is odd", true},
		{"crash", "exit status 3: out of ink", false},
		{"leave", "ended without an answer", false},
		{"babble", "invalid character", false},
	} {
		t.Run(test.do, func(t *testing.T) {
			config := fakeConfig(t, setup{Target: 2})
			w := newWorker(t, config)
			var before, after started
			if err := w.Start(t.Context(), &before); err != nil {
				t.Fatal(err)
			}
			err := w.Call(t.Context(), request{Do: test.do}, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			checkAnswers(t, w)
			if err := w.Start(t.Context(), &after); err != nil {
				t.Fatal(err)
			}
			if same := before.PID == after.PID; same != test.same {
				t.Errorf("the same process answers: %t, want %t", same, test.same)
			}
			if stderr := config.Stderr.(*bytes.Buffer).String(); test.do == "crash" && stderr != "out of ink\n" {
				t.Errorf("what it wrote to stderr came as %q", stderr)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	w := newWorker(t, fakeConfig(t, setup{Target: 2}))
	checkAnswers(t, w)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := w.Call(ctx, request{Do: "hang"}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that the time is up", err)
	}
	if err := w.Call(ctx, request{}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want no process for a call that has ended", err)
	}
	checkAnswers(t, w)
}

// A call that is too slow costs no other one, though the start of a process takes longer yet.
func TestTimeout(t *testing.T) {
	config := fakeConfig(t, setup{Target: 2, Starts: 1200 * time.Millisecond})
	config.Timeout = time.Second // much more than an answer takes on a machine that is busy
	w := newWorker(t, config)
	checkAnswers(t, w)
	if err := w.Call(t.Context(), request{Do: "hang"}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that the time is up", err)
	}
	checkAnswers(t, w)
}

func TestMissing(t *testing.T) {
	noProgram := bridge.Config{Command: []string{"no-such-program"}, Install: "write it"}
	for _, test := range []struct {
		config bridge.Config
		want   bridge.MissingError
	}{
		{noProgram, bridge.MissingError{What: "there is no program no-such-program", Install: "write it"}},
		{fakeConfig(t, setup{Missing: true}), bridge.MissingError{What: "there is no abacus", Install: "buy abacus"}},
	} {
		w := newWorker(t, test.config)
		for range 2 {
			var missing *bridge.MissingError
			if err := w.Start(t.Context(), nil); !errors.As(err, &missing) || *missing != test.want {
				t.Errorf("got %v, want %v", err, &test.want)
			}
		}
	}
}

func TestSetupFails(t *testing.T) {
	w := newWorker(t, fakeConfig(t, setup{Broken: true}))
	if err := w.Call(t.Context(), request{}, nil); err == nil || err.Error() != "no data" {
		t.Errorf("got %v, want the worker's error", err)
	}
}

// The files are where the worker runs, and nowhere afterwards.
func TestFiles(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	config := fakeConfig(t, setup{})
	config.Files = append(config.Files, fstest.MapFS{"a.txt": {Data: []byte("a")}}, fstest.MapFS{"b.txt": {Data: []byte("b")}})
	w := bridge.New(config)
	var info started
	if err := w.Start(t.Context(), &info); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(info.Dir), "[a.txt b.txt]"; got != want {
		t.Errorf("got files %s, want %s", got, want)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestPool(t *testing.T) {
	const workers = 3
	config := fakeConfig(t, setup{Target: 2})
	pool := bridge.NewPool(workers, config)
	defer pool.Close()
	if err := pool.Start(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			var got float64
			err := pool.Call(t.Context(), request{X: float64(i)}, &got)
			if want := float64((i - 2) * (i - 2)); err != nil || got != want {
				t.Errorf("x = %d: got %v, %v; want %v", i, got, err, want)
			}
		})
	}
	group.Wait()

	// With every worker at work, a call waits, but not beyond its own end.
	ctx, cancel := context.WithCancel(t.Context())
	for range workers {
		group.Go(func() {
			if err := pool.Call(ctx, request{Do: "hang"}, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want an end", err)
			}
		})
	}
	short, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	for short.Err() == nil { // until all of them hang
		pool.Call(short, request{}, nil)
	}
	cancel()
	group.Wait()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}
