package main_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// A page is a tab of a headless Chromium. It is driven by the Chrome DevTools Protocol over two pipes, where messages are JSON
// objects that end in a zero byte: https://chromedevtools.github.io/devtools-protocol/
type page struct {
	t       *testing.T
	session string // of the protocol
	pipe    io.Writer

	mu      sync.Mutex
	last    int                     // id of the last call
	waiting map[int]chan<- response // by id
	thrown  []string                // exceptions of the page that nobody caught
}

type response struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// findChromium returns the path of the browser. It reports false if there is none.
func findChromium() (path string, ok bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// newPage starts Chromium. It is stopped after the test.
func newPage(t *testing.T, chromium string) *page {
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
	p := &page{t: t, pipe: ours[1], waiting: make(map[int]chan<- response)}
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
	p.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	p.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p.session = attached.SessionID
	p.call("Runtime.enable", nil, nil)
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
func (p *page) listen(pipe io.Reader) {
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
			for id, c := range p.waiting {
				close(c)
				delete(p.waiting, id)
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

// call calls a method of the protocol.
func (p *page) call(method string, params, result any) {
	p.t.Helper()
	if err := p.try(method, params, result); err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
}

func (p *page) try(method string, params, result any) error {
	c := make(chan response, 1)
	p.mu.Lock()
	if p.waiting == nil {
		p.mu.Unlock()
		return errors.New("Chromium has ended")
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
			return errors.New("Chromium has ended")
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

// open goes to a URL in a window of that size, at three dots for two pixels.
func (p *page) open(url string, width, height int) {
	p.t.Helper()
	p.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": height, "deviceScaleFactor": 1.5, "mobile": false}, nil)
	p.call("Page.navigate", map[string]any{"url": url}, nil)
}

// eval stores the value of a JavaScript expression.
func (p *page) eval(expression string, value any) error {
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

// wait waits until the number that a JavaScript expression gives is at least that large.
func (p *page) wait(expression string, atLeast int) {
	p.t.Helper()
	var n int
	var err error
	for start := time.Now(); time.Since(start) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		if err = p.eval(expression, &n); err == nil && n >= atLeast {
			return
		}
	}
	var text string
	p.eval("document.body.innerText", &text)
	p.t.Fatalf("%s is %d (%v), want at least %d; the page reads:\n%s", expression, n, err, atLeast, text)
}

// text returns what a person reads on the page.
func (p *page) text() string {
	p.t.Helper()
	var text string
	if err := p.eval("document.body.innerText", &text); err != nil {
		p.t.Fatal(err)
	}
	return text
}

// exceptions returns what the page threw and did not catch.
func (p *page) exceptions() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.thrown
}

// screenshot saves what is to be seen, and fails if that is nothing.
func (p *page) screenshot(path string) {
	p.t.Helper()
	var shot struct{ Data string }
	p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		p.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		p.t.Fatal(err)
	}
	colours := make(map[[3]uint32]bool)
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 3 {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x += 3 {
			r, g, b, _ := img.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}] = true
		}
	}
	if len(colours) < 10 {
		p.t.Errorf("%s has %d colours: the page is blank", filepath.Base(path), len(colours))
	}
}
