// Package egress is a sandbox's only way out. The connector's network namespace is empty but for sockets that its init bound
// there and passed out (package inside); this package serves them from outside: it answers DNS with made-up addresses, accepts,
// finds the name again, checks every address that it leads to, dials a checked one and copies both ways.
//
//	name ──DNS──▶ 198.18.0.7 ──connect──▶ accept ──▶ name ──▶ addresses ──judge──▶ dial ──▶ copy
//	address ─────────────────connect────▶ accept ──▶ address ────────────judge──▶ dial ──▶ copy
//
// It never opens TLS and never dials an address it has not checked. A Server owns its goroutines; Close waits for them.
package egress

import (
	"context"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/time/rate"
)

// Resolver looks names up outside the sandbox. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dialer connects outside the sandbox, to addresses that were checked. *net.Dialer is one.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Options of a Server. Only Policy is required.
type Options struct {
	Name     string // of the instance, for the log
	Policy   Policy
	Resolver Resolver                       // nil = net.DefaultResolver
	Dialer   Dialer                         // nil = a net.Dialer with a timeout of 10 s
	HostNets func() ([]netip.Prefix, error) // refused as the host's own; nil = what its interfaces are in at that moment
	MaxConns int                            // connections at one time, 0 = 256
	MaxDNS   int                            // questions per second, 0 = 100
	Log      *zap.Logger                    // nil = silent
}

// Server serves the sockets of one sandbox.
type Server struct {
	resolver  Resolver
	dialer    Dialer
	hostNets  func() ([]netip.Prefix, error)
	rules     rules
	log       *zap.Logger
	names     *names
	contacts  contacts
	questions *rate.Limiter
	arrivals  *rate.Limiter
	lookups   chan struct{} // holds one per lookup under way
	slots     chan struct{} // holds one per connection

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup
	set    socketSet
}

// Serve takes over files, the descriptors of inside.Sockets in their order, and serves them until Close. It closes the files also when it
// fails. With policy none there are no files and the Server has nothing to do.
func Serve(files []*os.File, o Options) (*Server, error) {
	defer closeAll(files) // the listeners hold duplicates
	r, err := o.Policy.rules()
	if err != nil {
		return nil, err
	}
	set, err := open(files, o.Policy.Mode)
	if err != nil {
		return nil, err
	}
	s := newServer(r, o)
	s.set = set
	s.start()
	return s, nil
}

func newServer(r rules, o Options) *Server {
	s := &Server{
		resolver: o.Resolver, dialer: o.Dialer, hostNets: o.HostNets, rules: r, log: o.Log,
		names:     newNames(),
		questions: rate.NewLimiter(rate.Limit(or(o.MaxDNS, 100)), or(o.MaxDNS, 100)),
		arrivals:  rate.NewLimiter(maxArrivals, or(o.MaxConns, 256)),
		lookups:   make(chan struct{}, maxLookups),
		slots:     make(chan struct{}, or(o.MaxConns, 256)),
	}
	if s.resolver == nil {
		s.resolver = net.DefaultResolver
	}
	if s.dialer == nil {
		s.dialer = &net.Dialer{Timeout: 10 * time.Second}
	}
	if s.hostNets == nil {
		s.hostNets = interfaceNets
	}
	if s.log == nil {
		s.log = zap.NewNop()
	}
	s.log = s.log.With(zap.String("instance", o.Name))
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// start runs one goroutine per socket.
func (s *Server) start() {
	for _, conn := range s.set.udp {
		s.wg.Go(func() { s.serveUDP(conn) })
	}
	for _, l := range s.set.dns {
		s.wg.Go(func() { s.accept(l, s.serveDNSConn) })
	}
	for _, l := range s.set.tcp {
		s.wg.Go(func() { s.accept(l, s.relay) })
	}
}

// Contacts lists what the connector had to do with whom since it started, most used first: at most 256 hosts, and one for all others.
func (s *Server) Contacts() []Contact { return s.contacts.list() }

// Close ends every connection and returns when no goroutine of the Server is left. It may be called more than once.
func (s *Server) Close() error {
	s.cancel()
	s.set.close()
	s.wg.Wait()
	return nil
}

func or(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}
