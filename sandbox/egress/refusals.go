package egress

import "sync"

const maxRefusals = 1000 // hosts; those beyond count as one, so that a connector that invents names does not fill the log

// refusals remembers which hosts a connection was refused to.
type refusals struct {
	mu    sync.Mutex
	hosts map[string]bool
}

// first reports whether it is the first one to this host.
func (r *refusals) first(host string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.hosts) >= maxRefusals && !r.hosts[host] {
		host = ""
	}
	if r.hosts[host] {
		return false
	}
	if r.hosts == nil {
		r.hosts = map[string]bool{}
	}
	r.hosts[host] = true
	return true
}
