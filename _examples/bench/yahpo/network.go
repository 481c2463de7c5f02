package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// tolerance is by how much a network may be off what its file says of some
// configurations, which were evaluated in single precision.
const tolerance = 1e-4

// network is a surrogate of YAHPO Gym: a residual network with gates, which predicts what
// a learner with given settings reaches on a task.
type network struct {
	Name        string               `json:"name"`
	Weights     string               `json:"weights"` // file of little-endian float32
	Width       int                  `json:"width"`
	Hidden      int                  `json:"hidden"`
	Blocks      int                  `json:"blocks"`
	Tasks       []string             `json:"tasks"`
	Targets     map[string]target    `json:"targets"`
	Params      []param              `json:"params"`
	CatLevels   map[string][]string  `json:"cat_levels"`
	Tensors     map[string]tensor    `json:"tensors"`
	References  map[string]reference `json:"reference_values"`
	BestKnown   map[string]values    `json:"best_known"`
	TestVectors []testVector         `json:"test_vectors"`

	weights []float64
}

type (
	values    map[string]float64 // by target
	reference map[string]struct {
		Median float64 `json:"median_of_4000_random"`
	}
	tensor struct {
		Offset int   `json:"offset"`
		Shape  []int `json:"shape"`
	}
	target struct {
		Direction string    `json:"direction"`
		Output    transform `json:"output_transform"`
	}
	param struct {
		Name      string    `json:"name"`
		Type      string    `json:"type"` // categorical, int or float
		Choices   []string  `json:"choices"`
		Low       float64   `json:"low"`
		High      float64   `json:"high"`
		Log       bool      `json:"log"`
		Transform transform `json:"transform"`
	}
	testVector struct {
		Task   string         `json:"task"`
		Config map[string]any `json:"config"`
		Expect values         `json:"expect"`
	}
)

// transform scales what goes into a network, by A, B, Eps and Scale, or what comes out of
// it, by Mul, Add, Eps and Scale.
type transform struct {
	Type  string  `json:"type"` // range, log or negexp
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	Mul   float64 `json:"mul"`
	Add   float64 `json:"add"`
	Eps   float64 `json:"eps"`
	Scale float64 `json:"scale"`
}

func (t transform) in(x float64) float64 {
	switch t.Type {
	case "log":
		x = math.Log(x + t.Eps)
	case "negexp":
		x = math.Exp(-x/t.Scale) - t.Eps
	}
	return (x - t.A) / t.B
}

func (t transform) out(s float64) float64 {
	y := s*t.Mul + t.Add
	switch t.Type {
	case "log":
		return math.Exp(y) - t.Eps
	case "negexp":
		return -math.Log(y+t.Eps) * t.Scale
	}
	return y
}

// read reads a network from its JSON file, with the weights beside it, and checks it by the
// values that the file has.
func read(path string) (*network, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n := new(network)
	if err := json.Unmarshal(text, n); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(path), n.Weights))
	if err != nil {
		return nil, err
	}
	for ; len(raw) >= 4; raw = raw[4:] {
		n.weights = append(n.weights, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw))))
	}
	if err := n.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, v := range n.TestVectors {
		for target, want := range v.Expect {
			if got := n.eval(v.Task, target, v.Config); !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) {
				return nil, fmt.Errorf("%s: %s of %v on task %s is %v; the file says %v", path, target, v.Config, v.Task, got, want)
			}
		}
	}
	return n, nil
}

// check returns an error where a tensor is missing, or not as large as the layers are, and
// where a choice has no row.
func (n *network) check() error {
	want := map[string]int{"last_scale": n.Width, "last_shift": n.Width}
	for _, task := range n.Tasks {
		want["bias_task_"+task] = n.Width
	}
	numbers := 0
	for _, q := range n.Params {
		if q.Type != "categorical" {
			numbers++
			continue
		}
		want["cat_"+q.Name] = len(n.CatLevels[q.Name]) * n.Width
		for _, choice := range q.Choices {
			if !slices.Contains(n.CatLevels[q.Name], choice) {
				return fmt.Errorf("parameter %s: the network has no level %q", q.Name, choice)
			}
		}
	}
	want["w_cont"] = numbers * n.Width
	for l := range n.Blocks {
		layer := fmt.Sprintf("l%d_", l)
		want[layer+"w0"], want[layer+"b0"] = 2*n.Hidden*n.Width, 2*n.Hidden
		want[layer+"w1"], want[layer+"b1"] = n.Width*n.Hidden, n.Width
	}
	for target := range n.Targets {
		want["head_w_"+target], want["head_b_"+target] = n.Width, 1
	}
	for name, length := range want {
		t, ok := n.Tensors[name]
		if !ok || size(t.Shape) != length || t.Offset < 0 || t.Offset+length > len(n.weights) {
			return fmt.Errorf("tensor %s: want %d of the %d weights, have %+v", name, length, len(n.weights), t)
		}
	}
	return nil
}

func size(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// tensor returns the weights of a tensor, row by row.
func (n *network) tensor(format string, args ...any) []float64 {
	t := n.Tensors[fmt.Sprintf(format, args...)]
	return n.weights[t.Offset : t.Offset+size(t.Shape)]
}

// eval returns the target on the task with a configuration: texts of the categorical
// parameters, and numbers.
func (n *network) eval(task, target string, config map[string]any) float64 {
	h := slices.Clone(n.tensor("bias_task_%s", task))
	continuous := n.tensor("w_cont")
	for _, q := range n.Params {
		var x float64
		switch value := config[q.Name].(type) {
		case string:
			row := slices.Index(n.CatLevels[q.Name], value)
			floats.Add(h, n.tensor("cat_%s", q.Name)[row*n.Width:(row+1)*n.Width])
			continue
		case int:
			x = float64(value)
		case float64:
			x = value
		}
		floats.AddScaled(h, q.Transform.in(x), continuous[:n.Width])
		continuous = continuous[n.Width:]
	}
	for l := range n.Blocks {
		u := affine(n.tensor("l%d_w0", l), n.tensor("l%d_b0", l), h)
		gated := u[:n.Hidden]
		for i, gate := range u[n.Hidden:] {
			gated[i] *= math.Max(gate, 0)
		}
		floats.Add(h, affine(n.tensor("l%d_w1", l), n.tensor("l%d_b1", l), gated))
	}
	floats.Mul(h, n.tensor("last_scale"))
	floats.Add(h, n.tensor("last_shift"))
	for i, v := range h {
		h[i] = math.Max(v, 0)
	}
	score := floats.Dot(n.tensor("head_w_%s", target), h) + n.tensor("head_b_%s", target)[0]
	return n.Targets[target].Output.out(1 / (1 + math.Exp(-score)))
}

// affine returns w x + b.
func affine(w, b, x []float64) []float64 {
	y := slices.Clone(b)
	for i := range y {
		y[i] += floats.Dot(w[i*len(x):(i+1)*len(x)], x)
	}
	return y
}

// space returns the parameters as trials are asked for them.
func (n *network) space() (problems.Space, error) {
	var space problems.Space
	for _, q := range n.Params {
		p := problems.Param{Name: q.Name, Low: q.Low, High: q.High, Log: q.Log}
		switch q.Type {
		case "categorical":
			p.Kind, p.Levels, p.Choices = problems.Nominal, len(q.Choices), q.Choices
		case "int":
			p.Kind, p.Levels = problems.Ordinal, int(q.High-q.Low)+1
		case "float":
			p.Kind = problems.Continuous
		default:
			return nil, fmt.Errorf("%s: parameter %s is of the unknown type %q", n.Name, q.Name, q.Type)
		}
		space = append(space, p)
	}
	return space, nil
}

// problem returns a target on a task as a problem whose values are regrets: the distance
// from the best value known, as a share of that of the median of random settings.
func (n *network) problem(task, target string) (*harness.Problem, error) {
	space, err := n.space()
	if err != nil {
		return nil, err
	}
	best, median := n.BestKnown[task][target], n.References[task][target].Median
	p := harness.Flat(fmt.Sprintf("%s-%s-%s", n.Name, task, target), space, func(c []float64, v []int) (float64, error) {
		return (n.eval(task, target, space.Values(c, v)) - best) / (median - best), nil
	})
	p.Optimum = 0
	return p, nil
}
