package sandbox

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"majordomo/sandbox/selftest"
)

// prepareTargets prepares what is to be reached for. Of a failure nothing is left.
func (h *Host) prepareTargets() (t selftest.Target, release func(), err error) {
	dir, err := os.MkdirTemp(h.options.StateDir, "self-test-")
	if err != nil {
		return t, nil, err
	}
	var listeners []net.Listener
	undo := func() {
		for _, l := range listeners {
			_ = l.Close()
		}
		_ = os.RemoveAll(dir)
	}
	t = selftest.Target{Secret: filepath.Join(dir, "secret"), Variable: anyVariable(), PID: os.Getpid(), Abstract: "majordomo-" + filepath.Base(dir)}
	for _, at := range []struct{ network, address string }{{"tcp", "127.0.0.1:0"}, {"unix", "@" + t.Abstract}} {
		l, err := net.Listen(at.network, at.address)
		if err != nil {
			undo()
			return t, nil, err
		}
		listeners = append(listeners, l)
		go greetAll(l)
	}
	t.TCP = listeners[0].Addr().String()
	for _, name := range []string{"secret", "control"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("majordomo\n"), 0o644); err != nil {
			undo()
			return t, nil, err
		}
	}
	return t, undo, nil
}

// greetAll says something to whoever gets through, until the listener is closed.
func greetAll(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = conn.Write([]byte("reached\n"))
		_ = conn.Close()
	}
}

// anyVariable is one of our own environment that a connector does not get.
func anyVariable() string {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !slices.Contains([]string{"", "PATH", "HOME", "LANG", "TMPDIR", selftest.ControlVariable}, name) {
			return name
		}
	}
	return "PATH_OF_NOBODY"
}
