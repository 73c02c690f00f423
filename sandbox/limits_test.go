package sandbox

import (
	"fmt"
	"testing"
)

// limited is a Host that holds a limit, or the end of the test.
func limited(t *testing.T, l Layer) *Host {
	t.Helper()
	h := openHost(t)
	if !h.Report().Has(l) {
		t.Skipf("this host has no %s limit", l)
	}
	return h
}

func TestMemoryLimit(t *testing.T) {
	h := limited(t, MemoryLimit)
	s := python(`b = bytearray(200 << 20)`)
	s.Limits.Memory = 64 << 20
	if _, errs, exit := output(t, h, s); exit != (Exit{Code: -1, Signal: "SIGKILL", OOM: true}) {
		t.Errorf("%+v %s", exit, errs)
	}
	succeed(t, h, python(`b = bytearray(200 << 20)`)) // the next start is not in the group that was killed
}

// A tree that lost a part is ended whole, and the cause is named, also when the connector itself was spared.
func TestMemoryLimitEndsTheTree(t *testing.T) {
	h := limited(t, MemoryLimit)
	s := python(`
import os, time
if os.fork() == 0:
    b = bytearray(200 << 20)
    os._exit(0)
while True:
    time.sleep(1000)`)
	s.Limits.Memory = 64 << 20
	if _, errs, exit := output(t, h, s); !exit.OOM || exit.Signal != "SIGKILL" {
		t.Errorf("%+v %s", exit, errs)
	}
}

// What is written to /tmp is memory too.
func TestTmpIsMemory(t *testing.T) {
	h := limited(t, MemoryLimit)
	s := shell(`head -c 200000000 /dev/zero >/tmp/x`)
	s.Limits.Memory = 64 << 20
	if _, errs, exit := output(t, h, s); exit == (Exit{}) {
		t.Errorf("%+v %s", exit, errs)
	}
}

func TestPIDLimit(t *testing.T) {
	h := limited(t, PIDLimit)
	s := python(`
import os, time
n = 0
try:
    while n < 200:
        if os.fork() == 0:
            time.sleep(1000)
        n += 1
except BlockingIOError:
    print(n)
`)
	s.Limits.Pids = 32
	var n int
	if _, err := fmt.Sscan(succeed(t, h, s), &n); err != nil || n >= 32 {
		t.Errorf("%d processes, %v", n, err)
	}
}

func TestCPULimit(t *testing.T) {
	h := limited(t, CPULimit)
	s := python(`
import time
wall, cpu = time.monotonic(), time.process_time()
while time.process_time() < cpu + 0.2:
    pass
print(time.monotonic() - wall)
`)
	s.Limits.CPU = 0.2
	var seconds float64
	if _, err := fmt.Sscan(succeed(t, h, s), &seconds); err != nil || seconds < 0.5 {
		t.Errorf("0.2 s of a fifth of a core took %.2f s, %v", seconds, err)
	}
}

// A fork bomb harms nobody, and its sibling does not notice.
func TestForkBomb(t *testing.T) {
	h := limited(t, PIDLimit)
	sibling := start(t, h, connector("cat"))
	bomb := start(t, h, shell(`echo; b() { b | b & }; b; sleep 1000`))
	line(t, bomb)
	if _, err := sibling.Stdin.WriteString("hello\n"); err != nil || line(t, sibling) != "hello" {
		t.Error("the sibling is gone")
	}
	end(bomb)
	if pids := alive("b() { b | b & }"); len(pids) > 0 {
		t.Errorf("%d left", len(pids))
	}
}
