package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/c-bata/goptuna"
)

// script speaks the protocol that its comment describes.
//
//go:embed peers.py
var script string

// optuna is a sampler of Optuna, in a process of its own, as one of Goptuna's.
// It is for studies with one worker.
type optuna struct {
	process *exec.Cmd
	in      io.WriteCloser
	encoder *json.Encoder
	decoder *json.Decoder

	asked bool // a trial has begun
	trial int  // its ID
}

// startOptuna starts a sampler. If Python or a module is missing, missing says
// which.
func startOptuna(python, sampler string, seed int64) (o *optuna, missing string, err error) {
	o = &optuna{process: exec.Command(python, "-c", script)}
	// A few threads for matrices of this size only get in each other's way.
	o.process.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	o.process.Stderr = os.Stderr
	if o.in, err = o.process.StdinPipe(); err != nil {
		return nil, "", err
	}
	answers, err := o.process.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	o.encoder, o.decoder = json.NewEncoder(o.in), json.NewDecoder(answers)
	if err := o.process.Start(); err != nil {
		return nil, err.Error(), nil
	}
	var hello struct{ Missing []string }
	err = o.converse(map[string]any{"sampler": sampler, "seed": seed}, &hello)
	if err != nil || len(hello.Missing) > 0 {
		o.Close()
	}
	if err != nil {
		return nil, "", err
	}
	if len(hello.Missing) > 0 {
		modules := strings.Join(hello.Missing, " ")
		return nil, fmt.Sprintf("there is no %s; to have it: %s -m pip install %s", modules, python, modules), nil
	}
	return o, "", nil
}

// Close ends the process.
func (o *optuna) Close() error {
	o.in.Close()
	return o.process.Wait()
}

// converse sends a message and reads the answer to it.
func (o *optuna) converse(message, answer any) error {
	if err := o.encoder.Encode(message); err != nil {
		return fmt.Errorf("the process of Optuna has ended: %w", err)
	}
	if err := o.decoder.Decode(answer); err != nil {
		return fmt.Errorf("no answer from the process of Optuna: %w", err)
	}
	return nil
}

// Sample implements goptuna.Sampler. With the first parameter of a trial, Optuna
// is told the value of the one before it.
func (o *optuna) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	question := map[string]any{"name": name}
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		question["kind"], question["low"], question["high"] = "float", d.Low, d.High
	case goptuna.LogUniformDistribution:
		question["kind"], question["low"], question["high"], question["log"] = "float", d.Low, d.High, true
	case goptuna.IntUniformDistribution:
		question["kind"], question["low"], question["high"] = "int", d.Low, d.High
	case goptuna.CategoricalDistribution:
		question["kind"], question["choices"] = "categorical", d.Choices
	default:
		return 0, goptuna.ErrUnknownDistribution
	}
	if o.asked && trial.ID != o.trial {
		last, err := study.Storage.GetTrial(o.trial)
		if err != nil {
			return 0, err
		}
		question["tell"] = last.Value
	}
	o.asked, o.trial = true, trial.ID
	var answer struct{ Value float64 }
	err := o.converse(question, &answer)
	return answer.Value, err
}
