package egress

import (
	"container/list"
	"net/netip"
	"sync"
	"time"
)

const (
	maxNames = 4096        // remembered per sandbox; the least recently used goes first
	fresh    = time.Minute // how long an answer from outside is used
)

// fakes is the range that made-up addresses come from: reserved for test benches, and no network routes it.
var fakes = netip.MustParsePrefix("198.18.0.0/15")

// names hands out one made-up address per name. An address that was given up is not given to another name before all 131,070 others were:
// a program that kept it too long is refused, not led astray.
type names struct {
	mu     sync.Mutex
	byName map[string]*list.Element // of *name
	byFake map[netip.Addr]*list.Element
	recent list.List // most recently used first
	last   netip.Addr
}

type name struct {
	host  string
	fake  netip.Addr
	addrs []netip.Addr // what it led to outside
	until time.Time    // and until when that is used
}

func newNames() *names {
	return &names{byName: map[string]*list.Element{}, byFake: map[netip.Addr]*list.Element{}, last: fakes.Addr()}
}

// known returns what was looked up for host, while it is fresh.
func (n *names) known(host string, now time.Time) ([]netip.Addr, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, ok := n.byName[host]
	if !ok || now.After(e.Value.(*name).until) {
		return nil, false
	}
	return e.Value.(*name).addrs, true
}

// put remembers what host leads to and returns its made-up address.
func (n *names) put(host string, addrs []netip.Addr, now time.Time) netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, ok := n.byName[host]
	if !ok {
		n.makeRoomLocked()
		e = n.recent.PushFront(&name{host: host, fake: n.nextLocked()})
		n.byName[host], n.byFake[n.last] = e, e
	}
	n.recent.MoveToFront(e)
	v := e.Value.(*name)
	v.addrs, v.until = addrs, now.Add(fresh)
	return v.fake
}

// host returns the name that a made-up address stands for.
func (n *names) host(fake netip.Addr) (string, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, ok := n.byFake[fake]
	if !ok {
		return "", false
	}
	n.recent.MoveToFront(e)
	return e.Value.(*name).host, true
}

func (n *names) makeRoomLocked() {
	if n.recent.Len() < maxNames {
		return
	}
	oldest := n.recent.Remove(n.recent.Back()).(*name)
	delete(n.byName, oldest.host)
	delete(n.byFake, oldest.fake)
}

func (n *names) nextLocked() netip.Addr {
	for {
		n.last = n.last.Next()
		if !fakes.Contains(n.last) {
			n.last = fakes.Addr().Next()
		}
		if _, taken := n.byFake[n.last]; !taken {
			return n.last
		}
	}
}
