package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

const (
	// maxLanes is the number of lanes up to which each has a number.
	maxLanes = 16
	// A pause that is left out is longer than minPause, and than the median of the trials times pauseRatio.
	minPause, pauseRatio = time.Second, 20
	// halfStay is half the height of a trial in its lane, and halfBad that of one without a value, to be told from others without
	// colours.
	halfStay, halfBad = 0.36, 0.18
)

// A stay is a trial between its start and its end, in a lane of its own while it lasts.
type stay struct {
	trial      goptuna.FrozenTrial
	start, end time.Duration // since the first start, without pauses
	lane       int
}

// started reports whether it is known when a trial has begun: one that waits has not, though storage may have a time.
func started(t goptuna.FrozenTrial) bool {
	return t.State != goptuna.TrialStateWaiting && !t.DatetimeStart.IsZero()
}

// ended reports whether a trial has ended by itself: it is known how long it took.
func ended(t goptuna.FrozenTrial) bool { return t.State.IsFinished() && !interrupted(t) }

// span returns the time of the first start and of the last event.
func (s *study) span() (first, last time.Time, ok bool) {
	for _, t := range s.trials {
		if !started(t) {
			continue
		}
		if !ok || t.DatetimeStart.Before(first) {
			first, ok = t.DatetimeStart, true
		}
		for _, at := range []time.Time{t.DatetimeStart, t.DatetimeComplete} {
			if at.After(last) {
				last = at
			}
		}
	}
	return first, last, ok
}

// timeline shows when which trial ran, in as many lanes as there were at the same time.
func (s *study) timeline() *section {
	first, last, ok := s.span()
	if !ok {
		return nil
	}
	var stays []stay
	for _, t := range s.trials {
		if !started(t) {
			continue
		}
		end := t.DatetimeComplete
		if !ended(t) {
			if !t.State.IsFinished() {
				end = last
			}
			if end.Sub(t.DatetimeStart) > s.patience {
				end = t.DatetimeStart.Add(s.patience)
			}
		}
		stays = append(stays, stay{trial: t, start: t.DatetimeStart.Sub(first), end: max(end.Sub(first), t.DatetimeStart.Sub(first))})
	}
	slices.SortFunc(stays, func(a, b stay) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.trial.Number, b.trial.Number))
	})
	pauses, without := cutPauses(stays)
	lanes := assignLanes(stays)

	var latest time.Duration
	var times []time.Duration // of those that have ended
	for _, st := range stays {
		latest = max(latest, st.end)
		if ended(st.trial) {
			times = append(times, st.end-st.start)
		}
	}
	text := "One trial"
	if lanes > 1 {
		text = fmt.Sprintf("Up to %d trials", lanes)
	}
	text += fmt.Sprintf(" at a time; %s in all", rounded(latest))
	if len(times) > 0 {
		var mean time.Duration
		for _, took := range times {
			mean += took / time.Duration(len(times)) // their sum may be more than 292 years, if a clock was not set
		}
		text += fmt.Sprintf(", %s a trial", rounded(mean))
	}
	section := &section{ID: "timeline", Title: "Timeline", Text: []string{text + "."}}
	if pauses > 0 {
		section.Text = append(section.Text, fmt.Sprintf("Left out: %s in which no trial ran, %s in all.", words.Count(pauses, "pause"), rounded(without)))
	}
	section.Figures = []figure{{Wide: true, Chart: s.timelineChart(stays, lanes, latest)}}
	return section
}

func (s *study) timelineChart(stays []stay, lanes int, latest time.Duration) *chart.Chart {
	unit, name := unitOf(latest)
	c := &chart.Chart{
		Title: "When each trial ran",
		X:     chart.Scale{Label: "time since the first trial, " + name, High: float64(max(latest, time.Millisecond)) / float64(unit)},
		Y:     chart.Scale{Kind: chart.Choices},
	}
	for lane := range lanes {
		c.Y.Choices = append(c.Y.Choices, fmt.Sprint(lane+1))
	}
	if lanes > maxLanes {
		c.Y = chart.Scale{Label: "at a time", Low: -0.5, High: float64(lanes) - 0.5, Whole: true}
	}
	kinds := []chart.Boxes{
		{Entry: chart.Entry{Style: chart.Trial, Name: "complete"}}, {Entry: chart.Entry{Style: chart.Pruned, Name: "pruned"}},
		{Entry: chart.Entry{Style: chart.Bad, Name: s.badStates()}}, {Entry: chart.Entry{Style: chart.Running, Name: "running, interrupted or abandoned"}},
	}
	for _, st := range stays {
		kind, lane, half := &kinds[3], float64(st.lane), halfStay
		switch stateOf(st.trial) {
		case "complete":
			kind = &kinds[0]
		case "pruned":
			kind = &kinds[1]
		case "failed", "infeasible":
			kind, half = &kinds[2], halfBad
		}
		title := describe(st.trial)
		if ended(st.trial) {
			title += ", " + rounded(st.end-st.start)
		}
		kind.Boxes = append(kind.Boxes, chart.Box{
			X0: float64(st.start) / float64(unit), X1: float64(st.end) / float64(unit), Y0: lane - half, Y1: lane + half,
			Title: title,
		})
	}
	for _, kind := range kinds {
		if len(kind.Boxes) > 0 {
			c.Marks = append(c.Marks, kind)
		}
	}
	return c
}

// cutPauses moves the stays, which are in the order of their starts, so that long pauses, in which nothing ran, do not count.
// It returns their number and their length in all.
func cutPauses(stays []stay) (pauses int, without time.Duration) {
	var lengths []time.Duration
	for _, st := range stays {
		lengths = append(lengths, st.end-st.start)
	}
	slices.Sort(lengths)
	median := lengths[len(lengths)/2]
	var end time.Duration // of all before, as moved
	for i := range stays {
		st := &stays[i]
		st.start, st.end = st.start-without, st.end-without
		if gap := st.start - end; i > 0 && gap > minPause && gap/pauseRatio > median {
			pauses++
			without += gap
			st.start, st.end = st.start-gap, st.end-gap
		}
		end = max(end, st.end)
	}
	return pauses, without
}

// assignLanes gives each stay the first lane that is free, and returns the number of lanes.
func assignLanes(stays []stay) int {
	var free []time.Duration // by lane, when its last stay ends
	for i := range stays {
		st := &stays[i]
		st.lane = slices.IndexFunc(free, func(end time.Duration) bool { return end <= st.start })
		if st.lane < 0 {
			st.lane = len(free)
			free = append(free, 0)
		}
		free[st.lane] = st.end
	}
	return len(free)
}

// unitOf returns the unit in which to count a time.
func unitOf(d time.Duration) (unit time.Duration, name string) {
	switch {
	case d >= 72*time.Hour:
		return 24 * time.Hour, "days"
	case d >= 3*time.Hour:
		return time.Hour, "hours"
	case d >= 3*time.Minute:
		return time.Minute, "minutes"
	case d >= time.Second:
		return time.Second, "seconds"
	}
	return time.Millisecond, "milliseconds"
}

// rounded prints a time with two or three digits.
func rounded(d time.Duration) string {
	unit, name := unitOf(d)
	number := chart.Number(float64(int(10*float64(d)/float64(unit)+0.5)) / 10)
	if number == "1" {
		name = strings.TrimSuffix(name, "s")
	}
	return number + " " + name
}
