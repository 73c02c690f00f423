package inside

import (
	"encoding/binary"
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// RaiseLoopback brings up lo in the network namespace of the calling thread. It needs CAP_NET_ADMIN there, and may be called again.
func RaiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	ifr, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	ifr.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifr)
}

// makeEverythingLocal is "ip route add local default dev lo": the kernel takes every address for one of its own and delivers
// to loopback, so that a connection to any of them finds our listener and a datagram finds nobody.
func makeEverythingLocal(family byte) error {
	const loopback = 1 // the index of lo, in every namespace
	var b []byte
	order := binary.NativeEndian
	b = order.AppendUint32(b, unix.SizeofNlMsghdr+unix.SizeofRtMsg+unix.SizeofRtAttr+4)
	b = order.AppendUint16(b, unix.RTM_NEWROUTE)
	b = order.AppendUint16(b, unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE)
	b = order.AppendUint64(b, 0)                                                             // sequence, port
	b = append(b, family, 0, 0, 0)                                                           // destination of no bits: everything
	b = append(b, unix.RT_TABLE_LOCAL, unix.RTPROT_BOOT, unix.RT_SCOPE_HOST, unix.RTN_LOCAL) // table, protocol, scope, type
	b = order.AppendUint32(b, 0)                                                             // flags
	b = order.AppendUint16(b, unix.SizeofRtAttr+4)
	b = order.AppendUint16(b, unix.RTA_OIF)
	b = order.AppendUint32(b, loopback)
	return send(unix.NETLINK_ROUTE, b)
}

// send sends ready-made netlink messages and returns what the kernel says first: an error, or the one acknowledgement that the
// last message asks for.
func send(protocol int, messages []byte) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, protocol)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	patience := unix.Timeval{Sec: 2} // the kernel answers before send returns, or not at all
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &patience); err != nil {
		return err
	}
	kernel := &unix.SockaddrNetlink{Family: unix.AF_NETLINK}
	if err := unix.Sendto(fd, messages, 0, kernel); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil {
		return err
	}
	return verdict(answer[:n])
}

// verdict reads an NLMSG_ERROR: a header and a negative errno, 0 for success.
func verdict(answer []byte) error {
	order := binary.NativeEndian
	if len(answer) < unix.SizeofNlMsghdr+4 || order.Uint16(answer[4:]) != unix.NLMSG_ERROR {
		return errors.New("the kernel's answer is not an acknowledgement")
	}
	if code := int32(order.Uint32(answer[unix.SizeofNlMsghdr:])); code != 0 {
		return syscall.Errno(-code)
	}
	return nil
}
