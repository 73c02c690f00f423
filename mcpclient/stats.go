package mcpclient

import "slices"

// Stats is a count of what a connection has seen.
type Stats struct {
	Messages   int64    // that were read
	Noise      int64    // lines that were not only protocol
	Orphans    int64    // replies nobody waits for: late, duplicate or with an unknown id
	Unreadable int64    // replies that failed their call: too long, too deep, not JSON
	Refused    int64    // server requests answered with an error
	Dropped    int64    // notifications and answers lost because a queue was full
	LastNoise  []string // the last 20 lines of noise, cut and redacted, oldest first
}

// Stats returns the counters so far.
func (c *Conn) Stats() Stats {
	c.mu.Lock()
	s, noise := c.stats, slices.Clone(c.lastNoise)
	c.mu.Unlock()
	s.Messages = c.heard.Load()
	for _, raw := range noise {
		s.LastNoise = append(s.LastNoise, c.readable(raw))
	}
	return s
}

func (c *Conn) count(f func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.stats)
}
