package objectives

import (
	"math"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// The numbers of Supp. Sec. 3.2 and of Sec. 5.3.
func TestNASSpace(t *testing.T) {
	space := nasSpace()
	continuous, discrete := space.Dims()
	if continuous != 6 || discrete != 12 {
		t.Errorf("%d continuous and %d discrete parameters, want 6 and 12", continuous, discrete)
	}
	choices := 1
	for _, q := range space {
		if q.Kind == problems.Nominal {
			choices *= q.Levels
		}
	}
	if choices != 8_153_726_976 {
		t.Errorf("%d architectures, want 8,153,726,976", choices)
	}
	for name, want := range map[string][2]float64{
		"log_learning_rate": {math.Log(0.001), math.Log(0.1)},
		"momentum":          {0.8, 1},
		"log_weight_decay":  {math.Log(1e-6), math.Log(1e-2)},
		"reduction_factor":  {0.1, 0.9},
		"reduction_point1":  {0, 1},
		"reduction_point2":  {0, 1},
	} {
		i := slices.IndexFunc(space, func(q problems.Param) bool { return q.Name == name })
		if i < 0 || space[i].Low != want[0] || space[i].High != want[1] {
			t.Errorf("%s has another range than %v", name, want)
		}
	}
}
