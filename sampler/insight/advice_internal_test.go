package insight

import "testing"

// To stop, the next trials have to gain less than a thousandth of the spread, or what is left
// has to be less than the noise. Besides, more than a hundredth of the spread has to be left with
// a probability below 5 %, and the second half of the trials has to have gained less than that.
func TestConclude(t *testing.T) {
	for _, test := range []struct {
		name string
		Advice
		want bool
	}{
		{"nothing to gain", Advice{}, true},
		{"next to nothing", Advice{Gain: 0.0009, Left: 0.04, Recent: 0.009}, true},
		{"something in ten trials", Advice{Gain: 0.0011, Left: 0.04, Recent: 0.009}, false},
		{"which is less than the noise", Advice{Gain: 0.0011, Left: 0.04, Recent: 0.009, NoiseFloor: true}, true},
		{"something left", Advice{Gain: 0.0009, Left: 0.06, Recent: 0.009}, false},
		{"a gain lately", Advice{Gain: 0.0009, Left: 0.04, Recent: 0.011}, false},
	} {
		if test.conclude("the median"); test.Stop != test.want {
			t.Errorf("%s: stop is %t, want %t, since %s", test.name, test.Stop, test.want, test.Reason)
		}
	}
}
