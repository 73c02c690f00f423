// Package inside is the half of egress that runs in the sandbox's init, while that still holds its capabilities in the new
// network namespace. It prepares an otherwise empty namespace and binds the sockets that the daemon will serve from outside: a
// socket belongs for ever to the namespace it was made in, whoever holds the descriptor.
//
//	connector ──connect 93.184.215.14:443──▶ lo (every address is local) ──redirect──▶ listener :999 ┄descriptor┄▶ daemon
//	connector ──"A example.com?"──────────▶ 127.0.0.1:53 ┄descriptor┄▶ daemon
//
// It must never decide what may leave, which the daemon does for each connection, and never serve a socket itself. It is linked into a tiny
// program: x/sys only. It starts no goroutine.
package inside

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

// Plan is what the daemon asks for. It is plain data and travels to the init. The zero Plan brings loopback up and
// nothing else: a namespace with no way out.
type Plan struct {
	Serve    bool       // bind DNS and listeners; false = no way out
	Listen   []Endpoint // on loopback, for granted loopback targets
	Redirect [][]byte   // nftables batches that send every TCP port to RedirectPort: for IPv4, for IPv6
	Ports    []uint16   // TCP ports to listen on where the kernel refuses Redirect
}

// Endpoint is an address of 4 or 16 bytes and a port.
type Endpoint struct {
	IP   []byte // and no netip.Addr, whose package takes a while to get going in each init
	Port uint16
}

// RedirectPort is where an nftables redirect sends every connection. The port is privileged: a connector cannot take it.
const RedirectPort = 999

// ResolvConf is the /etc/resolv.conf of a sandbox whose Plan serves.
const ResolvConf = "nameserver 127.0.0.1\noptions timeout:5 attempts:2\n"

// Sockets is what Setup made. The descriptors go to the daemon in this order over SCM_RIGHTS.
type Sockets struct {
	FDs      []int  // DNS over UDP, DNS over TCP, then TCP listeners for connections to anywhere
	Redirect bool   // every TCP port is served
	Reason   string // why Redirect is not in force, though asked for
}

// Setup prepares the network namespace of the calling thread. It needs CAP_NET_ADMIN and CAP_NET_BIND_SERVICE there and is
// called once. All descriptors are non-blocking and close-on-exec; the caller sends them out and closes them.
func Setup(p Plan) (Sockets, error) {
	var s Sockets
	if err := RaiseLoopback(); err != nil {
		return s, fmt.Errorf("cannot bring loopback up: %w", err)
	}
	if !p.Serve {
		return s, nil
	}
	if err := makeEverythingLocal(unix.AF_INET); err != nil {
		return s, fmt.Errorf("cannot route to loopback: %w", err)
	}
	_ = makeEverythingLocal(unix.AF_INET6) // a host without IPv6: its addresses are unreachable, as they are outside
	if err := s.bind(p); err != nil {
		s.Close()
		return Sockets{}, err
	}
	return s, nil
}

func (s *Sockets) bind(p Plan) error {
	dns := Endpoint{[]byte{127, 0, 0, 1}, 53}
	if err := s.add(bindTo(dns, unix.SOCK_DGRAM)); err != nil {
		return fmt.Errorf("cannot bind the name server: %w", err)
	}
	if err := s.add(bindTo(dns, unix.SOCK_STREAM)); err != nil {
		return fmt.Errorf("cannot bind the name server: %w", err)
	}
	ports := p.Ports
	if s.redirect(p.Redirect) {
		ports = []uint16{RedirectPort}
	}
	for _, port := range ports {
		if err := s.add(bindToAll(port)); err != nil {
			return fmt.Errorf("cannot listen on port %d: %w", port, err)
		}
	}
	return s.listen(p.Listen, ports)
}

// listen binds the loopback addresses, but for those at a port that is bound already, at every address.
func (s *Sockets) listen(endpoints []Endpoint, bound []uint16) error {
	for _, at := range endpoints {
		if slices.Contains(bound, at.Port) {
			continue
		}
		err := s.add(bindTo(at, unix.SOCK_STREAM))
		if len(at.IP) == 16 && (errors.Is(err, unix.EAFNOSUPPORT) || errors.Is(err, unix.EADDRNOTAVAIL)) {
			continue // a host without IPv6
		}
		if err != nil {
			return fmt.Errorf("cannot listen on port %d of %d: %w", at.Port, at.IP, err)
		}
	}
	return nil
}

// redirect sets the first batch or says why not. The second is for IPv6 addresses written as such, which stay unreachable without it:
// names never lead there.
func (s *Sockets) redirect(batches [][]byte) bool {
	for i, batch := range batches {
		err := send(unix.NETLINK_NETFILTER, batch)
		if i == 0 && err != nil {
			s.Reason = "the kernel refuses an nftables redirect: " + err.Error()
			return false
		}
	}
	s.Redirect = len(batches) > 0
	return s.Redirect
}

func (s *Sockets) add(fd int, err error) error {
	if err == nil {
		s.FDs = append(s.FDs, fd)
	}
	return err
}

// Close closes every descriptor, once they have been sent or when they cannot be.
func (s *Sockets) Close() {
	for _, fd := range s.FDs {
		_ = unix.Close(fd)
	}
	s.FDs = nil
}
