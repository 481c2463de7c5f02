package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/words"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// branches shows which parameters are active where, if that depends on others.
func (s *study) branches() *section {
	if s.model == nil {
		return nil
	}
	leaves := s.model.Branches()
	if len(leaves) < 2 {
		return nil
	}
	root := &node{}
	for _, leaf := range leaves {
		at := root
		for _, c := range leaf.Conditions {
			at = at.child(c.String())
		}
		at.Details = append(at.Details, s.leafText(leaf))
	}
	text := "As it was learned from what trials asked for."
	if slices.ContainsFunc(s.trials, func(t goptuna.FrozenTrial) bool { return stateOf(t) == "failed" }) {
		text += " A branch in which several trials failed, all of them with an error, is not shown."
	}
	return &section{
		ID: "branches", Title: "Which parameters are active where",
		Text: []string{text},
		Tree: root.Children,
	}
}

// child returns the child with the text, which it adds if there is none.
func (n *node) child(text string) *node {
	for _, c := range n.Children {
		if c.Text == text {
			return c
		}
	}
	c := &node{Text: text}
	n.Children = append(n.Children, c)
	return c
}

func (s *study) leafText(b insight.Branch) string {
	text := words.Count(b.Trials-b.Infeasible, "trial") + " with a value"
	if b.Infeasible > 0 {
		text += fmt.Sprintf(", %d beyond a limit", b.Infeasible)
	}
	if b.Failures > 0 {
		text += fmt.Sprintf(", %d without", b.Failures)
	}
	if b.Best != nil {
		text += fmt.Sprintf("; best %s, in trial %d", s.written(b.Best.Observed), b.Best.Number)
	}
	return text + ". Active: " + strings.Join(b.Active, ", ") + "."
}
