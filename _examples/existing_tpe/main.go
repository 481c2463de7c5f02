// Existing_tpe is a program that was written for Goptuna's TPE sampler. What it takes to run it with the FM sampler is
// marked with "was": the import, and the line that makes the sampler. It still runs the study by Goptuna's Optimize, where an
// error ends the study; fm.Optimize goes on (docs/outcomes.md).
//
// It plans the pipe that carries 500 kW of heat over one kilometre, at the lowest cost per year.
package main

import (
	"fmt"
	"log"
	"math"
	"strconv"

	"github.com/c-bata/goptuna"

	// was: "github.com/c-bata/goptuna/tpe"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

func main() {
	study, err := goptuna.CreateStudy("heating-pipe",
		// was: goptuna.StudyOptionSampler(tpe.NewSampler(tpe.SamplerOptionSeed(1), tpe.SamplerOptionNumberOfStartupTrials(10))),
		goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(1), fm.SamplerOptionNumberOfStartupTrials(10))),
		goptuna.StudyOptionDirection(goptuna.StudyDirectionMinimize),
		goptuna.StudyOptionLogger(nil), // no line per trial
	)
	if err != nil {
		log.Fatalf("cannot create the study: %v", err)
	}
	if err := study.Optimize(objective, 50); err != nil {
		log.Fatalf("cannot optimise: %v", err)
	}

	cost, err := study.GetBestValue()
	if err != nil {
		log.Fatalf("cannot read the best value: %v", err)
	}
	params, err := study.GetBestParams()
	if err != nil {
		log.Fatalf("cannot read the best parameters: %v", err)
	}
	fmt.Printf("Lowest cost: %.0f euros a year\n", cost)
	fmt.Printf("  material       %v\n", params["material"])
	fmt.Printf("  diameter_mm    %v\n", params["diameter_mm"])
	fmt.Printf("  insulation_mm  %.1f\n", params["insulation_mm"])
	fmt.Printf("  spread_k       %v\n", params["spread_k"])
}

// objective asks for a pipe and returns what it costs, in euros a year.
func objective(trial goptuna.Trial) (float64, error) {
	material, err := trial.SuggestCategorical("material", []string{"copper", "plastic", "steel"})
	if err != nil {
		return 0, err
	}
	// Pipes come in standard sizes.
	size, err := trial.SuggestCategorical("diameter_mm", []string{"40", "50", "65", "80", "100", "125", "150", "200"})
	if err != nil {
		return 0, err
	}
	diameter, err := strconv.ParseFloat(size, 64)
	if err != nil {
		return 0, err
	}
	insulation, err := trial.SuggestFloat("insulation_mm", 5, 200)
	if err != nil {
		return 0, err
	}
	// How many kelvins the water cools down at the far end. More means less water, but a hotter pipe.
	spread, err := trial.SuggestInt("spread_k", 10, 80)
	if err != nil {
		return 0, err
	}
	return yearlyCost(material, diameter/1000, insulation/1000, float64(spread)), nil
}

// yearlyCost adds up what there is to pay for a pipe: building it, pushing the water through it, and heat.
// Lengths are in metres, the spread is in kelvins. The prices are made up.
func yearlyCost(material string, diameter, insulation, spread float64) float64 {
	const (
		length    = 2 * 1000. // m, there and back
		heat      = 500e3     // W
		hours     = 4000.     // of full load a year
		annuity   = 0.06      // share of the price to pay each year
		powerCost = 0.25      // euros per kWh of electricity
		heatCost  = 0.08      // euros per kWh of heat
		density   = 975.      // kg/m³, of water
		viscosity = 3.8e-7    // m²/s
		capacity  = 4190.     // J/(kg K)
		foam      = 0.030     // W/(m K)
	)
	var roughness, price float64 // m; euros per metre of pipe with a diameter of 0.1 m
	switch material {
	case "copper":
		roughness, price = 1.5e-6, 210
	case "plastic":
		roughness, price = 7e-6, 95
		// Plastic needs a thicker wall, and so costs more, the hotter the water.
		price *= 1 + math.Pow(spread/50, 4)
	case "steel":
		roughness, price = 1e-4, 110
	}

	outer := diameter/2 + insulation
	foamVolume := math.Pi * (outer*outer - diameter*diameter/4) * length
	building := length*(60+price*math.Pow(diameter/0.1, 1.3)) + 900*foamVolume

	flow := heat / (capacity * spread * density) // m³/s
	velocity := flow / (math.Pi * diameter * diameter / 4)
	reynolds := velocity * diameter / viscosity
	// Haaland's formula for the friction of a turbulent flow, then Darcy and Weisbach's for the loss of pressure.
	root := -1.8 * math.Log10(math.Pow(roughness/diameter/3.7, 1.11)+6.9/reynolds)
	pressure := length / diameter * density * velocity * velocity / 2 / (root * root) // Pa
	pumping := pressure * flow / 0.6 / 1000 * hours                                   // kWh; 60 % reaches the water

	warmer := 30 + spread/2 // K above the ground, on average there and back; the heat is used at 40 °C
	lost := 2 * math.Pi * foam * length * warmer / math.Log(outer/(diameter/2)) / 1000 * hours

	// Hotter water is dearer to make: each kelvin takes 0.1 % off the boiler's efficiency.
	boiling := 0.001 * spread * heat / 1000 * hours

	return annuity*building + powerCost*pumping + heatCost*(lost+boiling)
}
