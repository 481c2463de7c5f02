package insight

// GreedyGain is tested by its closed form.
var GreedyGain = greedyGain
