// Package egress is a sandbox's only way out. The connector's network namespace is empty but for sockets that its init bound
// there and passed out (package inside); this package serves them from outside: it answers DNS with made-up addresses, accepts,
// looks the name up again, checks every address, dials the checked one and copies both ways.
//
// It never opens TLS and never dials an address it has not checked. A Server owns its goroutines; Close waits for them.
package egress

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"

	"go.uber.org/zap"

	"majordomo/sandbox/egress/inside"
)

// Mode is what a connector may reach.
type Mode string

const (
	None Mode = "none" // nothing
	Open Mode = "open" // every public address, by name or number, over TCP
)

// Policy is what one sandbox may reach.
type Policy struct {
	Mode         Mode
	AllowPrivate []string // host:port reached although private or loopback, such as a registry on the local network
}

// Plan returns what the sandbox's init has to prepare for the policy, or what is wrong with the policy.
func (p Policy) Plan() (inside.Plan, error) { return inside.Plan{}, nil }

// Resolver looks names up outside the sandbox. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dialer connects outside the sandbox. *net.Dialer is one.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Options of a Server. Only Policy is required.
type Options struct {
	Name     string // of the instance, for the log
	Policy   Policy
	Resolver Resolver                     // nil = net.DefaultResolver
	Dialer   Dialer                       // nil = a net.Dialer with a 10 s timeout
	HostIPs  func() ([]netip.Addr, error) // the host's own addresses, always refused; nil = those of its interfaces, at each connection
	MaxConns int                          // connections at one time, 0 = 256
	MaxDNS   int                          // questions per second, 0 = 100
	Log      *zap.Logger                  // nil = silent
}

// Host counts what one sandbox did with one host name or address.
type Host struct {
	Name        string
	Connections int // made
	Refused     int
	Sent        int64 // bytes, from the connector
	Received    int64 // bytes, to the connector
}

// Server serves the sockets of one sandbox.
type Server struct{}

// Serve takes over files, the descriptors of s in their order, and serves them until Close. It closes the files also when it
// fails. With policy none there are no files and the Server has nothing to do.
func Serve(s inside.Sockets, files []*os.File, o Options) (*Server, error) {
	return nil, errors.New("cannot serve the network: not built yet")
}

// Hosts returns the counts so far, sorted by name. At most 1000 hosts are told apart.
func (s *Server) Hosts() []Host { return nil }

// Close ends every connection and returns when no goroutine of the Server is left. It may be called more than once.
func (s *Server) Close() error { return nil }
