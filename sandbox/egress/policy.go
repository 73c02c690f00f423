package egress

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

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

// Ports are the TCP ports that Open serves where the kernel has no nftables redirect: web, mail, messaging, ssh, git.
func Ports() []uint16 {
	return []uint16{22, 25, 80, 110, 143, 443, 465, 587, 853, 993, 995, 1883, 3000, 5222, 5223, 5228, 6667, 6697, 8080, 8443, 8883, 9418}
}

// Plan returns what the sandbox's init has to prepare for the policy, or what is wrong with the policy.
func (p Policy) Plan() (inside.Plan, error) {
	switch p.Mode {
	case None:
		return inside.Plan{}, nil
	case Open:
	default:
		return inside.Plan{}, fmt.Errorf("cannot set up the network: policy %q is not known, only %q and %q are", p.Mode, None, Open)
	}
	grants, err := parseGrants(p.AllowPrivate)
	if err != nil {
		return inside.Plan{}, err
	}
	batches, err := redirect()
	if err != nil {
		return inside.Plan{}, err
	}
	return inside.Plan{Serve: true, Listen: loopbackListeners(grants), Redirect: batches, Ports: Ports()}, nil
}

// endpoint is a host, by name or by address in its canonical spelling, and a port. A grant is one, and so is what a connection wants.
type endpoint struct {
	host string
	port uint16
}

func (e endpoint) String() string { return net.JoinHostPort(e.host, strconv.Itoa(int(e.port))) }

func parseGrants(list []string) ([]endpoint, error) {
	var grants []endpoint
	for _, entry := range list {
		host, service, err := net.SplitHostPort(entry)
		if err != nil {
			return nil, fmt.Errorf("cannot allow the private address %q: want host:port", entry)
		}
		port, err := strconv.ParseUint(service, 10, 16)
		if err != nil || port == 0 || host == "" {
			return nil, fmt.Errorf("cannot allow the private address %q: want host:port with a port from 1 to 65535", entry)
		}
		grants = append(grants, endpoint{canonical(host), uint16(port)})
	}
	return grants, nil
}

// canonical spells a host the one way in which hosts are compared.
func canonical(host string) string {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().WithZone("").String()
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

const localhost = "localhost"

// loopbackListeners are needed for granted loopback targets alone: inside, loopback is the connector's own and is not redirected.
// Each is listed once, however often and in which spelling it was granted.
func loopbackListeners(grants []endpoint) (listen []string) {
	for _, g := range grants {
		switch addr, err := netip.ParseAddr(g.host); {
		case g.host == localhost:
			listen = append(listen, endpoint{"127.0.0.1", g.port}.String(), endpoint{"::1", g.port}.String())
		case err == nil && addr.IsLoopback():
			listen = append(listen, g.String())
		}
	}
	slices.Sort(listen)
	return slices.Compact(listen)
}
