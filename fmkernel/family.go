package fmkernel

import (
	"fmt"
	"math"
	"strings"
)

// Family is the family of Prop. 1, Eq. (6), for a measure of finitely many
// atoms:
//
//	f(λ, t | β) = Σ_i a_i / (1 + βλ + t^{τ_i/2})^{ρ_i}
//
// The print has α‖c-c'‖^τ where this has t^{τ/2} = (√α‖c-c'‖_θ)^τ: the left
// side of Eq. (6) depends on α‖c-c'‖ alone, as Eq. (5) requires, and at α = 1
// the two are the same.
type Family []Atom

// Atom is a point of the measure in Eq. (6).
type Atom struct {
	Weight float64 // a ≥ 0
	Tau    float64 // τ in (0, 2], the power of the distance
	Rho    int     // ρ ≥ 1
}

// Reciprocal is the special case ρ = 1 of Eq. (6): 1 / (1 + βλ + t^{τ/2}). With
// τ = 2 it is f_Lap.
func Reciprocal(tau float64) Family { return Family{{1, tau, 1}} }

// PowerSum is the other special case after Prop. 1:
// Σ_n a_n (1 + βλ + t)^{-n}, with a_n = a[n-1].
func PowerSum(a ...float64) Family {
	f := make(Family, len(a))
	for i, weight := range a {
		f[i] = Atom{weight, 2, i + 1}
	}
	return f
}

func (f Family) validate() error {
	total := 0.0
	for i, a := range f {
		switch {
		case !(a.Weight >= 0) || math.IsInf(a.Weight, 1):
			return fmt.Errorf("atom %d of the family has weight %v; need a finite one, at least 0", i, a.Weight)
		case !(a.Tau > 0 && a.Tau <= 2):
			return fmt.Errorf("atom %d of the family has τ = %v; need 0 < τ ≤ 2", i, a.Tau)
		case a.Rho < 1:
			return fmt.Errorf("atom %d of the family has ρ = %d; need at least 1", i, a.Rho)
		}
		total += a.Weight
	}
	if total == 0 {
		return fmt.Errorf("the family of %d atoms has weight 0; need an atom with a > 0", len(f))
	}
	return nil
}

// Eval implements Modulator.
func (f Family) Eval(dst, lambda []float64, beta, t float64) {
	clear(dst)
	for _, a := range f {
		s := 1 + a.power(t)
		for m, l := range lambda {
			dst[m] += a.Weight * math.Pow(s+beta*l, -float64(a.Rho))
		}
	}
}

// EvalGrad implements Modulator. At t = 0, where f has a cusp in c if τ < 2, the
// derivative is 0, the mean of those in opposite directions.
func (f Family) EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64) {
	clear(dst)
	clear(dBeta)
	clear(dT)
	for _, a := range f {
		power := a.power(t)
		dPower := 1.0
		if a.Tau != 2 {
			dPower = 0
			if t > 0 {
				dPower = a.Tau / 2 * power / t
			}
		}
		for m, l := range lambda {
			s := 1 + power + beta*l
			g := a.Weight * math.Pow(s, -float64(a.Rho))
			slope := -float64(a.Rho) * g / s
			dst[m] += g
			dBeta[m] += slope * l
			dT[m] += slope * dPower
		}
	}
}

// power returns t^{τ/2}.
func (a Atom) power(t float64) float64 {
	if a.Tau == 2 {
		return t
	}
	return math.Pow(t, a.Tau/2)
}

// String names the family and its atoms.
func (f Family) String() string {
	var b strings.Builder
	b.WriteString("Family")
	for _, a := range f {
		fmt.Fprintf(&b, "(%g,%g,%d)", a.Weight, a.Tau, a.Rho)
	}
	return b.String()
}
