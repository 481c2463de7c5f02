package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// What is predicted jointly has the means and variances of each point; an
// observation at one point takes from the variance at another what their
// covariance says; and the average is that of a linear functional.
func TestJoint(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 30))
		d, p, n := sizes(rng, seed)
		pr := draw(t, rng, d, p, max(n, 1))
		model := pr.condition(t)
		post := model.Predictor()
		const m = 5
		xs := pr.points(rng, m)
		means, cov := post.Joint(xs)
		sum, average := 0.0, 0.0
		for i, x := range xs {
			mean, variance := post.Predict(x)
			if math.Abs(means[i]-mean) > posteriorTol*(1+math.Abs(mean)) || math.Abs(cov[i*m+i]-variance) > posteriorTol*pr.hyper.Scale {
				t.Errorf("seed %d: %v, %v jointly, %v, %v alone", seed, means[i], cov[i*m+i], mean, variance)
			}
			average += mean / m
			for j := range i {
				sum += 2 * cov[i*m+j]
			}
			sum += cov[i*m+i]
		}
		mean, variance := post.PredictAverage(xs)
		if math.Abs(mean-average) > posteriorTol*(1+math.Abs(average)) || math.Abs(variance-sum/m/m) > posteriorTol*pr.hyper.Scale {
			t.Errorf("seed %d: the average is %v, %v, want %v, %v", seed, mean, variance, average, sum/m/m)
		}
		more, err := model.Extended(xs[:1])
		if err != nil {
			t.Fatal(err)
		}
		after, err := more.Condition(append(append([]float64{}, pr.y...), 0))
		if err != nil {
			t.Fatal(err)
		}
		for j := 1; j < m; j++ {
			_, got := after.Predictor().Predict(xs[j])
			c := cov[j*m]
			if want := cov[j*m+j] - c*c/(cov[0]+pr.hyper.Noise); math.Abs(got-want) > posteriorTol*pr.hyper.Scale {
				t.Errorf("seed %d: variance %v after an observation, want %v", seed, got, want)
			}
		}
	}
}

// Draws have the means and covariances of the joint prediction, within four
// standard errors.
func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 31))
	pr := draw(t, rng, 2, 2, 12)
	post := pr.condition(t).Predictor()
	xs := pr.points(rng, 3)
	means, cov := post.Joint(xs)
	const count = 4000
	all, ok := post.Draw(xs, count, rng)
	if !ok {
		t.Fatal("no draws")
	}
	columns := make([][]float64, len(xs))
	for _, one := range all {
		for i, v := range one {
			columns[i] = append(columns[i], v)
		}
	}
	for i := range xs {
		sd := math.Sqrt(cov[i*3+i])
		if got := stat.Mean(columns[i], nil); math.Abs(got-means[i]) > 4*sd/math.Sqrt(count) {
			t.Errorf("mean %v, want %v", got, means[i])
		}
		for j := range i + 1 {
			scale := sd * math.Sqrt(cov[j*3+j])
			if got := stat.Covariance(columns[i], columns[j], nil); math.Abs(got-cov[i*3+j]) > 4*math.Sqrt(2)*scale/math.Sqrt(count) {
				t.Errorf("covariance %v, want %v", got, cov[i*3+j])
			}
		}
	}
	if again, ok := post.Draw([]fmkernel.Point{xs[0], xs[0]}, 1, rng); !ok || math.Abs(again[0][0]-again[0][1]) > 1e-6*math.Sqrt(cov[0]) {
		t.Errorf("one point twice: %v, %t", again, ok)
	}
}

// At the observations of a function without noise, and next to them, draws are the
// observed values.
func TestDrawNextToObservations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 32))
	pr := draw(t, rng, 2, 0, 40)
	pr.hyper.Noise = 1e-8
	pr.hyper.Scale = 100
	for i, x := range pr.xs {
		pr.y[i] = x.C[0] + x.C[1]*x.C[1]
	}
	post := pr.condition(t).Predictor()
	var near []fmkernel.Point
	for _, x := range pr.xs {
		y := x.Clone()
		y.C[0] += 1e-6
		near = append(near, x, y)
	}
	draws, ok := post.Draw(near, 20, rng)
	if !ok {
		t.Fatal("no draws")
	}
	for _, draw := range draws {
		for i, got := range draw {
			if want := pr.y[i/2]; math.Abs(got-want) > 2e-3 {
				t.Fatalf("drawn %v next to an observation of %v", got, want)
			}
		}
	}
}
