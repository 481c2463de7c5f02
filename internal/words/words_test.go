package words_test

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

func TestWords(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{words.Value(0.123456), "0.1235"}, {words.Value(1e-9), "1e-09"}, {words.Value(12), "12"}, {words.Value("adam"), "adam"}, {words.Value(""), `""`},
		{words.Number(-1.5e-7, 4), "-1.5e-7"}, {words.Number(123456, 4), "1.235e5"}, {words.Number(12346, 4), "12350"}, {words.Number(123.4567, 6), "123.457"},
		{words.Count(1, "trial"), "1 trial"}, {words.Count(0, "trial"), "0 trials"}, {words.Count(7, "trial"), "7 trials"},
		{words.Probability(0), "less than 1 %"}, {words.Probability(0.0099), "less than 1 %"}, {words.Probability(0.01), "1 %"},
		{words.Probability(0.5), "50 %"}, {words.Probability(0.99), "99 %"}, {words.Probability(0.9999), "more than 99 %"}, {words.Probability(1), "more than 99 %"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}
