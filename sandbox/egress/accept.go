package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// maxArrivals is how many connections are accepted in a second; the kernel keeps the others waiting. The daemon works for each, also for
// those it refuses, and no limit of the connector's counts that.
const maxArrivals = 100

// accept hands each connection of a listener to handle, in a goroutine, until the Server is closed. Above the cap a connection
// is reset at once.
func (s *Server) accept(l *net.TCPListener, handle func(net.Conn)) {
	for s.arrivals.Wait(s.ctx) == nil {
		conn, err := l.AcceptTCP()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			// Out of descriptors, most likely. Nobody says when there are some again.
			select {
			case <-time.After(100 * time.Millisecond):
			case <-s.ctx.Done():
			}
			continue
		}
		select {
		case s.slots <- struct{}{}:
		default:
			s.refuse(conn, s.meant(conn), fmt.Sprintf("it has %d connections already", cap(s.slots)))
			continue
		}
		s.wg.Go(func() {
			defer func() { <-s.slots }()
			stop := context.AfterFunc(s.ctx, func() { _ = conn.Close() })
			defer stop()
			defer conn.Close()
			handle(conn)
		})
	}
}
