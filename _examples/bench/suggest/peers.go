package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/c-bata/goptuna"
)

// script speaks the protocol that its comment describes.
//
//go:embed peers.py
var script string

// peer is a sampler in another process.
type peer struct {
	method  string   // its name in the results
	sampler string   // its name in requests
	modules []string // what to install for it

	command []string // that speaks the protocol
	procs   int
}

// findPeers returns the peers that can run, and says which cannot and how to
// get them.
func findPeers(cfg config, out io.Writer) []*peer {
	command := []string{cfg.python, "-c", script}
	all := []*peer{
		{method: "optuna-tpe", sampler: "tpe", modules: []string{"optuna"}, command: command, procs: cfg.procs},
		{method: "optuna-gp", sampler: "gp", modules: []string{"optuna", "scipy", "torch"}, command: command, procs: cfg.procs},
	}
	var found []*peer
	for _, p := range all {
		version, err := p.probe()
		if err != nil {
			fmt.Fprintf(out, "%s is skipped: %v; to have it: %s -m pip install %s\n",
				p.method, err, cfg.python, strings.Join(p.modules, " "))
			continue
		}
		fmt.Fprintf(out, "%s: %s\n", p.method, version)
		found = append(found, p)
	}
	return found
}

// probe returns the versions of what the peer runs on.
func (p *peer) probe() (string, error) {
	c, version, err := p.start(peerRequest{Sampler: p.sampler, Probe: true})
	if err != nil {
		return "", err
	}
	return version, c.close()
}

// measure measures the peer on a case: the same history as fm's, and as many
// suggestions, each completed with the objective's value.
func (p *peer) measure(c benchCase, s *space) (*result, error) {
	request := peerRequest{Sampler: p.sampler, Seed: c.Seed, Procs: p.procs, Suggestions: 1 + c.Suggestions}
	for _, q := range s.params {
		request.Params = append(request.Params, q.forPeer())
	}
	for _, o := range s.history(c.N, c.Seed) {
		request.Trials = append(request.Trials, peerTrial{o.x, o.value})
	}
	r := &result{Method: p.method, Space: c.Space, N: c.N}
	if err := p.converse(request, s, r); err != nil {
		return nil, fmt.Errorf("%s on %s, n=%d: %w", p.method, c.Space, c.N, err)
	}
	return r, nil
}

func (p *peer) converse(request peerRequest, s *space, r *result) error {
	c, _, err := p.start(request)
	if err != nil {
		return err
	}
	for i := range request.Suggestions {
		var suggestion peerSuggestion
		if err := c.receive(&suggestion); err != nil {
			return err
		}
		if err := s.check(suggestion.X); err != nil {
			c.close()
			return err
		}
		if i == 0 {
			r.First = suggestion.Seconds
		} else {
			r.Seconds = append(r.Seconds, suggestion.Seconds)
			r.CPU += suggestion.CPU / float64(request.Suggestions-1)
		}
		r.PeakRSS = suggestion.PeakRSS
		if err := c.send(peerValue{s.objective(suggestion.X)}); err != nil {
			return err
		}
	}
	return c.close()
}

// forPeer describes a parameter in the protocol.
func (p *param) forPeer() peerParam {
	q := peerParam{Name: p.name}
	switch d := p.distribution.(type) {
	case goptuna.UniformDistribution:
		q.Kind, q.Low, q.High = "float", d.Low, d.High
	case goptuna.LogUniformDistribution:
		q.Kind, q.Low, q.High, q.Log = "float", d.Low, d.High, true
	case goptuna.IntUniformDistribution:
		q.Kind, q.Low, q.High = "int", float64(d.Low), float64(d.High)
	case goptuna.CategoricalDistribution:
		q.Kind, q.Choices = "categorical", d.Choices
	}
	return q
}
