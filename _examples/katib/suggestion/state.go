package suggestion

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

// stateSetting is the algorithm setting that the service answers with. Katib's
// controller keeps it in the status of the Suggestion, and sends it with the next
// request.
const stateSetting = "fm.state"

// state is what a request says besides its trials. It saves a fit from the
// beginning, and remembers trials that the controller leaves out: those whose
// metrics are unavailable, and those stopped early until they have a value.
// Without it, or with that of an earlier reply, everything works.
type state struct {
	Fit *plan.Fit `json:"fit,omitempty"`
	// Open holds the values of the suggestions that have not ended, as far as the
	// service was told, by number.
	Open map[int][]string `json:"open,omitempty"`
}

// parseState reads what String wrote; what cannot be read is empty.
func parseState(text string) state {
	var s state
	if json.Unmarshal([]byte(text), &s) != nil {
		return state{}
	}
	return s
}

func (s state) String() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic("suggestion: " + err.Error()) // finite numbers and texts
	}
	return string(text)
}

// unseen returns the suggestions that were received, and are not among the trials
// of the request. When the experiment gets fewer parallel trials, the controller
// deletes the latest ones and counts them no more: their numbers are free. One
// that is older than a trial that is there has no metrics, unless it was stopped
// early.
func (x *experiment) unseen(h history) []trial {
	s := parseState(x.state)
	there := map[int]bool{}
	latest := -1
	for _, t := range h.trials {
		there[t.number] = true
		latest = max(latest, t.number)
	}
	var unseen []trial
	for _, number := range slices.Sorted(maps.Keys(s.Open)) {
		texts := s.Open[number]
		if there[number] || number < 0 || number >= h.next || len(texts) != len(x.params) {
			continue
		}
		values := make(map[string]string, len(texts))
		for i, p := range x.params {
			values[p.name] = texts[i]
		}
		if parsed, ok := x.parse(values); ok {
			t := trial{unseen: true, number: number, numbers: parsed, name: trialName(x.name, number, texts), state: goptuna.TrialStateRunning}
			if number < latest && !x.stopsEarly {
				t.state = goptuna.TrialStateFail
			}
			unseen = append(unseen, t)
		}
	}
	return unseen
}
