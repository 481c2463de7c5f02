package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// The messages of the protocol.
type (
	peerRequest struct {
		Sampler     string      `json:"sampler"`
		Probe       bool        `json:"probe"`
		Seed        int64       `json:"seed"`
		Procs       int         `json:"procs"`
		Params      []peerParam `json:"params"`
		Trials      []peerTrial `json:"trials"`
		Suggestions int         `json:"suggestions"`
	}
	peerParam struct {
		Name    string   `json:"name"`
		Kind    string   `json:"kind"` // float, int or categorical
		Low     float64  `json:"low"`
		High    float64  `json:"high"`
		Log     bool     `json:"log"`
		Choices []string `json:"choices"`
	}
	peerTrial struct {
		X     []float64 `json:"x"`
		Value float64   `json:"value"`
	}
	peerHello struct {
		Version string   `json:"version"`
		Missing []string `json:"missing"`
	}
	peerSuggestion struct {
		X       []float64 `json:"x"`
		Seconds float64   `json:"seconds"`
		CPU     float64   `json:"cpu"`
		PeakRSS int64     `json:"peak_rss"`
	}
	peerValue struct {
		Value float64 `json:"value"`
	}
)

// conversation is a running process that speaks the protocol.
type conversation struct {
	process *exec.Cmd
	in      io.WriteCloser
	encoder *json.Encoder
	decoder *json.Decoder
	errors  strings.Builder // what it writes to stderr
}

// start starts a process with a request and returns what it runs on.
func (p *peer) start(request peerRequest) (c *conversation, version string, err error) {
	c = &conversation{process: exec.Command(p.command[0], p.command[1:]...)}
	c.process.Env = os.Environ()
	for _, library := range []string{"OMP", "MKL", "OPENBLAS"} {
		c.process.Env = append(c.process.Env, library+"_NUM_THREADS="+strconv.Itoa(p.procs))
	}
	c.process.Stderr = &c.errors
	if c.in, err = c.process.StdinPipe(); err != nil {
		return nil, "", err
	}
	output, err := c.process.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	c.encoder, c.decoder = json.NewEncoder(c.in), json.NewDecoder(output)
	if err := c.process.Start(); err != nil {
		return nil, "", err
	}
	if err := c.send(request); err != nil {
		return nil, "", err
	}
	var hello peerHello
	if err := c.receive(&hello); err != nil {
		return nil, "", err
	}
	if len(hello.Missing) > 0 {
		c.close()
		return nil, "", fmt.Errorf("there is no %s", strings.Join(hello.Missing, " and no "))
	}
	return c, hello.Version, nil
}

func (c *conversation) send(message any) error {
	if err := c.encoder.Encode(message); err != nil {
		return c.broken(err)
	}
	return nil
}

func (c *conversation) receive(message any) error {
	if err := c.decoder.Decode(message); err != nil {
		return c.broken(err)
	}
	return nil
}

// close ends the conversation and waits for the process to end.
func (c *conversation) close() error {
	c.in.Close()
	if err := c.process.Wait(); err != nil {
		return c.explain(err)
	}
	return nil
}

// broken ends a conversation in which a message failed. The process knows why
// better than the pipe does.
func (c *conversation) broken(err error) error {
	if closed := c.close(); closed != nil {
		return closed
	}
	return c.explain(err)
}

// explain adds the last line that the process wrote to stderr.
func (c *conversation) explain(err error) error {
	text := strings.TrimSpace(c.errors.String())
	if text == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, text[strings.LastIndex(text, "\n")+1:])
}
