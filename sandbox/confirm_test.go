package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The daemon believes /proc, not the init: a process that is not confined, as we are not, is found out.
func TestConfirm(t *testing.T) {
	var failed *StartError
	if err := checkStatus(os.Getpid(), os.Geteuid(), false); !errors.As(err, &failed) {
		t.Errorf("error %v", err)
	}
	if err := checkStatus(os.Getpid(), testUID, false); !errors.As(err, &failed) || failed.Layer != UID {
		t.Errorf("error %v", err)
	}
	for _, n := range namespaces {
		if err := checkNamespace(os.Getpid(), n.link); err == nil {
			t.Errorf("our own %s namespace passes for another", n.link)
		}
	}
}

// The init lives beside every connector for as long as that does.
func TestInitIsSmall(t *testing.T) {
	h := openHost(t)
	p := start(t, h, connector("cat"))
	if _, err := p.Stdin.WriteString("x\n"); err != nil || line(t, p) != "x" { // the init has done all it will
		t.Fatal(err)
	}
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.PID()))
	if err != nil {
		t.Fatal(err)
	}
	var kilobytes int
	_, after, _ := bytes.Cut(rollup, []byte("Anonymous:"))
	if _, err := fmt.Sscan(string(after), &kilobytes); err != nil || kilobytes >= 1024 {
		t.Errorf("%d kB private (%v)", kilobytes, err)
	}
	t.Logf("%d kB private", kilobytes)
}

// On a machine that gives no namespaces, such as the inside of a sandbox, nothing is started and the reason is a sentence.
func TestHopelessHost(t *testing.T) {
	h := openHost(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := connector("/opt/test", "-test.run=^TestPrintRefusal$", "-test.v")
	s.Env = append(s.Env, "SANDBOX_TEST_REFUSAL=1", "GORACE=atexit_sleep_ms=0") // with the race detector it would linger
	s.Mounts = []Mount{{Source: self, Target: "/opt/test"}, {Source: findInit().path(), Target: "/opt/majordomo-init"}}
	out := succeed(t, h, s)
	for _, want := range []string{"cannot start \"x\": sandbox layer pid: ", "operation not permitted; ", "missing mount: ", "missing pid: ", "missing seccomp: not tried"} {
		if !strings.Contains(out, want) {
			t.Errorf("does not say %q:\n%s", want, out)
		}
	}
}

// TestPrintRefusal is the inside of TestHopelessHost.
func TestPrintRefusal(t *testing.T) {
	if os.Getenv("SANDBOX_TEST_REFUSAL") == "" {
		t.Skip("runs inside TestHopelessHost")
	}
	h, err := New(Options{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	s := shell("true")
	s.Name = "x"
	_, err = h.Start(t.Context(), s)
	fmt.Println(err)
	for _, m := range h.Report().Missing {
		fmt.Printf("missing %s: %s (%s)\n", m.Layer, m.Reason, m.Fix)
	}
}

// Every thread of the init, also those of Go's runtime, soon has no more rights than the connector.
func TestInitHasNoPowerLeft(t *testing.T) {
	h := openHost(t)
	p := start(t, h, connector("cat"))
	for deadline := time.Now().Add(20 * time.Second); ; {
		strong := powerful(t, p)
		if len(strong) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("threads with rights: %v", strong)
		}
		runtime.Gosched()
	}
}

// powerful lists the threads of an init that have a capability or another uid than the connector's.
func powerful(t *testing.T, p *Process) (strong []string) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", p.PID()))
	if err != nil || len(tasks) == 0 {
		t.Fatalf("no threads, %v", err)
	}
	for _, file := range tasks {
		status, err := os.ReadFile(file)
		weak := bytes.Contains(status, []byte("CapPrm:\t0000000000000000\n")) && bytes.Contains(status, fmt.Appendf(nil, "Uid:\t%d\t", p.spec.UID))
		if err == nil && !weak {
			strong = append(strong, file)
		}
	}
	return strong
}
