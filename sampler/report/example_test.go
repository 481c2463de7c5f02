package report_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/report"
)

// The report of a study in memory, as a page and as text. For a study in a database, goptuna.LoadStudy comes first.
func Example() {
	study, err := goptuna.CreateStudy("valley",
		goptuna.StudyOptionSampler(fm.NewSampler()),
		goptuna.StudyOptionLogger(nil),
	)
	if err != nil {
		log.Fatal(err)
	}
	objective := func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", -1, 1)
		return math.Pow(x-0.3, 2), err
	}
	if err := fm.Optimize(context.Background(), study, objective, 20); err != nil {
		log.Fatal(err)
	}

	name := filepath.Join(os.TempDir(), "valley.html")
	if err := report.WriteFile(name, study); err != nil {
		log.Fatal(err)
	}
	defer os.Remove(name)

	r, err := report.New(study)
	if err != nil {
		log.Fatal(err)
	}
	var text strings.Builder
	if err := r.WriteText(&text, 80); err != nil {
		log.Fatal(err)
	}
	title, _, _ := strings.Cut(text.String(), "\n")
	fmt.Println(title)
	// Output: valley
}
