package harness

import (
	"math"
	"strconv"
	"strings"
	"sync"
)

// Store is a CSV file of runs, a line each. It is safe for concurrent use; the
// nil Store has none and keeps none.
type Store struct {
	records *Records

	mu   sync.Mutex
	runs []*Run
}

// OpenStore reads the runs of a file, which is created if there is none. Without
// a path there is no store.
func OpenStore(path string) (*Store, error) {
	if path == "" {
		return nil, nil
	}
	records, err := OpenRecords(path, "problem", "method", "version", "seed", "seconds", "values")
	if err != nil {
		return nil, err
	}
	s := &Store{records: records}
	if err := s.read(records); err != nil {
		records.Close()
		return nil, err
	}
	return s, nil
}

// Read adds the runs of other files, which are not written to, after those that
// the store has.
func (s *Store) Read(paths ...string) error {
	for _, path := range paths {
		records, err := ReadRecords(path)
		if err != nil {
			return err
		}
		if err := s.read(records); err != nil {
			return err
		}
	}
	return nil
}

// read adds the runs of records.
func (s *Store) read(records *Records) error {
	return records.Scan(func(record map[string]string) error {
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

// Add appends a run to the file.
func (s *Store) Add(r *Run) error {
	if s == nil {
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
