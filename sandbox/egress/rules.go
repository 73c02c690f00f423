package egress

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"majordomo/sandbox/egress/inside"
)

// maxHosts bounds a list and the grants, each.
const maxHosts = 256

// rules are a policy that was read.
type rules struct {
	mode   Mode
	hosts  []endpoint // of List
	grants []endpoint
}

func (p Policy) rules() (r rules, err error) {
	r.mode = p.Mode
	var hostErr, grantErr, modeErr error
	r.hosts, hostErr = parseEndpoints("allow the host", p.Hosts)
	r.grants, grantErr = parseEndpoints("allow the private address", p.AllowPrivate)
	switch {
	case p.Mode != List && len(p.Hosts) > 0:
		modeErr = fmt.Errorf("cannot list hosts with egress %q, only with %q", p.Mode, List)
	case p.Mode == None && len(p.AllowPrivate) > 0:
		modeErr = fmt.Errorf("cannot allow private addresses with egress %q", None)
	}
	return r, errors.Join(hostErr, grantErr, modeErr)
}

// lets reports whether the policy lets a connection out, whatever its address turns out to be. A grant is by itself enough: who may reach
// the house's own network need not be listed once more.
func (r rules) lets(to endpoint) bool {
	return r.mode == Open || slices.Contains(r.hosts, to) || r.granted(to)
}

// knows reports whether the name is answered at all.
func (r rules) knows(host string) bool {
	is := func(e endpoint) bool { return e.host == host }
	return r.mode == Open || slices.ContainsFunc(r.hosts, is) || slices.ContainsFunc(r.grants, is)
}

func (r rules) granted(to endpoint) bool { return slices.Contains(r.grants, to) }

// ports to listen on where the kernel has no redirect.
func (r rules) ports() (ports []uint16) {
	if r.mode == Open {
		return Ports()
	}
	for _, e := range slices.Concat(r.hosts, r.grants) {
		ports = append(ports, e.port)
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

// endpoint is a host, by name or by address in its canonical spelling, and a port. A grant is one, and so is what a connection wants.
type endpoint struct {
	host string
	port uint16
}

func (e endpoint) String() string { return net.JoinHostPort(e.host, strconv.Itoa(int(e.port))) }

func parseEndpoints(what string, list []string) (all []endpoint, err error) {
	if len(list) > maxHosts {
		return nil, fmt.Errorf("cannot %s: there are %d, %d are allowed", what, len(list), maxHosts)
	}
	for _, entry := range list {
		host, service, err := net.SplitHostPort(entry)
		if err != nil {
			return nil, fmt.Errorf("cannot %s %q: want host:port", what, entry)
		}
		port, err := strconv.ParseUint(service, 10, 16)
		if err != nil || port == 0 || host == "" {
			return nil, fmt.Errorf("cannot %s %q: want host:port with a port from 1 to 65535", what, entry)
		}
		if host = canonical(host); !isHost(host) {
			return nil, fmt.Errorf("cannot %s %q: want a whole host name or an address, without patterns", what, entry)
		}
		all = append(all, endpoint{host, uint16(port)})
	}
	return all, nil
}

// isHost is generous, since any host name that resolves will do, but no pattern, and nothing that would forge a log line.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return len(host) <= 253 && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == "" && !strings.Contains(host, "..")
}

// canonical spells a host the one way in which hosts are compared.
func canonical(host string) string {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().WithZone("").String()
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

const localhost = "localhost"

var loopback4 = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// loopbackListeners are needed for granted loopback targets alone: inside, loopback is the connector's own and is not redirected.
// Each is listed once, however often and in which spelling it was granted.
func loopbackListeners(grants []endpoint) (listen []inside.Endpoint) {
	var all []netip.AddrPort
	for _, g := range grants {
		switch addr, err := netip.ParseAddr(g.host); {
		case g.host == localhost:
			all = append(all, netip.AddrPortFrom(loopback4, g.port), netip.AddrPortFrom(netip.IPv6Loopback(), g.port))
		case err == nil && addr.IsLoopback():
			all = append(all, netip.AddrPortFrom(addr, g.port))
		}
	}
	slices.SortFunc(all, netip.AddrPort.Compare)
	for _, at := range slices.Compact(all) {
		listen = append(listen, inside.Endpoint{IP: at.Addr().AsSlice(), Port: at.Port()})
	}
	return listen
}
