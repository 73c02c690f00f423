package egress

import (
	"net/netip"
	"slices"
	"testing"
)

func TestJudge(t *testing.T) {
	own := []netip.Prefix{netip.MustParsePrefix("93.184.215.99/32"), netip.MustParsePrefix("2a00:99:0:7::/64")}
	for _, c := range []struct {
		why, addr, grant string // grant of host:port; the target is host.test:443
		ok               bool
	}{
		{"public", "93.184.215.14", "", true},
		{"public IPv6", "2a00:1450:4001::1", "", true},
		{"the last before a private range", "172.15.255.255", "", true},
		{"unspecified", "0.0.0.0", "", false},
		{"this network", "0.1.2.3", "", false},
		{"private", "10.0.0.1", "", false},
		{"private", "172.31.255.255", "", false},
		{"private", "192.168.1.1", "", false},
		{"carrier", "100.64.0.1", "", false},
		{"a cloud's metadata in carrier space", "100.100.100.200", "", false},
		{"loopback", "127.8.8.8", "", false},
		{"link-local, and most clouds' metadata", "169.254.169.254", "", false},
		{"a cloud's metadata at a public-looking address", "168.63.129.16", "", false},
		{"metadata among protocol assignments", "192.0.0.192", "", false},
		{"made up by ourselves", "198.19.255.255", "", false},
		{"multicast", "224.0.0.251", "", false},
		{"broadcast", "255.255.255.255", "", false},
		{"the host's own public address", "93.184.215.99", "", false},
		{"a neighbour of the host's, whose address is public as all in IPv6", "2a00:99:0:7::12", "", false},
		{"in another network", "2a00:99:0:8::12", "", true},
		{"IPv6 unspecified", "::", "", false},
		{"IPv6 loopback", "::1", "", false},
		{"mapped, private", "::ffff:10.0.0.1", "", false},
		{"mapped, the host's own", "::ffff:93.184.215.99", "", false},
		{"mapped, public: it is that address", "::ffff:93.184.215.14", "", true},
		{"compatible", "::10.0.0.1", "", false},
		{"NAT64 of a private address", "64:ff9b::a00:1", "", false},
		{"local NAT64", "64:ff9b:1::1", "", false},
		{"Teredo", "2001:0:1::1", "", false},
		{"6to4 of a private address", "2002:a00:1::", "", false},
		{"unique local", "fd00:ec2::254", "", false},
		{"link-local", "fe80::1", "", false},
		{"link-local with a zone", "fe80::1%eth0", "", false},
		{"site-local", "fec0::1", "", false},
		{"IPv6 multicast", "ff02::1", "", false},
		{"IPv6 documentation", "2001:db8::1", "", false},
		{"not given out", "4000::1", "", false},

		{"a private address granted by name", "10.0.0.1", "host.test:443", true},
		{"loopback granted by name", "127.0.0.1", "host.test:443", true},
		{"the host's own granted by name", "93.184.215.99", "host.test:443", true},
		{"a neighbour granted by name", "2a00:99:0:7::12", "host.test:443", true},
		{"unique local granted by name", "fd00::1", "host.test:443", true},
		{"another port", "10.0.0.1", "host.test:80", false},
		{"another name", "10.0.0.1", "other.test:443", false},
		{"a grant by name never reaches metadata", "169.254.169.254", "host.test:443", false},
		{"a grant by name never reaches multicast", "224.0.0.1", "host.test:443", false},
		{"granted by address", "10.0.0.1", "10.0.0.1:443", true},
		{"granted by address, which may be metadata then", "169.254.169.254", "169.254.169.254:443", true},
		{"another address", "10.0.0.2", "10.0.0.1:443", false},
		{"a grant in another spelling", "fd00::1", "[FD00:0::1]:443", true},
	} {
		t.Run(c.why+" "+c.addr, func(t *testing.T) {
			var list []string
			if c.grant != "" {
				list = []string{c.grant}
			}
			grants, err := parseEndpoints("grant", list)
			if err != nil {
				t.Fatal(err)
			}
			allowed, reason := judge(endpoint{"host.test", 443}, []netip.Addr{netip.MustParseAddr(c.addr)}, grants, own)
			if (len(allowed) == 1) != c.ok || (reason == "") != c.ok {
				t.Errorf("allowed %v, reason %q", allowed, reason)
			}
		})
	}
}

// In IPv4 the host's own address is its own; in IPv6 all of the network it is in, also where the address came alone.
func TestOwnNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"93.184.215.99/24": "93.184.215.99/32", "::ffff:93.184.215.99/120": "93.184.215.99/32",
		"2a00:99:0:7::5/64": "2a00:99:0:7::/64", "2a00:99:0:7::5/128": "2a00:99:0:7::/64", "2a00:99:0:7::5/56": "2a00:99::/56",
	} {
		if got := ownNetwork(netip.MustParsePrefix(address)); got.String() != want {
			t.Errorf("%s: got %v, want %s", address, got, want)
		}
	}
}

// Of several addresses only those that pass are dialled, IPv4 first.
func TestJudgeKeepsTheGood(t *testing.T) {
	var addrs []netip.Addr
	for _, a := range []string{"2a00:1::7", "10.0.0.1", "::ffff:93.184.215.14", "127.0.0.1"} {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	allowed, _ := judge(endpoint{"host.test", 443}, addrs, nil, nil)
	want := []netip.Addr{netip.MustParseAddr("93.184.215.14"), netip.MustParseAddr("2a00:1::7")}
	if !slices.Equal(allowed, want) {
		t.Errorf("got %v, want %v", allowed, want)
	}
}

func TestPolicyErrors(t *testing.T) {
	for _, c := range []struct{ why, mode, grant, want string }{
		{"a policy that is not known", "everything", "", `cannot set up the network: policy "everything" is not known, only "none", "list" and "open" are`},
		{"a grant without a port", "open", "registry.lan", `cannot allow the private address "registry.lan": want host:port`},
		{"a port that is none", "open", "registry.lan:http", `cannot allow the private address "registry.lan:http": want host:port with a port from 1 to 65535`},
		{"port 0", "open", "registry.lan:0", `cannot allow the private address "registry.lan:0": want host:port with a port from 1 to 65535`},
		{"no host", "open", ":80", `cannot allow the private address ":80": want host:port with a port from 1 to 65535`},
	} {
		p := Policy{Mode: Mode(c.mode)}
		if c.grant != "" {
			p.AllowPrivate = []string{c.grant}
		}
		if _, err := p.Plan(); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.why, err, c.want)
		}
	}
}
