package api

import (
	"context"
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

type peerKey struct{}

// withPeer remembers whom the kernel saw connecting. A client cannot choose that, so nothing else is asked.
func withPeer(ctx context.Context, conn net.Conn) context.Context {
	uid, err := socketUID(conn)
	if err != nil {
		return ctx
	}
	return context.WithValue(ctx, peerKey{}, uid)
}

func peerUID(ctx context.Context) (int, error) {
	uid, ok := ctx.Value(peerKey{}).(int)
	if !ok {
		return -1, Errorf(Refused, "cannot let you in: the system does not say who you are")
	}
	return uid, nil
}

func socketUID(conn net.Conn) (int, error) {
	unixConn, ok := conn.(*net.UnixConn)
	if !ok {
		return 0, errors.New("not a unix socket")
	}
	raw, err := unixConn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var credErr error
	if err := raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return 0, err
	}
	if credErr != nil {
		return 0, credErr
	}
	return int(cred.Uid), nil
}
