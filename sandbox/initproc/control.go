package initproc

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// control is the init's end of the control socket.
type control struct{ fd int }

func (c control) receive(config *Config) error {
	buf := make([]byte, MaxPacket)
	n, err := c.read(buf)
	if err != nil {
		return err
	}
	return config.unmarshal(buf[:n])
}

// wait returns when the daemon sends anything, or with an error when it closes.
func (c control) wait() error {
	_, err := c.read(make([]byte, 16))
	return err
}

func (c control) read(buf []byte) (int, error) {
	for {
		n, err := unix.Read(c.fd, buf)
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
