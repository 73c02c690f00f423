package egress

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
)

// reset ends a connection so that the other side sees an error, not an end.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// splice copies both ways until both sides have ended. An end is passed on as an end, a broken connection as a reset.
func splice(inner, outer net.Conn) {
	var wg sync.WaitGroup
	wg.Go(func() { forward(outer, inner) })
	wg.Go(func() { forward(inner, outer) })
	wg.Wait()
}

func forward(to, from net.Conn) {
	_, err := io.Copy(to, from) // splice(2) where both are TCP
	if err == nil {
		err = closeWrite(to)
	}
	if err != nil && !errors.Is(err, syscall.ENOTCONN) { // not connected = it has ended both ways, and may still be read from
		reset(to)
		reset(from)
	}
}

func closeWrite(conn net.Conn) error {
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok {
		return fmt.Errorf("a %T cannot be half closed", conn)
	}
	return half.CloseWrite()
}
