package harness

import (
	"fmt"
	"io"
	"slices"
)

// Compare prints a table per problem and one of their mean: the best values so far after
// numbers of trials, by method, and by how much those of the other methods exceed those of the first.
func Compare(out io.Writer, methods []*Method, problems []string, runs []*Run, marks []int) {
	const mean = "mean"
	var curves []*Run
	for _, r := range runs {
		curves = append(curves, r.BestSoFar())
	}
	curves = append(curves, MeanRuns(mean, problems, curves)...)
	head := []Column{Title("method"), Count("runs")}
	for _, name := range append(slices.Clone(problems), mean) {
		samples := Samples(methods, name, curves)
		fmt.Fprintf(out, "\n%s\n\n", name)
		Print(out, Rows(samples, slices.Concat(head, BestAt(marks, 0, 4))...))
		if len(samples) > 1 {
			first := samples[0]
			fmt.Fprintf(out, "\nless that of %s, paired by seed\n\n", first.Name)
			Print(out, Rows(samples[1:], slices.Concat(head, LessThatOf(first, marks, 4))...))
		}
	}
}
