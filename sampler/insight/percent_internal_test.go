package insight

import "testing"

func TestPercent(t *testing.T) {
	for _, test := range []struct {
		share float64
		want  string
	}{
		{0, "less than 0.001 %"}, {1e-5, "0.001 %"}, {0.00123, "0.12 %"}, {0.0996, "10 %"}, {0.123, "12 %"}, {0.997, "100 %"}, {3.456, "346 %"},
	} {
		if got := percent(test.share); got != test.want {
			t.Errorf("%v: got %q, want %q", test.share, got, test.want)
		}
	}
}
