package egress

import (
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// flood is a socket with a question in it whenever somebody looks.
type flood struct {
	net.PacketConn
	read atomic.Int32
}

func (f *flood) ReadFrom([]byte) (int, net.Addr, error) {
	if f.read.Add(1) > 10_000 {
		return 0, nil, net.ErrClosed
	}
	return 0, nil, nil
}

// What comes too fast stays with the kernel, which drops it: a connector must not keep the daemon busy.
func TestFloodOfQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, conn := newServer(rules{mode: Open}, Options{MaxDNS: 10}), &flood{}
		s.wg.Go(func() { s.serveUDP(conn) })
		time.Sleep(5*time.Second + time.Millisecond)
		if n := conn.read.Load(); n < 50 || n > 61 {
			t.Errorf("%d questions were read in 5 s, at 10 a second", n)
		}
		s.Close()
	})
}

func TestFloodOfConnections(t *testing.T) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	const more = 40 // than come at once
	s, served := newServer(rules{mode: Open}, Options{MaxConns: 2}), make(chan bool)
	defer s.Close()
	defer listener.Close()
	began := time.Now()
	s.wg.Go(func() { s.accept(listener, func(net.Conn) { served <- true }) })
	for range 2 + more {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		<-served
		conn.Close()
	}
	if took := time.Since(began); took < more*time.Second/maxArrivals-50*time.Millisecond {
		t.Errorf("%d connections were accepted in %v", 2+more, took)
	}
}
