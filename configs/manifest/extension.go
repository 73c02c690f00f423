package manifest

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// egress reads one half of the extension field of this house:
//
//	"x_majordomo": { "egress": ["api.example.org:443"] }
//
// names all that the connector has to reach. What cannot be read is refused: left out, it would mean everything.
func (m *merge) egress() []string {
	ext, _ := m.doc.strict().sub("x_majordomo")
	if !ext.has("egress") {
		return nil
	}
	hosts := append([]string{}, ext.strs("egress")...)
	for i, entry := range hosts {
		if !isEndpoint(entry) {
			ext.report(Error, fmt.Sprintf("egress[%d]", i), "want a host name or address and a port, as api.example.org:443, got %.80q", entry)
		}
	}
	if len(hosts) > MaxHosts {
		ext.report(Error, "egress", "it names %d hosts, %d are possible", len(hosts), MaxHosts)
	}
	return hosts
}

// isEndpoint takes whole names only: a pattern would let a connector invent names, and data can be told in names.
func isEndpoint(entry string) bool {
	host, port, err := net.SplitHostPort(entry)
	n, portErr := strconv.ParseUint(port, 10, 16)
	if err != nil || portErr != nil || n == 0 || host == "" {
		return false
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
	return len(host) <= 253 && strings.Trim(host, letters) == "" && !strings.Contains(host, "..")
}

// mounts reads the other half of that field:
//
//	"x_majordomo": { "mounts": ["files"] }
//
// asks for the member's own files at /root/files, writable. Nothing else is
// known, and an unknown wish is refused: a connector that needs it would not work.
func (m *merge) mounts() []string {
	ext, _ := m.doc.strict().sub("x_majordomo")
	mounts := ext.strs("mounts")
	for i, name := range mounts {
		if name != MountFiles {
			ext.report(Error, fmt.Sprintf("mounts[%d]", i), "%.80q is not something that can be mounted, only %q is", name, MountFiles)
		}
	}
	return mounts
}
