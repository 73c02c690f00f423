// Package inside is the half of egress that runs in the sandbox's init, while that still holds its capabilities in the new
// network namespace. It prepares an otherwise empty namespace and binds the sockets that the daemon will serve from outside: a
// socket belongs for ever to the namespace it was made in, whoever holds the descriptor.
//
// It is linked into a tiny program: x/sys only. It starts no goroutine.
package inside

import "errors"

// Plan is what the daemon asks for. It is plain data and travels to the init as JSON. The zero Plan brings loopback up and
// nothing else: a namespace with no way out.
type Plan struct {
	Serve    bool     `json:"serve,omitempty"`    // bind DNS and listeners; false = no way out
	Listen   []string `json:"listen,omitempty"`   // "ip:port" of loopback listeners, for granted loopback targets
	Redirect []byte   `json:"redirect,omitempty"` // an nftables batch that sends every TCP port to RedirectPort
	Ports    []uint16 `json:"ports,omitempty"`    // TCP ports to listen on where the kernel refuses Redirect
}

// RedirectPort is where an nftables redirect sends every connection. The port is privileged: a connector cannot take it.
const RedirectPort = 999

// ResolvConf is the /etc/resolv.conf of a sandbox that may speak to anyone.
const ResolvConf = "nameserver 127.0.0.1\noptions timeout:5 attempts:2\n"

// Sockets is what Setup made. The descriptors go to the daemon in this order over SCM_RIGHTS, the rest as JSON.
type Sockets struct {
	FDs      []int  `json:"-"`                  // DNS over UDP, DNS over TCP, one per Plan.Listen, then one for the redirect or one per Plan.Ports
	Redirect bool   `json:"redirect,omitempty"` // every TCP port is served
	Reason   string `json:"reason,omitempty"`   // why Redirect is not in force, though asked for
}

// Setup prepares the network namespace of the calling thread. It needs CAP_NET_ADMIN and CAP_NET_BIND_SERVICE there and is
// called once. All descriptors are close-on-exec; the caller sends them out and closes them.
func Setup(p Plan) (Sockets, error) {
	return Sockets{}, errors.New("cannot set up the network: not built yet")
}
