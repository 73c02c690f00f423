package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// house is a running daemon with a state directory of its own and one member, ann.
type house struct {
	t      *testing.T
	bin    string
	state  string
	feed   string
	config string              // its file; "" = none
	env    []string            // of the daemon, beside the test's own
	stderr *os.File            // of the daemon; nil = a log that is shown when the test fails
	user   *syscall.Credential // whom the daemon runs as; nil = whoever runs the test
	daemon *exec.Cmd
	exited chan struct{}
}

// TestMain builds the binary once, unless the caller did (MAJORDOMO_BIN).
func TestMain(m *testing.M) { os.Exit(withBinary(m)) }

func withBinary(m *testing.M) int {
	if os.Getenv("MAJORDOMO_BIN") != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "majordomo-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-o", dir+"/", "majordomo/cmd/majordomo", "majordomo/cmd/majordomo-init")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "cannot build the binary: %v\n%s", err, out)
		return 1
	}
	os.Setenv("MAJORDOMO_BIN", filepath.Join(dir, "majordomo"))
	return m.Run()
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := emptyHouse(t)
	h.ok("member", "add", "ann")
	return h
}

// emptyHouse is a running daemon that knows nobody yet.
func emptyHouse(t *testing.T) *house {
	t.Helper()
	return houseOf(t, binary())
}

func houseOf(t *testing.T, bin string) *house {
	t.Helper()
	feed, err := filepath.Abs("../../configs/feed")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, bin: bin, state: filepath.Join(t.TempDir(), "state"), feed: feed}
	h.serve()
	return h
}

// binary is the one that is tested.
func binary() string { return os.Getenv("MAJORDOMO_BIN") }

// serve starts the daemon and returns when it says that it is ready.
func (h *house) serve() {
	h.t.Helper()
	h.daemon = exec.Command(h.bin, "serve", "--state", h.state, "--feed", h.feed, "--listen", "127.0.0.1:0")
	if h.config != "" {
		h.daemon.Args = append(h.daemon.Args, "--config", h.config)
	}
	h.daemon.Env = append(os.Environ(), h.env...)
	h.daemon.SysProcAttr = &syscall.SysProcAttr{Credential: h.user}
	log, err := os.CreateTemp(h.t.TempDir(), "daemon-*.log")
	if err != nil {
		h.t.Fatal(err)
	}
	defer log.Close()
	h.daemon.Stdout, h.daemon.Stderr = log, log
	if h.stderr != nil {
		h.daemon.Stderr = h.stderr
	}
	if err := h.daemon.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { h.show(log.Name()) })
	h.exited = make(chan struct{})
	go func(c *exec.Cmd, exited chan struct{}) { c.Wait(); close(exited) }(h.daemon, h.exited)
	h.t.Cleanup(h.stop)
	h.wait("the daemon to answer", func() bool { _, _, err := h.run("", "status"); return err == nil })
}

// show puts the end of a daemon's log, and of its connectors', into that of a test that failed.
func (h *house) show(log string) {
	if !h.t.Failed() {
		return
	}
	connectors, err := filepath.Glob(filepath.Join(h.state, "logs", "*", "*.log"))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, name := range append([]string{log}, connectors...) {
		if text, err := os.ReadFile(name); err == nil {
			lines := strings.SplitAfter(string(text), "\n")
			h.t.Logf("%s ends with:\n%s", name, strings.Join(lines[max(0, len(lines)-60):], ""))
		}
	}
}

// stop ends the daemon politely and waits for it. Stopping twice is fine.
func (h *house) stop() { h.end(syscall.SIGTERM) }

func (h *house) end(sig syscall.Signal) {
	h.daemon.Process.Signal(sig)
	select {
	case <-h.exited:
	case <-time.After(30 * time.Second):
		h.daemon.Process.Kill()
		h.t.Errorf("the daemon was still there 30 s after %v", sig)
	}
}

// run calls one verb and returns its output, its errors and how it ended.
func (h *house) run(stdin string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(h.t.Context(), h.bin, args...)
	cmd.Env = append(os.Environ(), "MAJORDOMO_STATE="+h.state)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// ok calls one verb that has to succeed.
func (h *house) ok(args ...string) string {
	h.t.Helper()
	out, errs, err := h.run("", args...)
	if err != nil {
		h.t.Fatalf("majordomo %s: %v\n%s%s", strings.Join(args, " "), err, out, errs)
	}
	return out
}

// read calls one verb with --json and decodes what it prints.
func (h *house) read(into any, args ...string) {
	h.t.Helper()
	out := h.ok(append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), into); err != nil {
		h.t.Fatalf("majordomo %s --json printed no JSON: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// wait polls for a condition that another process brings about.
func (h *house) wait(what string, holds func() bool) {
	h.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(60 * time.Second)
	for !holds() {
		select {
		case <-tick.C:
		case <-h.t.Context().Done():
			h.t.Fatalf("the test ended while waiting for %s", what)
		case <-limit:
			h.t.Fatalf("waited 60 s for %s", what)
		}
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}
