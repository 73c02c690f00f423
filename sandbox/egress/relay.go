package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"go.uber.org/zap"
)

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
