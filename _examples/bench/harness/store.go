package harness

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
)

// Store has the runs of CSV files, a line each, and may keep those that are made in the first of
// them. It is safe for concurrent use; the nil Store has none and keeps none.
type Store struct {
	records *Records // nil keeps none

	mu   sync.Mutex
	runs []*Run
}

// OpenStore reads the runs of a file, which is created if there is none, and then those of
// further files, which are not written to. Without a path, runs that are made are not kept.
func OpenStore(path string, further ...string) (*Store, error) {
	records, err := OpenRecords(path, "problem", "method", "version", "seed", "seconds", "values")
	if err != nil {
		return nil, err
	}
	s := &Store{records: records}
	if err := s.read(records); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for _, path := range further {
		records, err := ReadRecords(path)
		if err == nil {
			err = s.read(records)
		}
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// read adds the runs of records.
func (s *Store) read(records *Records) error {
	return records.Scan([]string{"problem", "method", "seed", "seconds", "values"}, func(record map[string]string) error {
		r := &Run{Problem: record["problem"], Method: record["method"], Version: record["version"]}
		var err error
		if r.Seed, err = strconv.ParseInt(record["seed"], 10, 64); err != nil {
			return err
		}
		if r.Seconds, err = strconv.ParseFloat(record["seconds"], 64); err != nil {
			return err
		}
		for text := range strings.FieldsSeq(record["values"]) {
			y, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return err
			}
			r.Values = append(r.Values, y)
		}
		s.runs = append(s.runs, r)
		return nil
	})
}

// Find returns the first trials of a run that the store has with as many trials
// or more, or nil.
func (s *Store) Find(problem, method string, seed int64, trials int) *Run {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, known := range s.runs {
		if known.Problem == problem && known.Method == method && known.Seed == seed && len(known.Values) >= trials {
			r := *known
			r.Values = r.Values[:trials]
			r.Seconds *= float64(trials) / math.Max(1, float64(len(known.Values)))
			return &r
		}
	}
	return nil
}

// FindAll returns what Find does for the seeds and the trials of a budget.
func (s *Store) FindAll(problem, method string, b *Budget) (runs []*Run) {
	for _, seed := range b.SeedNumbers() {
		if r := s.Find(problem, method, seed, b.Trials); r != nil {
			runs = append(runs, r)
		}
	}
	return runs
}

// Add appends a run to the file.
func (s *Store) Add(r *Run) error {
	if s == nil || s.records == nil {
		return nil
	}
	values := make([]string, len(r.Values))
	for i, y := range r.Values {
		values[i] = Text(y)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, r)
	return s.records.Add(map[string]string{
		"problem": r.Problem, "method": r.Method, "version": r.Version, "seed": strconv.FormatInt(r.Seed, 10),
		"seconds": strconv.FormatFloat(r.Seconds, 'g', 3, 64), "values": strings.Join(values, " "),
	})
}

// Close closes the file.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	return s.records.Close()
}
