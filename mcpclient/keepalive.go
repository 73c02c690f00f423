package mcpclient

import (
	"context"
	"errors"
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
			now = c.ping()
			heard = c.heard.Load()
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

// ping reports whether the connector answers. An error is an answer: many do
// not know the method.
func (c *Conn) ping() bool {
	ctx, cancel := context.WithTimeout(c.ctx, pingTimeout)
	defer cancel()
	_, err := c.request(ctx, "ping", nil)
	_, answered := errors.AsType[*RPCError](err)
	return err == nil || answered
}

// busy reports whether calls are in flight.
func (c *Conn) busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending) > 0
}
