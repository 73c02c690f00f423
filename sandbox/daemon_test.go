package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// doomedDaemon starts three sandboxes, prints their pids and waits to be killed.
func doomedDaemon(state string) {
	o, uid := Options{StateDir: state}, testUID
	if engine := os.Getenv("SANDBOX_TEST_ENGINE"); engine != "" {
		o.Driver, o.Engine, o.Image = DriverDocker, engine, testImage
		uid = containerUID
	}
	h, err := New(o)
	if err != nil {
		panic(err)
	}
	for range 3 {
		s := shell(`setsid sleep ` + os.Getenv("SANDBOX_TEST_MARK") + ` & trap "" TERM HUP; sleep 1000`)
		if s.UID != 0 {
			s.UID, s.GID = uid, uid
		}
		p, err := h.Start(context.Background(), s)
		if err != nil {
			panic(err)
		}
		fmt.Println(p.PID())
	}
	fmt.Println("up")
	select {}
}

// kill -9 of the daemon leaves no process of any sandbox.
func TestDaemonKilled(t *testing.T) {
	mark := fmt.Sprint("3000.", os.Getpid())
	state := stateDir(t)
	killDaemon(t, state, "SANDBOX_TEST_MARK="+mark)
	if left := alive(mark); len(left) > 0 {
		t.Errorf("%d left", left)
	}
	next, err := New(Options{StateDir: state})
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if err := next.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	succeed(t, next, shell("true"))
}

// killDaemon lets a doomedDaemon start its sandboxes, kills it, and waits for their inits.
func killDaemon(t *testing.T, state string, env ...string) {
	t.Helper()
	daemon := exec.Command("/proc/self/exe")
	daemon.Env = append(append(os.Environ(), "SANDBOX_TEST_DAEMON="+state), env...)
	daemon.Stderr = os.Stderr
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	var pids []int
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "up"; {
		var pid int
		if _, err := fmt.Sscan(lines.Text(), &pid); err != nil {
			t.Fatal(lines.Text())
		}
		pids = append(pids, pid)
	}
	if len(pids) != 3 {
		t.Errorf("%d sandboxes", len(pids))
	}
	_ = daemon.Process.Kill()
	_ = daemon.Wait()
	for _, pid := range pids {
		awaitDeath(t, pid)
	}
}

// Go ends threads as it likes, and the kernel kills children with the thread that started them: ours stays.
func TestThreadsComeAndGo(t *testing.T) {
	h := openHost(t)
	var all []*Process
	for range 5 {
		all = append(all, start(t, h, connector("cat")))
		gone := make(chan struct{})
		go func() {
			runtime.LockOSThread() // and never unlocked: the thread ends here
			all = append(all, start(t, h, connector("cat")))
			close(gone)
		}()
		<-gone
	}
	for _, p := range all {
		if _, err := p.Stdin.WriteString("hello\n"); err != nil || line(t, p) != "hello" {
			t.Errorf("%d is dead: %v", p.PID(), err)
		}
	}
}

// Closing the Host ends what it started.
func TestClose(t *testing.T) {
	h := openHost(t)
	p := start(t, h, shell(`trap "" TERM; sleep 1000`))
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-p.Done():
	default:
		t.Error("a process outlives its Host")
	}
	if _, err := h.Start(t.Context(), shell("true")); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("error %v", err)
	}
}

// Many start and end at once.
func TestTogether(t *testing.T) {
	h := openHost(t)
	succeed(t, h, shell("true"))
	before := openFiles(t)
	t.Run("all", func(t *testing.T) {
		for i := range 24 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				if got := succeed(t, h, shell(fmt.Sprint("echo ", i))); got != fmt.Sprint(i) {
					t.Errorf("%q", got)
				}
			})
		}
	})
	if after := openFiles(t); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
	if pids := children(t); len(pids) > 0 {
		t.Errorf("children %v", pids)
	}
	if len(h.running()) > 0 {
		t.Error("the Host has not forgotten them")
	}
}
