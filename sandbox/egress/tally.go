package egress

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// Host counts what one sandbox did with one host name or address.
type Host struct {
	Name        string
	Connections int // made
	Refused     int
	Sent        int64 // bytes, from the connector, of connections that have ended
	Received    int64 // bytes, to the connector, of connections that have ended
}

const (
	maxHosts = 1000
	others   = "other hosts"
)

// tally counts by host. A connector that invents names does not make it grow.
type tally struct {
	mu    sync.Mutex
	hosts map[string]*Host
}

func newTally() *tally { return &tally{hosts: map[string]*Host{}} }

func (t *tally) connected(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hostLocked(host).Connections++
}

// refused reports whether it was the first time.
func (t *tally) refused(host string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.hostLocked(host)
	h.Refused++
	return h.Refused == 1
}

func (t *tally) moved(host string, sent, received int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.hostLocked(host)
	h.Sent += sent
	h.Received += received
}

func (t *tally) list() []Host {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []Host
	for h := range maps.Values(t.hosts) {
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b Host) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func (t *tally) hostLocked(name string) *Host {
	if t.hosts[name] == nil && len(t.hosts) >= maxHosts {
		name = others
	}
	if t.hosts[name] == nil {
		t.hosts[name] = &Host{Name: name}
	}
	return t.hosts[name]
}
