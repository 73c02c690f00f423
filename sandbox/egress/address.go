package egress

import (
	"net"
	"net/netip"
)

// special are the address ranges that are not the public internet, whatever their routers make of them. The last one that
// holds an address names it.
var special = []struct {
	prefix netip.Prefix
	what   string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "unspecified"},
	{netip.MustParsePrefix("10.0.0.0/8"), private},
	{netip.MustParsePrefix("100.64.0.0/10"), shared},
	{netip.MustParsePrefix("127.0.0.0/8"), loopback},
	{netip.MustParsePrefix("168.63.129.16/32"), linkLocal}, // a cloud's metadata at a public-looking address
	{netip.MustParsePrefix("169.254.0.0/16"), linkLocal},
	{netip.MustParsePrefix("172.16.0.0/12"), private},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "6to4 relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), private},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},

	// Of IPv6 only 2000::/3 is given out at all; the rest has names for some of its parts.
	{netip.MustParsePrefix("::/2"), "reserved"},
	{netip.MustParsePrefix("::/128"), "unspecified"},
	{netip.MustParsePrefix("::1/128"), loopback},
	{netip.MustParsePrefix("64:ff9b::/32"), "NAT64"},
	{netip.MustParsePrefix("2000::/3"), ""},
	{netip.MustParsePrefix("2001::/32"), "Teredo"},
	{netip.MustParsePrefix("2001:2::/48"), "benchmarking"},
	{netip.MustParsePrefix("2001:10::/27"), "ORCHID"},
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},
	{netip.MustParsePrefix("2002::/16"), "6to4"},
	{netip.MustParsePrefix("3fff::/20"), "documentation"},
	{netip.MustParsePrefix("4000::/2"), "reserved"},
	{netip.MustParsePrefix("8000::/1"), "reserved"},
	{netip.MustParsePrefix("fc00::/7"), private},
	{netip.MustParsePrefix("fe80::/10"), linkLocal},
	{netip.MustParsePrefix("fec0::/10"), private},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
}

const (
	private   = "private"
	shared    = "shared (carrier) space"
	loopback  = "loopback"
	linkLocal = "link-local or metadata"
	ownHost   = "this host's own, or in its network"
)

// kind names the special range that holds addr, and is empty for a public address. addr is unmapped.
func kind(addr netip.Addr) string {
	if !addr.IsValid() || addr.Zone() != "" {
		return linkLocal
	}
	what := ""
	for _, s := range special {
		if s.prefix.Contains(addr) {
			what = s.what
		}
	}
	return what
}

// interfaceNets returns what of the public internet is this host's own: a service that listens there is no more meant for connectors
// than one on loopback.
func interfaceNets() ([]netip.Prefix, error) {
	list, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	var nets []netip.Prefix
	for _, a := range list {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			nets = append(nets, ownNetwork(p))
		}
	}
	return nets, nil
}

// ownNetwork is the address alone in IPv4, where the neighbours have private ones. In IPv6 printers and cameras have public ones, and
// only the network tells them from the internet. A house's networks have 64 bits; an address that was handed out alone does not show it.
func ownNetwork(p netip.Prefix) netip.Prefix {
	addr := p.Addr().Unmap()
	if addr.Is4() {
		return netip.PrefixFrom(addr, 32)
	}
	return netip.PrefixFrom(addr, min(p.Bits(), 64)).Masked()
}
