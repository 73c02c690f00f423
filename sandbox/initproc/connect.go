package initproc

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Connect as argv[1] makes the init of a container: it was not started by the daemon, and finds it by the socket that argv[2] names.
const Connect = "connect"

// connect returns the control socket, with the standard streams that came over it in place. A container engine's own would be copied through
// that engine, and would not know of a reader that is gone.
func connect(path string) (control, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return control{}, err
	}
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		return control{}, fmt.Errorf("cannot reach the daemon at %s: %w", path, err)
	}
	return control{fd}, takeStdio(fd)
}

func takeStdio(fd int) error {
	data, rights := make([]byte, 16), make([]byte, unix.CmsgSpace(3*4))
	_, n, _, _, err := unix.Recvmsg(fd, data, rights, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil || len(messages) != 1 {
		return errors.Join(errors.New("the daemon sent no standard streams"), err)
	}
	streams, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(streams) != 3 {
		return errors.Join(errors.New("the daemon sent no standard streams"), err)
	}
	for i, stream := range streams {
		if err := errors.Join(unix.Dup3(stream, i, 0), unix.Close(stream)); err != nil {
			return err
		}
	}
	return nil
}
