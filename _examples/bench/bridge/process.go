package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// endTimeout is how long a process may take to end when its input has ended;
	// then it is killed. A worker that is at work only reads on afterwards.
	endTimeout = 5 * time.Second

	// drainTimeout is how long standard error is read on after the process has
	// ended: a child of the worker's may keep it open.
	drainTimeout = time.Second

	// tailLength is how many bytes of standard error are kept for the message of
	// a crash.
	tailLength = 4096
)

// process is a running worker.
type process struct {
	name    string
	dir     string // with the unpacked files; "" if there are none
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *os.File
	answers *json.Decoder
	tail    tail
}

func startProcess(config Config) (*process, error) {
	program, err := exec.LookPath(config.Command[0])
	if err != nil {
		return nil, &MissingError{What: "there is no program " + config.Command[0], Install: config.Install}
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	p := &process{name: config.Command[0], cmd: exec.Command(program, config.Command[1:]...)}
	if p.dir, err = unpack(config.Files); err != nil {
		return nil, err
	}
	if err := p.start(config); err != nil {
		os.RemoveAll(p.dir)
		return nil, err
	}
	return p, nil
}

func (p *process) start(config Config) (err error) {
	stderr := config.Stderr
	if stderr == nil {
		stderr = os.Stderr
	}
	p.cmd.Dir = p.dir
	p.cmd.Env = append(os.Environ(), config.Env...)
	p.cmd.Stderr = io.MultiWriter(stderr, &p.tail)
	p.cmd.WaitDelay = drainTimeout
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	// Not StdoutPipe: what was written before a crash can be read after Wait.
	out, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer write.Close()
	p.cmd.Stdout = write
	p.out, p.answers = out, json.NewDecoder(out)
	if err := p.cmd.Start(); err != nil {
		p.in.Close()
		out.Close()
		return err
	}
	return nil
}

// exchange writes a line and reads the answer to it.
func (p *process) exchange(line []byte) (a answer, err error) {
	if _, err := p.in.Write(line); err != nil {
		return a, err
	}
	err = p.answers.Decode(&a)
	return a, err
}

// kill ends the process at once. It may be called at any time.
func (p *process) kill() {
	p.cmd.Process.Kill()
	p.in.Close()
	p.out.Close() // an exchange gives up, even if a child of the process holds the other end
}

// end lets the process end, and removes what it leaves.
func (p *process) end() error {
	p.in.Close()
	timer := time.AfterFunc(endTimeout, p.kill)
	err := p.cmd.Wait()
	if !timer.Stop() {
		err = nil // it has nothing to say about its last moments
	}
	p.out.Close()
	return errors.Join(err, os.RemoveAll(p.dir))
}

// explain ends a process with which an exchange failed, and returns an error
// that says why: if it is gone, it knows better than the pipe does.
func (p *process) explain(err error) error {
	gone := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE)
	if gone {
		err = errors.New("the worker ended without an answer")
	} else {
		p.kill() // it wrote something else than an answer
	}
	if ended := p.end(); gone && ended != nil {
		err = ended
	}
	if line := p.tail.lastLine(); line != "" {
		return fmt.Errorf("bridge: %s: %w: %s", p.name, err, line)
	}
	return fmt.Errorf("bridge: %s: %w", p.name, err)
}

// unpack writes the files into a new directory and returns it, or "" where
// there are none.
func unpack(files []fs.FS) (dir string, err error) {
	if len(files) == 0 {
		return "", nil
	}
	if dir, err = os.MkdirTemp("", "worker-*"); err != nil {
		return "", err
	}
	for _, f := range files {
		if err := os.CopyFS(dir, f); err != nil {
			os.RemoveAll(dir)
			return "", err
		}
	}
	return dir, nil
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(text []byte) (int, error) {
	t.text = append(t.text, text...)
	if n := len(t.text); n > tailLength {
		t.text = bytes.Clone(t.text[n-tailLength:])
	}
	return len(text), nil
}

func (t *tail) lastLine() string {
	text := strings.TrimSpace(string(t.text))
	return text[strings.LastIndexByte(text, '\n')+1:]
}
