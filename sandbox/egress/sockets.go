package egress

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
)

// socketSet are the sockets of one sandbox, ready to be read from outside.
type socketSet struct {
	udp []net.PacketConn // at most one
	dns []*net.TCPListener
	tcp []*net.TCPListener
}

// open tells the descriptors apart by their order, which inside.Sockets says.
func open(files []*os.File, mode Mode) (socketSet, error) {
	var set socketSet
	if mode == None && len(files) == 0 {
		return set, nil
	}
	if mode != List && mode != Open || len(files) < 2 {
		return set, fmt.Errorf("cannot serve the network: policy %q with %d sockets", mode, len(files))
	}
	udp, err := net.FilePacketConn(files[0])
	if err != nil {
		return set, fmt.Errorf("cannot serve the network: %w", err)
	}
	set.udp = append(set.udp, udp)
	for i, f := range files[1:] {
		l, err := net.FileListener(f)
		if err == nil && l.Addr().Network() != "tcp" {
			err = errors.New("not a TCP socket")
		}
		if err != nil {
			set.close()
			return set, fmt.Errorf("cannot serve the network: socket %d: %w", i+1, err)
		}
		if i == 0 {
			set.dns = append(set.dns, l.(*net.TCPListener))
		} else {
			set.tcp = append(set.tcp, l.(*net.TCPListener))
		}
	}
	return set, nil
}

func (set socketSet) close() {
	for _, c := range set.udp {
		_ = c.Close()
	}
	for _, l := range set.dns {
		_ = l.Close()
	}
	for _, l := range set.tcp {
		_ = l.Close()
	}
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// destination is where the connector wanted to connect to: what it said before a redirect, or else where it arrived.
func destination(conn *net.TCPConn) netip.AddrPort {
	arrived := conn.LocalAddr().(*net.TCPAddr).AddrPort()
	asked := netip.AddrPortFrom(arrived.Addr().Unmap(), arrived.Port())
	if raw, err := conn.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { // fails once it is closed: then nobody minds
			if said, ok := beforeRedirect(int(fd), asked.Addr().Is4()); ok {
				asked = said
			}
		})
	}
	return asked
}

// beforeRedirect reads SO_ORIGINAL_DST, which is 80 for both families. x/sys has no call that returns a socket address from
// getsockopt; the two structures used instead are as long as, or longer than, sockaddr_in and sockaddr_in6.
func beforeRedirect(fd int, v4 bool) (netip.AddrPort, bool) {
	const originalDst = 80
	if v4 {
		m, err := unix.GetsockoptIPv6Mreq(fd, unix.IPPROTO_IP, originalDst)
		if err != nil {
			return netip.AddrPort{}, false
		}
		b := m.Multiaddr // family, port, address
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), uint16(b[2])<<8|uint16(b[3])), true
	}
	m, err := unix.GetsockoptIPv6MTUInfo(fd, unix.IPPROTO_IPV6, originalDst)
	if err != nil {
		return netip.AddrPort{}, false
	}
	port := m.Addr.Port>>8 | m.Addr.Port<<8 // from network order, on the little-endian machines we run on
	return netip.AddrPortFrom(netip.AddrFrom16(m.Addr.Addr), port), true
}
