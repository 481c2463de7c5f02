package suggestion

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

const (
	// numberLabel is the label of a trial that holds its number.
	numberLabel = "goptuna-fm/number"
	// maxNumber bounds the numbers of trials: the start-up sequence is computed
	// from its beginning.
	maxNumber = 99999
	// maxExperimentName is how long Katib lets names be. With a longer one, those
	// of trials could not name jobs.
	maxExperimentName = 40
	hashLength        = 5
)

var (
	experimentName = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	ourName        = regexp.MustCompile(`-(\d{1,5})-[a-z2-7]{5}$`)
)

// trialName returns the name of a trial, "" for an experiment whose name cannot be
// part of one. Katib's controller sends no labels back (as of June 2026 it writes
// them to the trial's metadata, and reads its spec), so the number must be part of
// the name. The hash tells the trial from one of the same number whose deletion
// the controller has not told us.
func trialName(experiment string, number int, texts []string) string {
	if len(experiment) > maxExperimentName || !experimentName.MatchString(experiment) {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	hash := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:hashLength]
	return fmt.Sprintf("%s-%d-%s", experiment, number, hash)
}

// trialNumber returns the number that the service gave a trial.
func trialNumber(t *api.Trial) (number int, ok bool) {
	text, ok := t.GetSpec().GetLabels()[numberLabel]
	if !ok {
		match := ourName.FindStringSubmatch(t.GetName())
		if match == nil {
			return 0, false
		}
		text = match[1]
	}
	number, err := strconv.Atoi(text)
	return number, err == nil && 0 <= number && number <= maxNumber
}
