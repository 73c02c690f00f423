package sandbox

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/initproc"
)

// control is the daemon's end of an init's control socket.
type control struct{ conn *net.UnixConn }

// newControl makes the socket. The second file is the init's end.
func newControl() (control, *os.File, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return control{}, nil, fmt.Errorf("cannot make the control socket: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "control"), os.NewFile(uintptr(fds[1]), "control")
	defer ours.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		theirs.Close()
		return control{}, nil, fmt.Errorf("cannot use the control socket: %w", err)
	}
	return control{conn.(*net.UnixConn)}, theirs, nil
}

func (c control) send(data []byte) error {
	if len(data) > initproc.MaxPacket {
		return fmt.Errorf("the configuration is too large: %d bytes, %d are possible", len(data), initproc.MaxPacket)
	}
	_, err := c.conn.Write(data)
	return err
}

// request does not wait for the init to do it.
func (c control) request(r initproc.Request) error { return c.send([]byte(r)) }

// receive waits for one message. io.EOF means that the init is gone.
func (c control) receive() (m initproc.Message, files []*os.File, err error) {
	data, rights := make([]byte, 16<<10), make([]byte, unix.CmsgSpace(maxFDs*4))
	n, oobn, _, _, err := c.conn.ReadMsgUnix(data, rights)
	if err != nil || n == 0 {
		return m, nil, errors.Join(err, io.EOF)
	}
	if files, err = parseRights(rights[:oobn]); err != nil {
		return m, files, err
	}
	return m, files, m.Unmarshal(data[:n])
}

// interrupt ends a send or receive under way, and every later one.
func (c control) interrupt() { _ = c.conn.SetDeadline(time.Now()) } // fails once it is closed

// maxFDs is what the kernel passes in one packet.
const maxFDs = 253

func parseRights(rights []byte) (files []*os.File, err error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	for _, message := range messages {
		fds, err := unix.ParseUnixRights(&message)
		if err != nil {
			return files, err
		}
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "sandbox socket"))
		}
	}
	return files, err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
