package egress

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// world is the internet of a test: names, and public addresses that one server on loopback stands in for.
type world struct {
	names map[string][]string // canonical host → addresses
	files map[string][]byte   // by path; set before the first request
	web   *httptest.Server
	hung  chan struct{} // gets one for each request of /hang, which is never answered

	mu     sync.Mutex
	asked  map[string]int // per host
	dialed []string
}

func newWorld(t *testing.T, names map[string][]string) *world {
	w := &world{names: names, asked: map[string]int{}, hung: make(chan struct{}, 1)}
	w.web = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			w.hung <- struct{}{}
			<-r.Context().Done()
			return
		}
		if file, ok := w.files[r.URL.Path]; ok {
			_, _ = rw.Write(file)
			return
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(rw, "hello %s %s", r.Host, body)
	}))
	t.Cleanup(w.web.Close)
	return w
}

func (w *world) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[canonical(host)]++
	list, ok := w.names[canonical(host)]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, a := range list {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	return addrs, nil
}

// DialContext notes the address and connects to the one server, unless the address is its own.
func (w *world) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	w.mu.Lock()
	w.dialed = append(w.dialed, address)
	w.mu.Unlock()
	var d net.Dialer
	if strings.HasPrefix(address, "127.0.0.1:") {
		return d.DialContext(ctx, network, address)
	}
	return d.DialContext(ctx, network, w.address())
}

func (w *world) address() string { return w.web.Listener.Addr().String() }

func (w *world) port() string {
	_, port, _ := net.SplitHostPort(w.address())
	return port
}

func (w *world) dials() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.dialed...)
}

// listing are options that let out only the hosts.
func (w *world) listing(hosts ...string) Options {
	return Options{Policy: Policy{Mode: List, Hosts: hosts}, Resolver: w, Dialer: w}
}

func (w *world) options(allow ...string) Options {
	return Options{Policy: Policy{Mode: Open, AllowPrivate: allow}, Resolver: w, Dialer: w}
}
