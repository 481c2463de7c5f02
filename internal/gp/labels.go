package gp

// NewLabelPrior is NewPrior for targets that are labels, 1 or -1, of a property
// that some regions have and others do not. A Gaussian process takes the jump at
// an edge for a short lengthscale, and then knows nothing a step away from its
// data. Noise that lets a smooth function miss the labels next to an edge, and
// priors that hold lengthscales near their medians, leave it with regions.
func NewLabelPrior(d, p int) Prior {
	prior := NewPrior(d, p, false)
	alpha, theta := prior.of[ofAlpha].(logNormal).median, prior.of[ofTheta].(logNormal).median
	prior.of[ofNoise] = logNormal{0.1, 0.5}
	prior.of[ofAlpha], prior.of[ofTheta] = logNormal{alpha, 0.5}, logNormal{theta, 0.5}
	prior.box[ofNoise][0] = 0.01
	prior.box[ofTheta][0] = 0.1 * theta
	return prior
}
