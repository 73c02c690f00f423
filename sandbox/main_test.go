package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap/zaptest"

	"majordomo/sandbox/sandboxtest"
)

// TestMain lets the test program be what the tests start: the init of a sandbox, or a daemon that is about to be killed.
func TestMain(m *testing.M) {
	if lacking := os.Getenv("SANDBOX_TEST_LACKING"); lacking != "" {
		fmt.Fprintln(os.Stderr, becomeLesser(lacking))
		os.Exit(99)
	}
	InitMain()
	if state := os.Getenv("SANDBOX_TEST_DAEMON"); state != "" {
		doomedDaemon(state)
	}
	if err := sandboxtest.BuildInit(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// openHost opens a Host that works here, or ends the test.
func openHost(t testing.TB) *Host {
	t.Helper()
	return openHostWith(t, Options{})
}

func openHostWith(t testing.TB, o Options) *Host {
	t.Helper()
	o.StateDir, o.Log = stateDir(t), zaptest.NewLogger(t)
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	if why := h.refused(); why != nil {
		t.Fatal(why)
	}
	return h
}

// stateDir is closed to all but the daemon, in a place that everybody can reach.
func stateDir(t testing.TB) string {
	t.Helper()
	base, err := os.MkdirTemp("", "sandbox-state-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	state := filepath.Join(base, "state")
	if err := errors.Join(os.Chmod(base, 0o755), os.Mkdir(state, 0o700)); err != nil {
		t.Fatal(err)
	}
	return state
}

// connector is the Spec of most tests.
func connector(argv ...string) Spec {
	s := Spec{Name: "test", Argv: argv, Dir: Home, Env: []string{"PATH=/usr/bin:/bin", "HOME=" + Home}}
	if os.Geteuid() == 0 {
		s.UID, s.GID = testUID, testUID
	}
	return s
}

// testUID is nobody else's on a lesser host, where everything that has it is ended with a sandbox.
var testUID = func() int {
	if os.Getenv("SANDBOX_TEST_INSIDE") != "" {
		return 218_000 + os.Getpid()%10_000
	}
	return 212345
}()

// python runs a script that asserts and prints; a traceback is the test's failure.
func python(script string) Spec { return connector("/usr/bin/python3", "-I", "-c", script) }

func shell(script string) Spec { return connector("sh", "-c", script) }

// start starts a Spec whose process ends with the test at the latest.
func start(t *testing.T, h *Host, s Spec) *Process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	p, err := h.Start(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(p) })
	return p
}

// end kills a process and closes its pipes.
func end(p *Process) {
	p.Kill()
	<-p.Done()
	closeAll([]*os.File{p.Stdin, p.Stdout, p.Stderr})
}

// output runs a Spec to its end with an empty stdin.
func output(t *testing.T, h *Host, s Spec) (stdout, stderr string, exit Exit) {
	t.Helper()
	p := start(t, h, s)
	p.Stdin.Close()
	errs := make(chan string)
	go func() {
		data, _ := io.ReadAll(p.Stderr)
		errs <- string(data)
	}()
	out, err := io.ReadAll(p.Stdout)
	if err != nil {
		t.Error(err)
	}
	stderr = <-errs
	<-p.Done()
	return string(out), stderr, p.Exit()
}

// succeed runs a Spec that must exit 0 and returns what it printed.
func succeed(t *testing.T, h *Host, s Spec) string {
	t.Helper()
	out, errs, exit := output(t, h, s)
	if exit != (Exit{}) {
		t.Errorf("exit %+v\n%s%s", exit, out, errs)
	}
	return strings.TrimSpace(out)
}

// line reads one line from a process.
func line(t *testing.T, p *Process) string {
	t.Helper()
	if err := p.Stdout.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for b := make([]byte, 1); ; {
		if _, err := p.Stdout.Read(b); err != nil {
			t.Fatalf("after %q: %v", text.String(), err)
		}
		if b[0] == '\n' {
			return text.String()
		}
		text.WriteByte(b[0])
	}
}
