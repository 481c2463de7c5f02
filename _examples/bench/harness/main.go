package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// Main is the main function of a program: run does what the arguments say,
// prints reports to out and progress to log. After the first signal its context
// ends, and the next signal ends the program.
func Main(run func(ctx context.Context, args []string, out, log io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(1)
	}
}

// Budget is how much is run.
type Budget struct {
	FirstSeed int64
	Seeds     int
	Trials    int
	Jobs      int // runs at once
}

// Flags adds the flags of the budget, with its values as defaults.
func (b *Budget) Flags(flags *flag.FlagSet) {
	flags.Int64Var(&b.FirstSeed, "first-seed", b.FirstSeed, "`seed` of the first run; the others follow")
	flags.IntVar(&b.Seeds, "seeds", b.Seeds, "`number` of runs of each method on each problem")
	flags.IntVar(&b.Trials, "trials", b.Trials, "`number` of trials of a run")
	flags.IntVar(&b.Jobs, "jobs", b.Jobs, "`number` of runs at once; 1 when the seconds matter")
}

// Parse reads the arguments, all of which must be flags, and checks the budget.
func (b *Budget) Parse(flags *flag.FlagSet, args []string) error {
	if err := Parse(flags, args); err != nil {
		return err
	}
	if b.Seeds < 1 || b.Trials < 1 || b.Jobs < 1 || b.FirstSeed < 0 {
		return errors.New("-seeds, -trials and -jobs must be at least 1, -first-seed at least 0")
	}
	return nil
}

// SeedNumbers returns the seeds.
func (b *Budget) SeedNumbers() []int64 {
	seeds := make([]int64, b.Seeds)
	for i := range seeds {
		seeds[i] = b.FirstSeed + int64(i)
	}
	return seeds
}

// String names the seeds and the number of trials.
func (b *Budget) String() string {
	return fmt.Sprintf("Seeds %d to %d, %d trials each", b.FirstSeed, b.FirstSeed+int64(b.Seeds)-1, b.Trials)
}

// ListVar adds a flag for a list that commas separate.
func ListVar(flags *flag.FlagSet, list *[]string, name, usage string) {
	flags.Func(name, usage, func(text string) error {
		*list = nil
		for one := range strings.SplitSeq(text, ",") {
			if one = strings.TrimSpace(one); one != "" {
				*list = append(*list, one)
			}
		}
		return nil
	})
}

// Parse reads the arguments, all of which must be flags.
func Parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return nil
}
