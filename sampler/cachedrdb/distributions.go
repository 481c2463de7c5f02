package cachedrdb

import (
	"sync"

	"github.com/c-bata/goptuna"
)

// maxDistributions bounds the distributions that are remembered. An objective
// has a few; one whose ranges depend on other parameters may have any number.
const maxDistributions = 1000

// distributions decodes distributions and parameter names, each once as long as
// there are few. It is safe for concurrent use.
type distributions struct {
	mu      sync.Mutex
	decoded map[named]parameter
}

// named is a parameter as the database has it.
type named struct{ name, distributionJSON string }

// parameter holds one copy of what many trials share.
type parameter struct {
	name         string
	distribution any
}

func (d *distributions) decode(name, distributionJSON string) (parameter, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := named{name, distributionJSON}
	if p, ok := d.decoded[key]; ok {
		return p, nil
	}
	distribution, err := goptuna.JSONToDistribution([]byte(distributionJSON))
	if err != nil {
		return parameter{}, err
	}
	if d.decoded == nil || len(d.decoded) == maxDistributions {
		d.decoded = map[named]parameter{}
	}
	p := parameter{name, distribution}
	d.decoded[key] = p
	return p, nil
}
