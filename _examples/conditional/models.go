package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/vptree"
	"gonum.org/v1/gonum/stat"
)

// A fitter fits a model to data.
type fitter func(dataset) (predictor, error)

// A predictor returns what is expected for a row.
type predictor func(x []float64) float64

// errSingular says that a system of equations has no reliable solution.
var errSingular = errors.New("the equations are singular to working precision: more penalty is needed")

// neighbours predicts the mean of the nearest rows.
type neighbours struct {
	k     int
	power float64 // rows count by their distance to the power of minus this
}

// A row is a point with its target in a vantage point tree.
type row struct {
	vptree.Point
	y float64
}

// Distance implements vptree.Comparable.
func (r row) Distance(other vptree.Comparable) float64 { return r.Point.Distance(other.(row).Point) }

func (n neighbours) fit(d dataset) (predictor, error) {
	rows := make([]vptree.Comparable, len(d.x))
	for i, x := range d.x {
		rows[i] = row{x, d.y[i]}
	}
	tree, err := vptree.New(rows, 2, rand.NewPCG(1, 1))
	if err != nil {
		return nil, err
	}
	return func(x []float64) float64 {
		nearest := vptree.NewNKeeper(n.k)
		tree.NearestSet(nearest, row{Point: x})
		var sum, weights float64
		for _, found := range nearest.Heap {
			weight := math.Pow(found.Dist+1e-3, -n.power)
			sum += weight * found.Comparable.(row).y
			weights += weight
		}
		return sum / weights
	}, nil
}

// polynomial is ridge regression on all products of up to degree inputs.
type polynomial struct {
	degree  int
	penalty float64
}

func (p polynomial) fit(d dataset) (predictor, error) {
	return ridge(d, p.penalty, func(x []float64) []float64 {
		products := []float64{}
		var extend func(product float64, from, degree int)
		extend = func(product float64, from, degree int) {
			for j := from; j < len(x) && degree > 0; j++ {
				products = append(products, product*x[j])
				extend(product*x[j], j, degree-1)
			}
		}
		extend(1, 0, p.degree)
		return products
	})
}

// features is ridge regression on random features, as in a network whose hidden layer stays as it was drawn.
type features struct {
	count      int
	activation string
	spread     float64 // standard deviation of the hidden weights
	penalty    float64
}

func (f features) fit(d dataset) (predictor, error) {
	rng := rand.New(rand.NewPCG(3, 4))
	weights := make([][]float64, f.count)
	offsets := make([]float64, f.count)
	for k := range weights {
		weights[k] = make([]float64, len(d.x[0]))
		for j := range weights[k] {
			weights[k][j] = f.spread * rng.NormFloat64()
		}
		offsets[k] = 2 * math.Pi * rng.Float64()
		if f.activation != "cosine" {
			offsets[k] = f.spread * rng.NormFloat64()
		}
	}
	activate := map[string]func(float64) float64{
		"relu":   func(z float64) float64 { return math.Max(z, 0) },
		"tanh":   math.Tanh,
		"cosine": math.Cos,
	}[f.activation]
	return ridge(d, f.penalty, func(x []float64) []float64 {
		hidden := make([]float64, f.count)
		for k := range hidden {
			hidden[k] = activate(floats.Dot(weights[k], x) + offsets[k])
		}
		return hidden
	})
}

// ridge returns the linear model of the features that has the least squared error plus penalty times squared
// coefficients; the constant has no penalty.
func ridge(d dataset, penalty float64, expand func([]float64) []float64) (predictor, error) {
	n, p := len(d.x), len(expand(d.x[0]))
	constant := stat.Mean(d.y, nil)
	z, y := mat.NewDense(n, p, nil), mat.NewVecDense(n, nil)
	for i, x := range d.x {
		z.SetRow(i, expand(x))
		y.SetVec(i, d.y[i]-constant)
	}
	means := make([]float64, p)
	for j := range means {
		column := mat.Col(nil, j, z)
		means[j] = stat.Mean(column, nil)
		floats.AddConst(-means[j], column)
		z.SetCol(j, column)
	}
	var normal mat.SymDense // ZᵀZ + penalty·I
	normal.SymOuterK(1, z.T())
	for j := range p {
		normal.SetSym(j, j, normal.At(j, j)+penalty)
	}
	var right, solution mat.VecDense
	right.MulVec(z.T(), y)
	if err := solve(&solution, &normal, &right); err != nil {
		return nil, err
	}
	coefficients := solution.RawVector().Data
	constant -= floats.Dot(coefficients, means)
	return func(x []float64) float64 { return constant + floats.Dot(coefficients, expand(x)) }, nil
}

// kernel is kernel ridge regression: the mean of a Gaussian process.
type kernel struct {
	name    string
	length  float64 // distance over which the function changes
	penalty float64 // variance of the noise over that of the function
}

func (k kernel) fit(d dataset) (predictor, error) {
	n := len(d.x)
	mean := stat.Mean(d.y, nil)
	gram, y := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i, x := range d.x {
		for j := range i {
			gram.SetSym(i, j, k.value(x, d.x[j]))
		}
		gram.SetSym(i, i, 1+k.penalty)
		y.SetVec(i, d.y[i]-mean)
	}
	var solution mat.VecDense
	if err := solve(&solution, gram, y); err != nil {
		return nil, err
	}
	weights := solution.RawVector().Data
	return func(x []float64) float64 {
		sum := mean
		for i, xi := range d.x {
			sum += weights[i] * k.value(x, xi)
		}
		return sum
	}, nil
}

// value returns the similarity of two points.
func (k kernel) value(a, b []float64) float64 {
	r := floats.Distance(a, b, 2) / k.length
	switch k.name {
	case "exponential":
		return math.Exp(-r)
	case "matern32":
		r *= math.Sqrt(3)
		return (1 + r) * math.Exp(-r)
	case "matern52":
		r *= math.Sqrt(5)
		return (1 + r + r*r/3) * math.Exp(-r)
	case "gaussian":
		return math.Exp(-r * r / 2)
	}
	panic(fmt.Sprintf("conditional: unknown kernel %q", k.name))
}

// solve solves a·x = b for a positive definite a.
func solve(x *mat.VecDense, a *mat.SymDense, b *mat.VecDense) error {
	var chol mat.Cholesky
	if !chol.Factorize(a) || chol.Cond() > 1e14 {
		return errSingular
	}
	return chol.SolveVecTo(x, b)
}
