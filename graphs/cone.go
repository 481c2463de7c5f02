package graphs

// Cone returns the graph with one more vertex, number n, the apex, which is
// joined to all others by edges of the same weight w: for variables that may
// have no value at all. The eigenvectors of the Laplacian stay as they are, with
// eigenvalues λ_i + w for i ≥ 2, and the difference between the apex and all
// others has the eigenvalue (n+1)w. The weight is one for a complete graph,
// whose cone is complete, and makes (n+1)w = λ_2 for another: having a value or
// not is as smooth as the smoothest mode of the values, which keep their
// distances.
//
// The cone is built by the first call, and shared by all later ones. The error
// is that of [Graph.Spectrum].
func (g *Graph) Cone() (*Graph, error) { return g.cone() }

func (g *Graph) newCone() (*Graph, error) {
	if g.shape == ShapeComplete {
		return Complete(g.order + 1), nil
	}
	spectrum, err := g.Spectrum()
	if err != nil {
		return nil, err
	}
	weight := spectrum.Lambda[1] / float64(g.order+1)
	arcs := make([][]arc, g.order+1)
	for u := range g.order {
		for _, v := range g.Neighbors(u) {
			arcs[u] = append(arcs[u], arc{v, g.Weight(u, v)})
		}
		arcs[u] = append(arcs[u], arc{g.order, weight})
		arcs[g.order] = append(arcs[g.order], arc{u, weight})
	}
	return explicit(arcs)
}
