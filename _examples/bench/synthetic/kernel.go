package main

import (
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

type kernelBuilder = func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)

// kernels are those of the paper's comparison, by the name of the flag.
var kernels = map[string]kernelBuilder{
	"modlap": fmkernel.NewModLap, "moddif": fmkernel.NewModDif,
	"prodlap": fmkernel.NewProdLap, "proddif": fmkernel.NewProdDif,
	"addlap": fmkernel.NewAddLap, "adddif": fmkernel.NewAddDif,
}
