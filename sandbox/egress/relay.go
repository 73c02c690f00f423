package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"go.uber.org/zap"
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

// relay connects one accepted connection with where it wanted to go.
func (s *Server) relay(from net.Conn) {
	conn := from.(*net.TCPConn)
	to := s.meant(conn)
	allowed, err := s.reach(to)
	if err != nil {
		s.refuse(conn, to, err.Error())
		return
	}
	out, err := s.dial(allowed, to.port)
	if err != nil {
		s.contacts.failed(to.host)
		s.log.Debug("cannot connect for the connector", zap.Stringer("to", to), zap.Error(err))
		reset(conn)
		return
	}
	s.contacts.made(to.host)
	stop := context.AfterFunc(s.ctx, func() { _ = out.Close() })
	defer stop()
	defer out.Close()
	splice(conn, out)
}

// meant turns the address that the connector used into the host it meant.
func (s *Server) meant(conn *net.TCPConn) endpoint {
	asked := destination(conn)
	to := endpoint{asked.Addr().String(), asked.Port()}
	if host, ok := s.names.host(asked.Addr()); ok {
		to.host = host
	}
	if asked.Addr().IsLoopback() && s.rules.granted(endpoint{localhost, to.port}) {
		to.host = localhost // the listener was bound for that grant; the service may be on either loopback address
	}
	return to
}

// reach returns the addresses that the connection may be made to, or why there is none.
func (s *Server) reach(to endpoint) ([]netip.Addr, error) {
	if !s.rules.lets(to) {
		return nil, errors.New("it is not on the list of what this connector may reach")
	}
	addrs, err := s.lookup(to.host)
	if err != nil {
		return nil, err
	}
	own, err := s.hostNets()
	if err != nil {
		return nil, fmt.Errorf("the host's own networks are not known: %w", err)
	}
	allowed, reason := judge(to, addrs, s.rules.grants, own)
	if len(allowed) == 0 {
		return nil, errors.New(reason)
	}
	return allowed, nil
}

// dial tries the addresses in order.
func (s *Server) dial(addrs []netip.Addr, port uint16) (net.Conn, error) {
	var errs []error
	for _, addr := range addrs {
		conn, err := s.dialer.DialContext(s.ctx, "tcp", netip.AddrPortFrom(addr, port).String())
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// refuse resets a connection, and says why the first time.
func (s *Server) refuse(conn *net.TCPConn, to endpoint, reason string) {
	reset(conn)
	if s.contacts.refused(to.host) {
		s.log.Warn("refused a connection of the connector", zap.Stringer("to", to), zap.String("because", reason))
	}
}

// reset ends a connection so that the other side sees an error, not an end.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// splice copies both ways until both sides have ended. An end is passed on as an end, a broken connection as a reset.
func splice(inner, outer net.Conn) {
	var wg sync.WaitGroup
	wg.Go(func() { forward(outer, inner) })
	wg.Go(func() { forward(inner, outer) })
	wg.Wait()
}

func forward(to, from net.Conn) {
	_, err := io.Copy(to, from) // splice(2) where both are TCP
	if err == nil {
		err = closeWrite(to)
	}
	if err != nil && !errors.Is(err, syscall.ENOTCONN) { // not connected = it has ended both ways, and may still be read from
		reset(to)
		reset(from)
	}
}

func closeWrite(conn net.Conn) error {
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok {
		return fmt.Errorf("a %T cannot be half closed", conn)
	}
	return half.CloseWrite()
}
