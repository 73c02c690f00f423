package egress

import (
	"cmp"
	"slices"
	"sync"
)

const (
	maxContacts = 256 // hosts that are counted each for itself
	otherHosts  = "*" // all beyond, so that a connector that invents names fills neither the memory nor the log
)

// Contact is what one sandbox had to do with one host since it started.
type Contact struct {
	Host        string `json:"host"`        // the name or address that the connector used; "*" = all beyond the first 256
	Connections int64  `json:"connections"` // that were made
	Failed      int64  `json:"failed"`      // that were let out and not answered
	Refused     int64  `json:"refused"`     // connections, and questions for a name that is not listed
}

// contacts counts by host. It is safe for concurrent use.
type contacts struct {
	mu     sync.Mutex
	byHost map[string]*Contact // at most maxContacts+1
}

func (c *contacts) made(host string)   { c.count(host, func(n *Contact) { n.Connections++ }) }
func (c *contacts) failed(host string) { c.count(host, func(n *Contact) { n.Failed++ }) }

// refused reports whether it is the first refusal to this host.
func (c *contacts) refused(host string) (first bool) {
	c.count(host, func(n *Contact) { n.Refused++; first = n.Refused == 1 })
	return first
}

func (c *contacts) count(host string, change func(*Contact)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byHost == nil {
		c.byHost = map[string]*Contact{}
	}
	if c.byHost[host] == nil && len(c.byHost) >= maxContacts {
		host = otherHosts
	}
	if c.byHost[host] == nil {
		c.byHost[host] = &Contact{Host: host}
	}
	change(c.byHost[host])
}

// list returns the hosts, most used first.
func (c *contacts) list() []Contact {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]Contact, 0, len(c.byHost))
	for _, n := range c.byHost {
		all = append(all, *n)
	}
	slices.SortFunc(all, func(a, b Contact) int {
		return cmp.Or(cmp.Compare(b.Connections, a.Connections), cmp.Compare(b.Refused, a.Refused), cmp.Compare(a.Host, b.Host))
	})
	return all
}
