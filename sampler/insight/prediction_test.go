package insight_test

import (
	"math"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// The ends of an interval look different, however narrow it is beside its values.
func TestPredictionString(t *testing.T) {
	for _, test := range []struct {
		p    insight.Prediction
		want string
	}{
		{insight.Prediction{Value: 5.2, Low: 5.1, High: 5.3}, "5.2 (90 %: 5.1 to 5.3)"},
		{insight.Prediction{Value: 0.0011, Low: -0.01, High: 0.0123456}, "0.0011 (90 %: -0.01 to 0.01235)"},
		{insight.Prediction{Value: 1e6 + 0.5, Low: 1e6, High: 1e6 + 1}, "1000000.5 (90 %: 1000000 to 1000001)"},
		{insight.Prediction{Value: -1e6 - 5, Low: -1e6 - 10, High: -1e6}, "-1000005 (90 %: -1000010 to -1000000)"},
		{insight.Prediction{Value: 7, Low: 7, High: 7}, "7"},
		{insight.Prediction{}, "0"},
		{insight.Prediction{Value: 1, Low: 1, High: 1 + 1e-15}, "1 (90 %: 1 to 1)"},
		{insight.Prediction{Low: -math.MaxFloat64, High: math.MaxFloat64}, "0 (90 %: -1.798e308 to 1.798e308)"},
		{insight.Prediction{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}, "NaN (90 %: NaN to NaN)"},
	} {
		if got := test.p.String(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}
