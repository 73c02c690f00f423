package initproc

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// control is the init's end of the control socket.
type control struct{ fd int }

func (c control) receive(config *Config) error {
	size, err := c.next()
	if err != nil {
		return err
	}
	buf := make([]byte, size) // and not MaxPacket: fresh memory costs more than all that is in it
	if _, err = c.read(buf); err != nil {
		return err
	}
	return config.unmarshal(buf)
}

// request waits for one. An error means that the daemon has closed its end.
func (c control) request() (Request, error) {
	buf := make([]byte, 16)
	n, err := c.read(buf)
	return Request(buf[:n]), err
}

// next waits for a packet and returns its size.
func (c control) next() (int, error) {
	return got(func() (int, error) {
		n, _, err := unix.Recvfrom(c.fd, nil, unix.MSG_PEEK|unix.MSG_TRUNC)
		return n, err
	})
}

func (c control) read(buf []byte) (int, error) {
	return got(func() (int, error) { return unix.Read(c.fd, buf) })
}

// got repeats what a signal has interrupted.
func got(receive func() (int, error)) (int, error) {
	for {
		n, err := receive()
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return 0, fmt.Errorf("cannot read the control socket: %w", err)
		case n == 0:
			return 0, errors.New("the daemon is gone")
		default:
			return n, nil
		}
	}
}

func (c control) send(m Message, fds ...int) error {
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	return unix.Sendmsg(c.fd, m.marshal(), rights, nil, unix.MSG_NOSIGNAL)
}
