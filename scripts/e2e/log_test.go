package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"majordomo/mcpclient/mcptest"
)

// Whoever reads the daemon's log goes away, as journald does when it is restarted, or stops reading, as a terminal does on Ctrl-S:
// neither ends the daemon or keeps anybody waiting.
func TestLogIsNotRead(t *testing.T) {
	for name, spoil := range map[string]func(r, w *os.File) error{
		"gone":  func(r, _ *os.File) error { return r.Close() },
		"stuck": func(_, w *os.File) error { return fill(w) },
	} {
		t.Run(name, func(t *testing.T) {
			h := &house{t: t, bin: binary(), state: filepath.Join(t.TempDir(), "state"), feed: publicDir(t)}
			if err := mcptest.WriteConnector(filepath.Join(h.feed, "one"), "one", mcptest.Python, "good", nil); err != nil {
				t.Fatal(err)
			}
			compileFeed(h)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			h.stderr = w
			h.serve()
			h.ok("member", "add", "ann")
			if err := spoil(r, w); err != nil {
				t.Fatal(err)
			}
			h.activate("one")
			h.ok("restart", "one", "--member", "ann")
			h.ok("call", "mcp__one__echo", `{"text": "here"}`)
			h.stop()
			if code := h.daemon.ProcessState.ExitCode(); code != 0 {
				t.Errorf("the daemon ended with %v", h.daemon.ProcessState)
			}
		})
	}
}

// fill writes into a pipe until nothing more goes in.
func fill(w *os.File) error {
	fd := int(w.Fd()) // which the daemon shares: it blocks again afterwards
	err := unix.SetNonblock(fd, true)
	for err == nil {
		_, err = unix.Write(fd, []byte{'\n'})
	}
	if errors.Is(err, unix.EAGAIN) {
		err = unix.SetNonblock(fd, false)
	}
	return err
}
