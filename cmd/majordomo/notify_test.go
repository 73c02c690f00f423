package main_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The service manager hears of the start when the doors are open, and of the stop at its first moment (Type=notify).
func TestServiceManagerIsTold(t *testing.T) {
	dir, err := os.MkdirTemp("", "md-") // short: a socket's path has 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	state := filepath.Join(dir, "state")
	serve := exec.CommandContext(t.Context(), filepath.Join(binDir, "majordomo"), "serve", "--state", state, "--listen", "127.0.0.1:0")
	serve.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "NOTIFY_SOCKET=" + manager.LocalAddr().String()}
	serve.Stderr = t.Output()
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	hears(t, manager, "READY=1")
	if door, err := net.Dial("unix", filepath.Join(state, "majordomo.sock")); err != nil {
		t.Error(err)
	} else {
		door.Close()
	}
	if err := serve.Process.Signal(unix.SIGTERM); err != nil {
		t.Error(err)
	}
	hears(t, manager, "STOPPING=1")
	if err := serve.Wait(); err != nil {
		t.Error(err)
	}
}

// hears waits for what the daemon says next.
func hears(t *testing.T, manager *net.UnixConn, want string) {
	t.Helper()
	if err := manager.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 512)
	if n, err := manager.Read(text); err != nil || string(text[:n]) != want {
		t.Fatalf("heard %q, %v; want %q", text[:n], err, want)
	}
}
