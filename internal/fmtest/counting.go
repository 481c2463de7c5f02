package fmtest

import (
	"strings"
	"sync/atomic"

	"github.com/c-bata/goptuna"
)

// Counting counts how often all trials of a study are read, and plans written.
type Counting struct {
	goptuna.Storage
	Reads, Writes atomic.Int64
}

func (c *Counting) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	c.Reads.Add(1)
	return c.Storage.GetAllTrials(studyID)
}

func (c *Counting) SetTrialSystemAttr(trialID int, key, value string) error {
	if strings.HasPrefix(key, "fm:") {
		c.Writes.Add(1)
	}
	return c.Storage.SetTrialSystemAttr(trialID, key, value)
}
