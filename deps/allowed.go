package deps

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"majordomo/sandbox"
	"majordomo/sandbox/egress"
)

// What the steps of a build may reach: the registries, indexes and proxies that this host has configured, what deps.registries
// adds, and the hosts of dependencies that are addresses. A registry, an index or a mirror that only the connector names is none
// of them: it could put its own bytes under anybody's name.

// allow writes down what the tool's steps may reach. Only what this host has configured may be private.
func (j *job) allow(ctx context.Context, s *settings, dependencies []string) {
	configured := usable(append(hostPorts(s.urls), j.o.Registries...))
	s.private = usable(append(configured, addresses(ctx, configured)...))
	s.hosts = usable(append(configured, hostPorts(dependencies)...))
}

var schemePorts = map[string]string{"http": "80", "https": "443", "ssh": "22", "git": "9418"}

// hostPorts are the host:ports of addresses; git's have the way to reach them behind a plus.
func hostPorts(addresses []string) []string {
	var all []string
	for _, address := range addresses {
		u, err := url.Parse(strings.TrimPrefix(address, "git+"))
		if err != nil || u.Hostname() == "" {
			continue
		}
		port := u.Port()
		if port == "" {
			port = schemePorts[u.Scheme]
		}
		all = append(all, net.JoinHostPort(u.Hostname(), port))
	}
	return all
}

// usable are those that a sandbox understands, each once. A connector can write down anything for a host.
func usable(hostPorts []string) []string {
	all := slices.DeleteFunc(slices.Clone(hostPorts), func(at string) bool {
		return egress.Policy{Mode: egress.List, Hosts: []string{at}}.Validate() != nil
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// addresses are what the names stand for on this host: a mirror on the local network may hand out its files by number. What
// cannot be looked up, because a proxy will do that, is left to the name.
func addresses(ctx context.Context, hostPorts []string) []string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var all []string
	for _, hostPort := range hostPorts {
		host, port, err := net.SplitHostPort(hostPort)
		if err != nil {
			continue
		}
		found, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		for _, addr := range found {
			if mayBeRegistry(addr) {
				all = append(all, net.JoinHostPort(addr.Unmap().String(), port))
			}
		}
	}
	return all
}

// mayBeRegistry is false of a cloud's metadata, which is nobody's registry, whoever says so.
func mayBeRegistry(addr netip.Addr) bool {
	return !addr.IsLinkLocalUnicast() && !addr.IsMulticast() && !addr.IsUnspecified()
}

// refusedHosts are those that a process asked for and was not let out to.
func refusedHosts(p *sandbox.Process) (hosts []string) {
	for _, c := range p.Contacts() {
		if c.Refused > 0 {
			hosts = append(hosts, c.Host)
		}
	}
	slices.Sort(hosts)
	return hosts
}

// refusal is what to do about hosts that were refused. Their ports are known where the tool has printed them.
func refusal(hosts, lines []string) string {
	was := " was refused, since a build reaches only"
	if len(hosts) > 1 {
		was = " were refused, since a build reaches only"
	}
	text := strings.Join(lines, "\n")
	var example []string
	for _, host := range hosts[:min(len(hosts), 3)] {
		port := "443"
		if m := regexp.MustCompile(regexp.QuoteMeta(host) + `\]?:(\d+)`).FindStringSubmatch(text); m != nil {
			port = m[1]
		}
		example = append(example, `"`+net.JoinHostPort(host, port)+`"`)
	}
	return strings.Join(hosts[:min(len(hosts), 10)], ", ") + was + " the registries configured for npm and pip, and the addresses of dependencies: if you trust it, add " +
		strings.Join(example, ", ") + " to deps.registries"
}
