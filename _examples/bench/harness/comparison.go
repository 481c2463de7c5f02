package harness

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
)

// Comparison is a plan whose methods, and the files of whose runs, are named by flags.
type Comparison struct {
	Plan
	Names string   // of the methods to be run, separated by commas; before Flags, "" means fm,tpe,random
	With  []string // names of further methods, whose runs are in the files
	Runs  string   // file of runs, which is read and added to; "" keeps none
	Read  []string // files with further runs
	FM    *Method  // this module's sampler with the options of the flags, which Parse sets

	label   string
	variant Variant
}

// Flags adds the flags, with the names and the values of the budget as defaults.
func (c *Comparison) Flags(flags *flag.FlagSet) {
	flags.StringVar(&c.Names, "methods", cmp.Or(c.Names, "fm,tpe,random"), "`names` of the samplers, separated by commas; may be empty")
	ListVar(flags, &c.With, "with", "`names` of further methods, whose runs are in the files")
	flags.StringVar(&c.Runs, "runs", "", "CSV `file` of runs, which is read and added to")
	ListVar(flags, &c.Read, "read", "`files` with further runs, separated by commas")
	flags.StringVar(&c.label, "label", "fm", "`name` of fm in tables and files, where it has options")
	c.variant.Flags(flags)
	flags.StringVar(&c.Python, "python", "python3", "`command` of the Python that has the peers")
	c.Budget.Flags(flags)
}

// Parse reads the arguments, all of which must be flags, and checks them. Runs of variants of fm
// stand in a file side by side, so that one with options needs a name of its own.
func (c *Comparison) Parse(flags *flag.FlagSet, args []string) (err error) {
	if err := c.Budget.Parse(flags, args); err != nil {
		return err
	}
	if c.FM, err = c.variant.Method(c.label); err != nil {
		return err
	}
	if c.label == "fm" && c.variant != (Variant{}) {
		return errors.New("give fm with options a -label of its own")
	}
	c.FM.Group = "fm" // which -methods selects, whatever its label
	return nil
}

// Select sets the methods: those of fm, tpe, random and the others that are named, and those
// whose runs are to be in the files. It opens the store, which is to be closed.
func (c *Comparison) Select(others ...*Method) (err error) {
	if c.Names != "" {
		if c.Methods, err = SelectMethods(c.Names, append([]*Method{c.FM, TPE(), Random()}, others...)); err != nil {
			return err
		}
	} else if len(c.With) == 0 {
		return errors.New("-methods or -with must name a method")
	}
	for _, name := range c.With {
		if slices.ContainsFunc(c.Methods, func(m *Method) bool { return m.Name == name }) {
			return fmt.Errorf("%s is in -methods and in -with", name)
		}
		c.Methods = append(c.Methods, fromFile(name))
	}
	c.Store, err = OpenStore(c.Runs, c.Read...)
	return err
}

// fromFile returns a method of which the store of a plan has all runs.
func fromFile(name string) *Method {
	return &Method{Name: name, Title: name, Open: func(_ context.Context, s Setting) (*Instance, error) {
		return nil, fmt.Errorf("-with: there is no run of %s on %s with seed %d and %d trials", name, s.Problem.Name, s.Seed, s.Trials)
	}}
}
