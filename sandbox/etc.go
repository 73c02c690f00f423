package sandbox

import (
	"fmt"

	"majordomo/sandbox/egress"
	"majordomo/sandbox/egress/inside"
	"majordomo/sandbox/initproc"
)

// etcShown is what of the host's /etc is shown as it is: how libraries and certificates are found, and names for numbers.
// Nothing here is secret on any distribution; /etc/ssl/private is not among it.
var etcShown = []string{
	"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/mime.types", "/etc/protocols",
	"/etc/services", "/etc/crypto-policies", "/etc/timezone", "/etc/ssl/openssl.cnf",

	// Where Debian, Fedora, Arch, Alpine and openSUSE keep their certificates; what is a link is shown as what it leads to.
	"/etc/ssl/certs", "/etc/pki/tls", "/etc/pki/ca-trust", "/etc/ca-certificates", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem",
	"/var/lib/ca-certificates",
}

// etcFiles generates the rest. Node's os.userInfo and Python's getpass want a line for the uid; without hosts and nsswitch.conf
// not even localhost resolves.
func (s Spec) etcFiles() []initproc.File {
	const nologin = "/usr/sbin/nologin"
	return []initproc.File{
		{Path: "/etc/passwd", Text: fmt.Sprintf("root:x:0:0:root:/:%s\nconnector:x:%d:%d:connector:%s:/bin/sh\n", nologin, s.UID, s.GID, Home)},
		{Path: "/etc/group", Text: fmt.Sprintf("root:x:0:\nconnector:x:%d:\n", s.GID)},
		{Path: "/etc/hosts", Text: "127.0.0.1 localhost " + s.Name + "\n::1 localhost\n"},
		{Path: "/etc/hostname", Text: s.Name + "\n"},
		{Path: "/etc/nsswitch.conf", Text: "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n"},
		{Path: "/etc/resolv.conf", Text: s.resolvConf()},
	}
}

// resolvConf names the daemon's own resolver, which listens in the sandbox's network where it is open. The host's resolver would
// be of no use there, least of all a stub on the host's loopback.
func (s Spec) resolvConf() string {
	if s.egress().Mode != egress.None {
		return inside.ResolvConf
	}
	return "# no network\n"
}
