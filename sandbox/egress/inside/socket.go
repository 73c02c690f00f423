package inside

import (
	"fmt"

	"golang.org/x/sys/unix"
)

const backlog = 128

// bindTo makes one socket at one address; a stream listens.
func bindTo(at Endpoint, kind int) (int, error) {
	switch len(at.IP) {
	case 4:
		return bind(unix.AF_INET, kind, &unix.SockaddrInet4{Addr: [4]byte(at.IP), Port: int(at.Port)})
	case 16:
		return bind(unix.AF_INET6, kind, &unix.SockaddrInet6{Addr: [16]byte(at.IP), Port: int(at.Port)})
	}
	return -1, fmt.Errorf("an address of %d bytes", len(at.IP))
}

// bindToAll listens at every address of both families, or of IPv4 where the host has no other.
func bindToAll(port uint16) (int, error) {
	fd, err := bind(unix.AF_INET6, unix.SOCK_STREAM, &unix.SockaddrInet6{Port: int(port)})
	if err == nil {
		return fd, nil
	}
	return bind(unix.AF_INET, unix.SOCK_STREAM, &unix.SockaddrInet4{Port: int(port)})
}

func bind(family, kind int, at unix.Sockaddr) (int, error) {
	fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return -1, err
	}
	if family == unix.AF_INET6 { // whatever the host's bindv6only says
		err = unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_V6ONLY, 0)
	}
	if err == nil {
		err = unix.Bind(fd, at)
	}
	if err == nil && kind == unix.SOCK_STREAM {
		err = unix.Listen(fd, backlog)
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}
