package insight

// KnowledgeGradient and GreedyGain are tested by their closed forms.
var (
	KnowledgeGradient = knowledgeGradient
	GreedyGain        = greedyGain
)
