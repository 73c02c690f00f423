package e2e

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A daemon that is killed cannot clean up: the kernel has to. Nothing of its connectors may
// outlive it, and the next daemon starts clean and brings them back.
func TestKillLeavesNothing(t *testing.T) {
	h := newHouse(t)
	ids := h.activateAll()
	var before []process
	for _, i := range h.instances() {
		before = append(before, tree(t, i.PID)...)
	}
	if len(before) < len(ids) {
		t.Fatalf("%d connectors run as %d processes", len(ids), len(before))
	}

	h.end(syscall.SIGKILL)
	h.wait("every process of the connectors to end", func() bool { return !anyAlive(before) })

	h.serve()
	h.wait("the connectors to come back", func() bool { return len(h.running()) == len(ids) })
	if out := h.ok("call", "mcp__notes__list_notes", "{}", "--member", "ann"); out == "" {
		t.Error("notes answered nothing after the restart")
	}
}

// A daemon that is asked to stop leaves nothing either, whoever asks: a service manager or Ctrl-C.
func TestStopLeavesNothing(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			h := newHouse(t)
			h.activate("notes")
			h.activate("pairing")
			var before []process
			for _, i := range h.instances() {
				before = append(before, tree(t, i.PID)...)
			}
			h.end(sig)
			if code := h.daemon.ProcessState.ExitCode(); code != 0 {
				t.Errorf("the daemon ended with %v, not 0", h.daemon.ProcessState)
			}
			if anyAlive(before) {
				t.Errorf("alive after the daemon stopped: %v", before)
			}
		})
	}
}

// process is a pid with the moment it began, which tells it from a later one of the same number.
type process struct {
	pid   int
	began string
}

// tree lists a process and all below it.
func tree(t *testing.T, root int) []process {
	t.Helper()
	children := map[int][]int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if fields := stat(pid); fields != nil {
				parent, _ := strconv.Atoi(fields[1])
				children[parent] = append(children[parent], pid)
			}
		}
	}
	var all []process
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		if began := startOf(queue[0]); began != "" {
			all = append(all, process{queue[0], began})
		}
		queue = append(queue, children[queue[0]]...)
	}
	return all
}

func anyAlive(all []process) bool {
	for _, p := range all {
		if startOf(p.pid) == p.began {
			return true
		}
	}
	return false
}

func startOf(pid int) string {
	if fields := stat(pid); fields != nil && fields[0] != "Z" {
		return fields[19]
	}
	return ""
}

// stat reads /proc/<pid>/stat from the state (field 3) on; nil when there is no such process.
func stat(pid int) []string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}
