// Package browser drives a headless Chromium, for tests of pages.
package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// A Page is a tab of a headless Chromium. It is driven by the Chrome DevTools Protocol over two pipes, where messages are JSON
// objects that end in a zero byte: https://chromedevtools.github.io/devtools-protocol/
type Page struct {
	T       *testing.T // which fails when anything does
	session string     // of the protocol
	pipe    io.Writer

	mu      sync.Mutex
	last    int                     // id of the last call
	waiting map[int]chan<- response // by id
	thrown  []string                // Exceptions of the page that nobody caught
}

type response struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// Find returns the path of the browser. It reports false if there is none.
func Find() (path string, ok bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// New starts Chromium. It is stopped after the test.
func New(t *testing.T, chromium string) *Page {
	t.Helper()
	ours, theirs := pipes(t)
	profile, err := os.MkdirTemp("", "chromium-") // not t.TempDir, which is strict about files that come late
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(chromium,
		"--headless", "--remote-debugging-pipe", "--user-data-dir="+profile,
		"--no-sandbox",                                                        // which root can't have
		"--disable-gpu", "--use-angle=swiftshader", "--disable-dev-shm-usage", // WebGL in software, on any machine
		"--enable-unsafe-swiftshader",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
		"--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4", // a mouse
		"--hide-scrollbars", "about:blank")
	cmd.ExtraFiles = theirs // which Chromium finds as its files 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range theirs {
		f.Close()
	}
	p := &Page{T: t, pipe: ours[1], waiting: make(map[int]chan<- response)}
	ended := make(chan struct{})
	go func() { defer close(ended); p.listen(ours[0]) }()
	t.Cleanup(func() {
		p.session = ""
		p.try("Browser.close", nil, nil)
		kill := time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
		defer kill.Stop()
		cmd.Wait()
		<-ended
		os.RemoveAll(profile)
	})

	var target struct{ TargetID string }
	p.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	p.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p.session = attached.SessionID
	p.Call("Runtime.enable", nil, nil)
	return p
}

// pipes returns the ends of two pipes: what to read from and write to, here and there.
func pipes(t *testing.T) (ours, theirs []*os.File) {
	r, chromiumsW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	chromiumsR, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return []*os.File{r, w}, []*os.File{chromiumsR, chromiumsW}
}

// listen passes responses on to who waits for them, until Chromium closes the pipe.
func (p *Page) listen(pipe io.Reader) {
	messages := bufio.NewReader(pipe)
	for {
		text, err := messages.ReadBytes(0)
		var message struct {
			response
			ID     int
			Method string
			Params struct {
				ExceptionDetails struct {
					Text      string
					Exception struct{ Description string }
				}
			}
		}
		if err == nil {
			err = json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &message)
		}

		p.mu.Lock()
		if err != nil {
			for _, c := range p.waiting {
				close(c)
			}
			p.waiting = nil
			p.mu.Unlock()
			return
		}
		if c, ok := p.waiting[message.ID]; ok {
			c <- message.response
			delete(p.waiting, message.ID)
		}
		if message.Method == "Runtime.exceptionThrown" {
			details := message.Params.ExceptionDetails
			p.thrown = append(p.thrown, details.Text+" "+details.Exception.Description)
		}
		p.mu.Unlock()
	}
}

// Call calls a method of the protocol.
func (p *Page) Call(method string, params, result any) {
	p.T.Helper()
	if err := p.try(method, params, result); err != nil {
		p.T.Fatalf("%s: %v", method, err)
	}
}

var errEnded = errors.New("the browser has ended")

// try calls a method of the protocol, and waits for the response.
func (p *Page) try(method string, params, result any) error {
	c := make(chan response, 1)
	p.mu.Lock()
	if p.waiting == nil {
		p.mu.Unlock()
		return errEnded
	}
	p.last++
	id := p.last
	p.waiting[id] = c
	p.mu.Unlock()

	message := map[string]any{"id": id, "method": method}
	if params != nil {
		message["params"] = params
	}
	if p.session != "" {
		message["sessionId"] = p.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if _, err := p.pipe.Write(append(text, 0)); err != nil {
		return err
	}
	select {
	case r, ok := <-c:
		if !ok {
			return errEnded
		}
		if r.Error != nil {
			return errors.New(r.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(r.Result, result)
	case <-time.After(time.Minute):
		return errors.New("no answer within a minute")
	}
}

// Open goes to a URL in a window of that size, at three dots for two pixels.
func (p *Page) Open(url string, width, height int) {
	p.T.Helper()
	p.Call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": height, "deviceScaleFactor": 1.5, "mobile": false}, nil)
	p.Call("Page.navigate", map[string]any{"url": url}, nil)
}

// Media sets what the style sheet is asked for: the kind, "screen" or "print", and the colour scheme, "light" or "dark".
func (p *Page) Media(kind, scheme string) {
	p.T.Helper()
	p.Call("Emulation.setEmulatedMedia", map[string]any{"media": kind,
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Eval stores the value of a JavaScript expression.
func (p *Page) Eval(expression string, value any) error {
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	err := p.try("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return json.Unmarshal(r.Result.Value, value)
}

// Wait waits until the number that a JavaScript expression gives is at least that large.
func (p *Page) Wait(expression string, atLeast int) {
	p.T.Helper()
	var n int
	var err error
	for start := time.Now(); time.Since(start) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		if err = p.Eval(expression, &n); err == nil && n >= atLeast {
			return
		}
	}
	var text string
	p.Eval("document.body.innerText", &text)
	p.T.Fatalf("%s is %d (%v), want at least %d; the page reads:\n%s", expression, n, err, atLeast, text)
}

// Text returns what a person reads on the page.
func (p *Page) Text() string {
	p.T.Helper()
	var text string
	if err := p.Eval("document.body.innerText", &text); err != nil {
		p.T.Fatal(err)
	}
	return text
}

// Exceptions returns what the page threw and did not catch.
func (p *Page) Exceptions() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.thrown
}
