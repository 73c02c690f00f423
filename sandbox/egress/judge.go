package egress

import (
	"net/netip"
	"slices"
)

// judge keeps the addresses that the target may be reached at. When none is left it says why the first was refused.
//
// A grant by name trusts that name for this port with private, shared, loopback and the host's own addresses, not with the others. A grant by
// address trusts the address, whatever name leads there.
func judge(to endpoint, addrs []netip.Addr, grants []endpoint, own []netip.Prefix) (allowed []netip.Addr, reason string) {
	byName := slices.Contains(grants, to)
	for _, addr := range addrs {
		addr = addr.Unmap()
		what := kind(addr)
		if what == "" && slices.ContainsFunc(own, func(net netip.Prefix) bool { return net.Contains(addr) }) {
			what = ownHost
		}
		grantable := what == private || what == shared || what == loopback || what == ownHost
		switch {
		case what == "", byName && grantable, slices.Contains(grants, endpoint{addr.String(), to.port}):
			allowed = append(allowed, addr)
		case reason == "":
			reason = addr.String() + " is " + what
		}
	}
	// IPv4 first: every house has it, and where there is none the kernel says so at once.
	slices.SortStableFunc(allowed, func(a, b netip.Addr) int { return a.BitLen() - b.BitLen() })
	return allowed, reason
}
