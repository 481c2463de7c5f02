// Package regression measures how well a kernel predicts data, as Oh, Gavves,
// Welling (2021), Supp. "Ablation Study" do: 20 splits into four fifths to fit a
// Gaussian process to and one fifth to predict.
package regression

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Data is a data set: numeric inputs, nominal inputs and a target per row.
type Data struct {
	Name   string
	X      []fmkernel.Point // C in the file's units, V coded in sorted order of the names
	Y      []float64
	Levels []int // of each nominal input

	trainRows    int
	permutations map[string][]int // by split
}

// Read reads NAME.csv and NAME.splits.json. Columns are called num_..., cat_...
// and target_...; the levels of a nominal input are those of the whole file.
func Read(dir, name string) (*Data, error) {
	path := filepath.Join(dir, name+".csv")
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(records) < 2 {
		return nil, fmt.Errorf("%s has no rows", path)
	}
	header, records := records[0], records[1:]
	d := &Data{Name: name, X: make([]fmkernel.Point, len(records)), Y: make([]float64, len(records))}
	for column, title := range header {
		texts := make([]string, len(records))
		for i, record := range records {
			texts[i] = record[column]
		}
		if strings.HasPrefix(title, "cat_") {
			names := slices.Compact(slices.Sorted(slices.Values(texts)))
			d.Levels = append(d.Levels, len(names))
			for i, text := range texts {
				d.X[i].V = append(d.X[i].V, slices.Index(names, text))
			}
			continue
		}
		for i, text := range texts {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: row %d, %s: %w", path, i+1, title, err)
			}
			switch {
			case strings.HasPrefix(title, "num_"):
				d.X[i].C = append(d.X[i].C, x)
			case strings.HasPrefix(title, "target_"):
				d.Y[i] = x
			default:
				return nil, fmt.Errorf("%s: column %q is neither num_, cat_ nor target_", path, title)
			}
		}
	}
	return d, d.readSplits(filepath.Join(dir, name+".splits.json"))
}

func (d *Data) readSplits(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var file struct {
		NTrain       int              `json:"n_train"`
		Permutations map[string][]int `json:"permutations"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for name, permutation := range file.Permutations {
		sorted := slices.Sorted(slices.Values(permutation))
		for i, row := range sorted {
			if i != row || len(sorted) != len(d.Y) {
				return fmt.Errorf("%s: split %s is no permutation of the %d rows", path, name, len(d.Y))
			}
		}
	}
	if file.NTrain < 1 || file.NTrain >= len(d.Y) {
		return fmt.Errorf("%s: n_train is %d of %d rows", path, file.NTrain, len(d.Y))
	}
	d.trainRows, d.permutations = file.NTrain, file.Permutations
	return nil
}

// Split is a data set in two parts, standardised by the means and standard
// deviations of the first.
type Split struct {
	Graphs       []*graphs.Graph // complete, one per nominal input
	TrainX       []fmkernel.Point
	TrainY       []float64
	TestX        []fmkernel.Point
	TestY        []float64
	Mean, StdDev float64 // of the target, to undo the standardisation
}

// Split returns a split by its number.
func (d *Data) Split(number int) (*Split, error) {
	rows, ok := d.permutations[strconv.Itoa(number)]
	if !ok {
		return nil, fmt.Errorf("%s has no split %d, only %d of them", d.Name, number, len(d.permutations))
	}
	dims := len(d.X[0].C)
	means, sds := make([]float64, dims+1), make([]float64, dims+1) // the last is the target's
	column := make([]float64, d.trainRows)
	for k := range dims + 1 {
		for i, row := range rows[:d.trainRows] {
			if k < dims {
				column[i] = d.X[row].C[k]
			} else {
				column[i] = d.Y[row]
			}
		}
		means[k], sds[k] = stat.PopMeanStdDev(column, nil)
		if sds[k] == 0 {
			sds[k] = 1
		}
	}
	s := &Split{Mean: means[dims], StdDev: sds[dims]}
	for _, n := range d.Levels {
		s.Graphs = append(s.Graphs, graphs.Complete(n))
	}
	for i, row := range rows {
		x := d.X[row].Clone()
		for k := range x.C {
			x.C[k] = (x.C[k] - means[k]) / sds[k]
		}
		y := (d.Y[row] - means[dims]) / sds[dims]
		if i < d.trainRows {
			s.TrainX, s.TrainY = append(s.TrainX, x), append(s.TrainY, y)
		} else {
			s.TestX, s.TestY = append(s.TestX, x), append(s.TestY, y)
		}
	}
	return s, nil
}
