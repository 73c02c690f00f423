package mcpclient

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// An idle connector is pinged this often, and has so long to answer.
const (
	pingEvery   = time.Minute
	pingTimeout = 20 * time.Second
)

// keepAlive pings a connector that has said nothing since the last time, except
// while calls are in flight: one that does a single thing at a time could not
// answer, and the calls have deadlines of their own.
func (c *Conn) keepAlive(tell func(alive bool)) {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	alive, heard := true, c.heard.Load()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-ticker.C:
		}
		now, was := alive, heard
		if heard = c.heard.Load(); heard != was {
			now = true
		} else if !c.busy() {
			c.ping()
			heard = c.heard.Load()
			now = heard != was // whatever it answered, or could not
		}
		if now != alive && c.ctx.Err() == nil {
			alive = now
			c.opts.Log.Info("whether the connector answers pings has changed", zap.Bool("alive", alive))
			if tell != nil {
				tell(alive)
			}
		}
	}
}

// ping waits until the connector has answered, or could have.
func (c *Conn) ping() {
	ctx, cancel := context.WithTimeout(c.ctx, pingTimeout)
	defer cancel()
	_, _ = c.request(ctx, "ping", nil) // that something was heard is what counts
}

// busy reports whether calls are in flight.
func (c *Conn) busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending) > 0
}
